// What lies in the queue of the dealer's tablet: for the type checker alone.

export interface Item {
  /** The command id. */
  id: string;
  /** Its place in the queue. */
  order: number;
  url: string;
  /** What the call takes, as plain data. */
  body: object;
  /** ISO 8601, the server's clock. */
  tappedAt: string;
  /** Milliseconds, this machine's clock. */
  tappedAtLocal: number;
  /** Opaque: under which sign-in it was tapped. */
  signIn: string;
  /** The hash of that sign-in's secret, "" for none. */
  proof?: string;
  kind: "fact" | "request";
  /** Command ids without which it makes no sense. */
  dependsOn: string[];
}

export interface Refused {
  id: string;
  item: Item;
  /** 0: stopped, because what it depends on was refused. */
  status: number;
  /** What the server said. */
  html: string;
}
