// The taps of this tablet: kept in the queue until the server has answered, and folded into what is shown until
// a fragment shows that the server has carried them out.

import { headersFor, newTap } from "../commands.js";
import { serverNow } from "../clock.js";
import { openQueue } from "../queue.js";

const PATHS = {
  deal: "hands/deal",
  flop: "hands/flop",
  settle: "hands/settle",
  skip: "hands/skip",
  void: "hands/void",
  undo: "hands/undo",
  draw: "draw",
  button: "button",
  tips: "tips",
  time: "time",
  deck: "deck",
  "floor-call": "floor-call",
  aside: "pots",
  "clock-end": "clock/end",
  clock: (seating) => `seatings/${seating}/clock`,
  hold: (seating) => `seatings/${seating}/hold`,
  entry: (seating) => `seatings/${seating}/entry`,
  straddle: (seating) => `seatings/${seating}/straddle`,
  leave: (seating) => `seatings/${seating}/leave`,
};

/** Events: `change`; `refused` {problem}. */
export class Taps extends EventTarget {
  /** @param {{api: string, signIn: string, proof: string}} page */
  constructor({ api, signIn, proof }) {
    super();
    Object.assign(this, { api, signIn, proof });
    /** Taps that the shown state does not hold yet, in order. @type {any[]} */
    this.list = [];
    /** Requests nobody has answered: the same words again are the same command. @type {Map<string, any>} */
    this.asked = new Map();
  }

  /** Open the queue; what waited in it before this page was loaded comes first. */
  async open() {
    this.queue = await openQueue({ proof: this.proof });
    const before = this.queue.items.map((item) => this.read(item)).filter(Boolean);
    this.list = [...before, ...this.list];
    this.queue.addEventListener("done", (event) => this.answered(event.detail.item.id, event.detail.html));
    this.queue.addEventListener("refused", (event) => this.refused(event.detail));
    for (const refused of await this.queue.refused()) this.say(refused);
    for (const tap of this.list) if (!tap.id) this.add(tap);
    this.tell();
  }

  /**
   * Ask whether a count is above what lies in play. Without an answer within a second it is not, and while the server is
   * gone or slow it is not asked: nobody waits for it.
   * @param {number} cents
   */
  async isAbovePlay(cents) {
    if (document.documentElement.dataset.connection !== "live") return false;
    try {
      const response = await fetch(`${this.api}/counted?counted_cents=${cents}`, { signal: AbortSignal.timeout(1000) });
      return response.ok && (await response.json()).is_above_play;
    } catch {
      return false;
    }
  }

  /** Carry out a tap: shown at once, sent in its turn. @param {string} command @param {object} body */
  give(command, body, { seating = null, dependsOn = [] } = {}) {
    const tap = { command, body, seating, dependsOn, at: new Date(serverNow()).toISOString(), isMine: true };
    this.list.push(tap);
    this.tell();
    if (this.queue) this.add(tap);
  }

  async add(tap) {
    const path = PATHS[tap.command];
    const url = `${this.api}/${typeof path === "string" ? path : path(tap.seating)}`;
    const { body, dependsOn } = tap;
    const item = await this.queue.add({ url, body, kind: "fact", signIn: this.signIn, dependsOn });
    tap.id = item.id;
  }

  /** The ids of settlements that wait: an undo makes no sense without its hand. */
  waitingFor(handId) {
    return this.list.filter((tap) => tap.id && !tap.version && tap.body.hand_id === handId && tap.command === "settle").map((tap) => tap.id);
  }

  /** Return a queued item as a tap, or null when it is another table's. */
  read(item) {
    if (!item.url.startsWith(`${this.api}/`)) return null;
    const path = item.url.slice(this.api.length + 1);
    const [, seating, act] = path.match(/^seatings\/(\d+)\/(\w+)$/) ?? [];
    const command = act ?? Object.keys(PATHS).find((name) => PATHS[name] === path);
    return { id: item.id, command, body: item.body, seating: seating ? Number(seating) : null, at: item.tappedAt, isMine: item.signIn === this.signIn };
  }

  answered(id, json) {
    const tap = this.list.find((each) => each.id === id);
    if (!tap) return;
    const { version, data } = parse(json);
    tap.version = version ?? 0;
    // It waits for the floor: whoever tapped it may not be signed in any more.
    if (data?.kept) window.dispatchEvent(new Event("brush:revoked"));
    this.tell();
  }

  refused(refused) {
    this.list = this.list.filter((tap) => tap.id !== refused.id && !refused.stopped.some((item) => item.id === tap.id));
    this.say(refused);
    this.tell();
  }

  /** Say what was refused; once it is on the screen the queue forgets it. */
  say({ id, html, item }) {
    this.dispatchEvent(new CustomEvent("refused", { detail: { problem: parse(html), item, read: () => this.queue.read(id) } }));
  }

  /** Forget what the server's state holds by now. @param {number} version - of the table, as shown */
  prune(version) {
    this.list = this.list.filter((tap) => tap.version === undefined || tap.version > version);
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Ask leave for something; the answer is awaited. Nobody answered: null, and the same again is asked only once.
   * @returns {Promise<{isDone: boolean, said: any} | null>}
   */
  async request(path, body) {
    const words = JSON.stringify([path, body]);
    const tap = this.asked.get(words) ?? newTap();
    this.asked.set(words, tap);
    const headers = { ...headersFor(tap), "X-Sign-In": this.signIn, "Content-Type": "application/json", Accept: "application/json" };
    try {
      const patience = AbortSignal.timeout(8000);
      const response = await fetch(`${this.api}/${path}`, { method: "POST", headers, body: JSON.stringify(body), signal: patience });
      if (response.status >= 500) return null;
      this.asked.delete(words);
      return { isDone: response.ok, said: parse(await response.text()) };
    } catch {
      return null;
    }
  }
}

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
