// The shapes that the dealer's tablet works with. Amounts are whole cents, moments ISO 8601, seats their numbers.
//
// What comes from the server (tables/selectors/dealer_shown.py, tables/charges.py, tables/selectors/ladder.py) has its
// names; what the tablet adds is marked.

export interface Post {
  seat: number;
  live: number;
  dead: number;
  kind: "missed" | "new_player" | "straddle";
}

/** What a hand begins with. Null: nobody told it, or a small blind is dead. */
export interface HandStart {
  button: number | null;
  small_blind: number | null;
  big_blind: number | null;
  /** In dealing order. */
  dealt_in: number[];
  /** Beside the blinds. */
  posts: Post[];
  /** Missed blind markers that lie there once the hand has begun. */
  laid_down: { seat: number; missed: number }[];
}

export interface WayIn {
  entry: "waits" | "posts" | "straddles";
  live: number;
  dead: number;
}

/** Who is away while somebody plays over: `missed` markers are paid for on coming back, null: nothing is. */
export interface Holder extends Away {
  seating: number;
  version: number;
  name: string;
  missed: number | null;
  entry: Seat["entry"];
  /** Missed blind markers that lie there. */
  markers: number;
  /** Those of before the last hand on which the other one paid the big blind there; null: there was none. */
  paid: number | null;
  straddles: boolean;
  has_chips: boolean;
  sees_floor: boolean;
}

/** A player's absence. */
export interface Away {
  is_held: boolean;
  away: string;
  until: string;
  late: string;
  /** The tablet's own: when it held the seat. */
  away_at?: string | null;
}

export interface Seat extends Away {
  number: number;
  /** The id of who sits there; null: the seat is free. */
  seating: number | null;
  version: number | null;
  name: string;
  entry: "" | "in" | WayIn["entry"];
  missed: number;
  straddles: boolean;
  has_chips: boolean;
  sees_floor: boolean;
  wants_seat_change: boolean;
  holder: Holder | null;
  joins_hand: number | null;
  called: string;
  called_until: string;
}

export interface Share {
  rate_bp: number;
  fixed_cents: number;
  minimum_cents: number;
  maximum_cents: number | null;
  chip_cents: number;
}

/** [the pot from which, what is due of it]. */
export type Step = [number, number];

export interface Ladder {
  steps: Step[];
  /** Beyond the last step each further [pot] takes [more]; null: the maximum is reached. */
  then: Step | null;
  maximum_from: number | null;
  /** Each step is paid by the pot in which the one before it ends. */
  is_by_block: boolean;
  share: Share | null;
}

export interface Charge {
  kind: string;
  /** [participants from, ladder], rising. */
  by: [number, Ladder][];
  is_due_without_flop: boolean;
  each_cents: number | null;
  /** The table pays it by the time instead. */
  is_by_time: boolean;
  /** Hands that are dealt before pay none of it, for time was paid. */
  free_until: string | null;
}

export interface Offer {
  name: string;
  structure: string;
  small_blind: number;
  big_blind: number;
  buy_in_min: number;
  buy_in_max: number | null;
  buy_ins: number[];
  chip: number;
  has_straddles: boolean;
  straddle: "off" | "live" | "to_the_button" | "mississippi";
  button: string;
  players_min: number;
  may_two_go_on: boolean;
  /** By the number of missed blind markers, the one that costs nothing first. */
  ways: WayIn[][];
  charges: Charge[];
  /** Codes of what other apps let a dealer do about a hand (tables/acts.py). */
  acts: string[];
  /** Chips are sold out of the rack, for cash. */
  sells: boolean;
}

/** A request that waits: whose seating, which slip at which version. */
export interface Requested {
  seating: number;
  slip: number;
  version: number;
  cents: number;
}

/** Who held what on a hand: seats, and the seating of each who still plays at the table, 0 of who does not. */
export interface Held {
  button: number;
  button_seating: number;
  small_blind: number | null;
  small_blind_seating: number;
  big_blind: number;
  big_blind_seating: number;
  was_heads_up: boolean;
  /** Where a button lies since that goes to the winner (H4.15). */
  won: number;
  /** Where the second of two lies (H4.16). */
  betting: number;
}

/** What the next hand follows from, while none is played. */
export interface Places {
  last: Held | null;
  button_here: number | null;
  drawn: number | null;
}

/** What an undo of a hand gives back; null markers were left as they are. */
export interface Before {
  last: Held | null;
  button_here: number | null;
  /** The tablet's own is `paid`, of a holder. */
  entries: { seating: number; entry: Seat["entry"]; missed: number | null; paid?: number | null }[];
}

export interface Hand {
  hand_id: string;
  /** The tablet's own: the game of a hand whose Deal still waits. */
  opening_id?: number | null;
  number: number;
  is_beyond: boolean;
  start: HandStart;
  dealt_at: string | null;
  beyond_at: string | null;
  /** Null: nobody told its button, and nothing follows from it. */
  held: Held | null;
  /** Who was dealt in, by seat, whoever sits there since. */
  names: Record<number, string>;
  /** Those of them who still have a seat. */
  seatings: number[];
  before: Before | null;
  /** Seats that go back when it is over: [the holder's seating, that of who plays there]. */
  gives_back: [number, number][];
}

/** What was logged of a hand: what was taken lies in the boxes whatever becomes of the log. */
export interface Logged {
  pots: number[];
  is_at_least: boolean;
  is_without_flop: boolean;
  /** [kind of charge, cents]. */
  taken: [string, number][];
}

export interface Outcome {
  status: string;
  pot: number | null;
  is_at_least: boolean;
  winners: string[];
  can_undo: boolean;
  logged?: Logged;
  dealer_id?: number | null;
  /** The tablet's own: whether this sign-in tapped it. */
  is_mine?: boolean;
}

export interface LastHand extends Outcome {
  hand_id: string;
  number: number;
  dealt_at: string | null;
  start: HandStart;
  /** Null: nothing follows from it, or it cannot be taken back. */
  before: Before | null;
  /** The tablet's own: the one before it. */
  earlier?: LastHand | null;
}

export interface Period {
  opening_id: number;
  number: number;
  begins_at: string | null;
  minutes: number;
  /** The charge of hands in whose stead it is paid, "" where it is the game's own. */
  kind: string;
  shares: { seat: number; cents: number; is_away: boolean }[];
}

export interface Table {
  table: number;
  version: number;
  opening_id: number | null;
  hand_number: number;
  offer: Offer | null;
  seats: Seat[];
  hand: Hand | null;
  /** The hand before. */
  last: LastHand | null;
  undone: { hand_id: string; number: number; logged: Logged; dealt_at: string | null } | null;
  /** What the next hands begin with; none while too few can play. */
  ahead: HandStart[];
  /** Null: no game is offered. */
  places: Places | null;
  is_draw_due: boolean;
  is_first: boolean;
  won_button: number | null;
  betting_button: number | null;
  warning_minutes: number;
  has_long_break: boolean;
  /** Whether nothing is dealt until the floor has decided about the hand before. */
  is_held: boolean;
  /** Whether the table plays on over the day's end and the next day is not open: taps wait, and no hand is begun. */
  is_day_over: boolean;
  time: Period | null;
  /** The final hand's: the table closes after it. */
  last_hand_number: number | null;
  /** What seats wait for from the cage, where the rack sells; oldest first. */
  requested: Requested[];
  /** The tablet's own: hands that are over, whatever the server still shows. */
  gone?: string[];
}

/** A table with a game on it. */
export type OpenTable = Table & { offer: Offer; places: Places };
