// What a dealer's taps send: for the type checker alone. Amounts are whole cents, moments ISO 8601, seats their numbers.
//
// The keys are those of the serializers that read them (tables/api/, casino/cage/api/): tests/tables/test_tap_bodies.py
// holds them to each other.

import type { HandStart, Seat, WayIn } from "./table.d.ts";

export type Nothing = Record<string, never>;

export interface HandBody {
  hand_id: string;
}

/** The hand as the tablet showed it, in the game that the table ran then. */
export interface PositionsBody extends HandBody, Pick<HandStart, "dealt_in" | "button" | "small_blind" | "big_blind"> {
  opening_id: number | null;
  dealt_at: string | null;
}

export interface VoidBody extends PositionsBody {
  reason: "misdeal" | "void";
}

export interface SettleBody extends PositionsBody {
  /** By pot, in the order of formation; one list for all of no pot. */
  winners: number[][];
  pots: number[];
  pot_is_at_least: boolean;
  beyond_initial_deal_at: string | null;
  is_without_flop: boolean;
  /** The hand that was taken back and is logged once more. */
  again_of: string | null;
  /** What lies in the boxes, by kind of charge. */
  [taken: `${string}_taken_cents`]: number;
}

export interface DrawBody {
  winner_seat: number;
  seats: number[];
}

export interface ButtonBody {
  seat_number: number;
}

export interface TipsBody {
  counted_cents: number;
}

export interface DownBody {
  down_id: number;
}

export interface TimeBody {
  opening_id: number;
  period: number;
  paid: { seat_number: number; cents: number }[];
}

export interface DeckBody {
  colour: string;
  set_number: number;
}

/** How many chips, notes or coins of a value there are. */
export interface Piece {
  value_cents: number;
  count: number;
}

/** Without pieces the rack is as it was left. */
export interface RackBody extends DownBody {
  pieces?: Piece[];
  cash?: Piece[];
}

export interface FloorCallBody {
  reason: string;
}

export interface ClockEndBody {
  clock_id: number;
  how: "acted" | "ran_out" | "taken_back";
}

export interface HoldBody {
  is_held: boolean;
  /** How who missed blinds comes in again. */
  entry?: WayIn["entry"];
}

export interface EntryBody {
  entry: WayIn["entry"];
}

export interface StraddleBody {
  straddles: boolean;
}

export interface LeaveBody {
  /** Null: not counted. */
  stack_cents: number | null;
}

/** What each kind of tap that is queued sends; its call stands in calls.js. */
export interface TapBodies {
  deal: PositionsBody;
  flop: HandBody;
  settle: SettleBody;
  skip: PositionsBody;
  void: VoidBody;
  undo: HandBody;
  draw: DrawBody;
  button: ButtonBody;
  tips: TipsBody;
  "tips-close": DownBody;
  time: TimeBody;
  deck: DeckBody;
  rack: RackBody;
  "floor-call": FloorCallBody;
  aside: HandBody;
  "clock-end": ClockEndBody;
  clock: Nothing;
  hold: HoldBody;
  entry: EntryBody;
  straddle: StraddleBody;
  leave: LeaveBody;
  /** An act of another app, whose call the page names. */
  "table-act": HandBody;
}

/** A limit may hang on the stack: a count, or as it was seen. */
interface ChipsBody {
  amount_cents: number;
  again: boolean;
  stack_cents?: number;
  stack?: "under_blind" | "full";
}

export interface BuyInBody extends ChipsBody {
  money_with: "player" | "dealer";
}

export interface SellBody extends ChipsBody {
  slip_id?: number;
  slip_version?: number;
}

export interface LongBreakBody {
  has_break: boolean;
}

export interface SeatChangeBody {
  asks: boolean;
  seat_number?: number | null;
}

export interface ChipsCameBody {
  chips_with: "player";
}

/** What each request sends, whose answer is awaited; its call stands in calls.js. */
export interface RequestBodies {
  "buy-in": BuyInBody;
  sell: SellBody;
  "long-break": LongBreakBody;
  "ask-seat": SeatChangeBody;
  /** Its call is the slip's: the page names it. */
  "chips-came": ChipsCameBody;
}

export type TapKind = keyof TapBodies;
export type RequestKind = keyof RequestBodies;

/** Whose seat a tap is about, and the call where the page names it. */
export interface About {
  seating?: Seat["seating"];
  url?: string;
}

/** A tap of one kind, from the touch until a fragment shows that the server has carried it out. */
export interface TapOf<Kind extends TapKind> {
  command: Kind;
  body: TapBodies[Kind];
  /** Whose seat it is about. */
  seating: number | null;
  /** When it was tapped. */
  at: string;
  /** Whether it was tapped under the sign-in of this page. */
  isMine: boolean;
  /** The call of an act of another app. */
  url?: string;
  /** Ids of taps without which it makes no sense. */
  dependsOn?: string[];
  /** The command id, once it is in the queue. */
  id?: string;
  /** Of the table, once the server has carried it out. */
  version?: number;
}

export type Tap = { [Kind in TapKind]: TapOf<Kind> }[TapKind];

/** What a call answers: of a command, or why it was not carried out. */
export interface Answer {
  version?: number;
  /** `kept`: it waits for the floor. */
  data?: { kept?: unknown };
  code?: string;
  detail?: string;
}
