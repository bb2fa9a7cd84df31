// What the modules of the dealer's screen draw, and what its dealer has half done: for the type checker alone.

import type { Pad } from "./pad.js";
import type { Requested, OpenTable, Seat, Table } from "./table.d.ts";

/** A push of one pot. */
export interface Push {
  /** 0: the main pot. */
  index: number;
  /** Null: nobody knows how much it holds. */
  cents: number | null;
  /** How many pots there are. */
  of: number;
  seats: number[];
  /** By seat, its share. */
  to: [number, number | null][];
}

/** What a hand that was just logged asks of the dealer's hands. */
export interface Answer {
  handId: string;
  number: number;
  /** Cents by kind of charge. */
  takes: [string, number][];
  /** What of it lies in the boxes. */
  already: [string, number][];
  isAtLeast: boolean;
  pushes: Push[];
}

export interface BuyIn {
  seat: Seat;
  amount?: number;
  stack?: number | "under_blind" | "full";
  again?: boolean;
  /** Who has the cash; not said: the player; "rack": it lies there, and the chips come out of it. */
  moneyWith?: "player" | "dealer" | "rack";
  isAskingStack?: boolean;
  /** What seats waited for from the cage, as it was seen. */
  requested?: Requested[];
}

export interface Ui {
  pad: Pad | null;
  /** Seats that share the pot in question. */
  split: Set<number> | null;
  /** By pot, the last side pot first. */
  winners: number[][];
  /** What a tap on a seat is for: "draw", "button", "player", "". */
  mode: string;
  /** `isHeld`: of what waits for the floor, whether the table was seen to wait. */
  answer: Answer | { text: string; isHeld?: boolean } | null;
  noFlop: boolean;
  buyIn: BuyIn | null;
  note: string;
  /** The hand for which something was begun. */
  of: string;
  isAsking: boolean;
  /** The hand that was taken back and is logged once more. */
  again: string;
}

/** What is drawn. */
export interface Now {
  table: Table;
  ui: Ui;
  page: DOMStringMap;
  pots: number[];
  already: [string, number][];
  canUndo: boolean;
  isSignedIn: boolean;
}

/** A table for which the next hand is placed. */
export type Round = Pick<OpenTable, "seats" | "offer">;

export interface Placement {
  button: number;
  small: number | null;
  big: number;
  dealt: number[];
  newcomers: number[];
}

/** Seats before a hand. The last hand's are null where their player sits there no more. */
export interface Facts {
  present: number[];
  rotating: number[];
  posting: number[];
  /** The last hand's, 0 before the first. */
  buttonSeat: number;
  bigSeat: number;
  button: number | null;
  small: number | null;
  big: number | null;
  /** The last big blind's, whose player holds the seat and is not there. */
  bigAbsent: number | null;
}
