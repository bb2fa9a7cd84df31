// What the next hands begin with, without a connection: button, blinds, who is dealt in, who posts, who missed a blind.
//
// The same answers as casino/poker/{blinds,placement,missed,straddles}.py, where the readings are said and cited:
// tests/tables/test_dealer_placed.py holds them against each other.

import { clockwise } from "./pots.js";

/** @import { HandStart, Held, Offer, Post, Places, Seat, Table } from "./table.d.ts" */
/** @import { Facts, Placement, Round } from "./drawn.d.ts" */

// More hands than a table deals in half an hour, as tables/selectors/dealer.py.
const HANDS_AHEAD = 30;

/** Whether a player would be dealt in: at the table, with chips (H1.60), and allowed to play on. @param {Seat} seat */
const isThere = (seat) => seat.seating !== null && !seat.is_held && seat.has_chips && !seat.sees_floor;

/** @param {Seat} seat */
const isHeld = (seat) => seat.seating !== null && !isThere(seat);

// ---- The next hand, and those after it -------------------------------------------------------------------

/** What the hands after this one begin with while nobody comes or goes; where the winner gets the button only the first can be said (H4.15). @param {Round} round @param {Places} places @returns {HandStart[]} */
export function handsAhead({ seats, offer }, places) {
  const count = offer.button === "to_the_winner" ? 1 : HANDS_AHEAD;
  /** @type {HandStart[]} */
  const ahead = [];
  for (let next = nextHand({ seats, offer }, places); next; next = nextHand({ seats, offer }, places)) {
    ahead.push(next);
    if (ahead.length === count) break;
    places = { last: heldOn(next, seatings(seats)), button_here: null, drawn: null };
    seats = after(seats, next);
  }
  return ahead;
}

/** What the next hand begins with; null while too few can play. @param {Round} round @param {Places} places @returns {HandStart | null} */
export function nextHand({ seats, offer }, places) {
  const facts = factsOf(seats, places.last);
  if (!areEnough(facts, places.last, offer)) return null;
  const at = placement(facts, places, { seats, offer });
  const there = new Map(seats.map((seat) => [seat.number, seat]));
  const seatOf = (/** @type {number} */ number) => /** @type {Seat} */ (there.get(number));
  const willing = facts.present.filter((number) => seatOf(number).entry === "straddles");
  const dealt = [...at.dealt, ...straddlingIn(offer.straddle, at, willing)];
  const order = clockwise(dealt, at.big).filter((number) => number !== at.small && number !== at.big);
  const wanting = new Set(dealt.filter((number) => seatOf(number).straddles || seatOf(number).entry === "straddles"));
  const straddled = dealt.length > 2 ? straddles(offer.straddle, order, at.button, wanting, 2 * offer.big_blind) : [];
  const doesStraddle = new Set(straddled.map(({ seat }) => seat));
  const newcomers = clockwise(at.newcomers.filter((number) => !doesStraddle.has(number)), at.big);
  return {
    button: at.button,
    small_blind: at.small,
    big_blind: at.big,
    dealt_in: clockwise(dealt, at.button),
    posts: [...newcomers.map((number) => owes(offer, seatOf(number))), ...straddled],
    laid_down: markers({ seats, offer }, places.last, at),
  };
}

/** The seats once a hand was played: who was dealt in is in the blinds and owes nothing, who missed one waits (H4.30, H4.31, H4.36). @param {Seat[]} seats @param {Pick<HandStart, "dealt_in" | "laid_down">} start @returns {Seat[]} */
export function after(seats, { dealt_in: dealt, laid_down: laidDown }) {
  const missedBy = new Map(laidDown.map((each) => [each.seat, each.missed]));
  return seats.map((seat) => {
    if (seat.seating === null) return seat;
    if (dealt.includes(seat.number)) return { ...seat, entry: "in", missed: 0 };
    const missed = missedBy.get(seat.number);
    return missed ? { ...seat, entry: "waits", missed } : seat;
  });
}

/** Who sits where: seatings by seat. @param {Seat[]} seats @returns {Map<number, number>} */
export const seatings = (seats) => new Map(seats.flatMap(({ number, seating }) => (seating === null ? [] : [[number, seating]])));

/** Who holds what on a hand, of which nobody has won anything yet. @param {HandStart} start @param {Map<number, number>} sits @returns {Held} */
export function heldOn(start, sits) {
  const [button, small, big] = [start.button ?? 0, start.small_blind, start.big_blind ?? 0];
  return {
    button,
    button_seating: sits.get(button) ?? 0,
    small_blind: small,
    small_blind_seating: sits.get(small ?? 0) ?? 0,
    big_blind: big,
    big_blind_seating: sits.get(big) ?? 0,
    was_heads_up: start.dealt_in.length === 2,
    won: button,
    betting: button,
  };
}

/** Where a button goes that the winner gets: of several to the next after it (H4.15-H4.17, A33). @param {number[] | undefined} winners @param {number} before */
export const wonButton = (winners, before) => (winners?.length ? clockwise(winners, before)[0] : before);

/** Whether the big blind takes longer to the new seat than to the old one (A39). @param {Pick<Table, "seats" | "places">} table @param {number} from @param {number} to */
export function isFurther({ seats, places }, from, to) {
  const big = places?.last?.big_blind ?? null;
  const others = seats.filter((seat) => isThere(seat) && seat.number !== from).map((seat) => seat.number);
  const until = (/** @type {number} */ number) => clockwise([...others, number], big).indexOf(number);
  return big !== null && until(to) > until(from);
}

// ---- Where button and blinds go --------------------------------------------------------------------------

/** @param {Seat[]} seats @param {Held | null} last @returns {Facts} */
function factsOf(seats, last) {
  const there = seats.filter(isThere);
  const still = (/** @type {number | null} */ number, /** @type {number} */ seating) => (there.some((seat) => seat.number === number && seat.seating === seating) ? number : null);
  const button = last && still(last.button, last.button_seating);
  const small = last && still(last.small_blind, last.small_blind_seating);
  const big = last && still(last.big_blind, last.big_blind_seating);
  const present = there.map((seat) => seat.number);
  const isIn = (/** @type {Seat} */ { number, entry }) => entry === "in" || [button, small, big].includes(number);
  let rotating = there.filter(isIn).map((seat) => seat.number);
  // Whoever was there before the first hand has gone: the others begin it together (A36).
  if (!last && rotating.length < 2) rotating = present;
  const posting = there.filter(({ number, entry }) => entry === "posts" && !rotating.includes(number)).map((seat) => seat.number);
  const isAbsent = seats.some((seat) => last && isHeld(seat) && seat.number === last.big_blind && seat.seating === last.big_blind_seating);
  const [buttonSeat, bigSeat] = [last?.button ?? 0, last?.big_blind ?? 0];
  return { present, rotating, posting, buttonSeat, bigSeat, button, small, big, bigAbsent: isAbsent ? bigSeat : null };
}

/** With the game's least number, or with two who are left of a hand of more, once or on and on (U12, U13, UA1). @param {Facts} facts @param {Held | null} last @param {Offer} offer */
function areEnough({ present, rotating }, last, { players_min: least, may_two_go_on: goOn }) {
  const areLeft = last !== null && (goOn || !last.was_heads_up);
  return present.length >= least || (areLeft && present.length === 2 && rotating.length === 2);
}

/** @param {Facts} facts @param {Places} places @param {Round} round @returns {Placement} */
function placement(facts, { last, button_here: here, drawn }, { seats, offer }) {
  if (!last) return opening(facts, here ?? drawn ?? seats.length);
  if (here !== null) return felt(facts, here);
  return offer.button === "to_the_winner" ? felt(facts, last.won) : rotated(facts);
}

/** @param {number[]} two @param {number | null} button @returns {Placement} */
function headsUp(two, button) {
  const holder = /** @type {number} */ (button);
  const [other] = two.filter((number) => number !== holder);
  return { button: holder, small: holder, big: other, dealt: two, newcomers: [] };
}

/** All who are there begin together (A36). @param {number[]} present @param {number} button @returns {Placement} */
function first(present, button) {
  const order = clockwise(present, button);
  const holder = order[order.length - 1];
  if (present.length === 2) return headsUp(present, holder);
  return { button: holder, small: order[0], big: order[1], dealt: present, newcomers: [] };
}

/** The first hand is theirs who were there before it; who came during one that was undone is new (H4.24, H4.31). @param {Facts} facts @param {number} button @returns {Placement} */
function opening({ rotating, posting }, button) {
  const begun = first(rotating, button);
  return rotating.length === 2 ? begun : { ...begun, dealt: [...rotating, ...posting], newcomers: posting };
}

/** The placement that follows from the last hand (A37, A41). @param {Facts} facts @returns {Placement} */
function rotated(facts) {
  const { rotating, posting } = facts;
  const big = turnOf(facts);
  // Who came after the game's first players had all gone begins as after a draw (A36).
  if (!rotating.length) return first(facts.present, clockwise(facts.present, big).slice(0, -1).slice(-2)[0]);
  const dealt = [...new Set([...rotating, ...posting, big])];
  const button = buttonOf(facts, big);
  if (button === null || dealt.length === 2) return twoOf(facts, big);
  return { button, small: facts.big, big, dealt, newcomers: posting.filter((number) => number !== big) };
}

/** Whose turn the big blind is: a newcomer in the seat of one who left comes first (H4.29, A37). @param {Facts} facts */
function turnOf({ present, bigSeat, big }) {
  const order = clockwise(present, bigSeat);
  const end = order[order.length - 1];
  return big === null && end === bigSeat ? end : order[0];
}

/** The button of three or more: the last small blind's player, else it stays, else the nearest counter-clockwise (A37). @param {Facts} facts @param {number} big */
function buttonOf({ rotating, buttonSeat, button, small, big: last }, big) {
  const nearest = clockwise(rotating, buttonSeat).reverse();
  const free = [small, button, ...nearest].filter((seat) => seat !== null && seat !== big && seat !== last);
  return free[0] ?? null;
}

/** The hand of two, also where no third player in rotation is free for the button (H4.51, A41). @param {Facts} facts @param {number} big */
function twoOf(facts, big) {
  const { rotating, button, small, big: last } = facts;
  const two = theTwo(facts, big);
  const byRight = [last, small, button].find((seat) => seat !== null && two.includes(seat));
  if (byRight !== undefined) return headsUp(two, byRight);
  const inRotation = two.filter((number) => rotating.includes(number));
  return headsUp(two, inRotation.length === 1 ? inRotation[0] : two.filter((number) => number !== big)[0]);
}

/** @param {Facts} facts @param {number} big */
function theTwo({ present, rotating }, big) {
  if (rotating.length === 2) return rotating;
  const [alone] = rotating;
  return [alone, big !== alone ? big : clockwise(present, alone)[0]];
}

/** The placement with the button lying at a seat, which may be empty. @param {Facts} facts @param {number} button @returns {Placement} */
function felt({ present, rotating, posting }, button) {
  if (!rotating.length) return first(present, button);
  const others = clockwise(present.filter((number) => number !== button), button);
  const index = others.findIndex((number) => rotating.includes(number));
  const small = index < 0 ? null : others[index];
  const following = others.slice(index + 1);
  const isButtonThere = present.includes(button);
  const dealt = [...new Set([...rotating, ...posting, ...(isButtonThere ? [button] : []), ...following.slice(0, 1)])];
  if (present.length === 2 || dealt.length === 2 || !following.length) {
    const holder = isButtonThere ? button : clockwise(rotating, button)[rotating.length - 1];
    return headsUp([holder, small !== null && small !== holder ? small : clockwise(present, holder)[0]], holder);
  }
  const [big] = following;
  return { button, small, big, dealt, newcomers: dealt.filter((number) => !rotating.includes(number) && number !== big) };
}

// ---- Who posts, and who missed a blind -------------------------------------------------------------------

/** Who waits to straddle in, if the seat next after the big blind is theirs (H4.34, H4.43). @param {Offer["straddle"]} rule @param {Placement} at @param {number[]} willing */
function straddlingIn(rule, { dealt, big }, willing) {
  if (rule !== "live" && rule !== "to_the_button") return [];
  const outside = willing.filter((number) => !dealt.includes(number));
  const [next] = clockwise([...dealt, ...outside], big);
  return outside.includes(next) ? [next] : [];
}

/**
 * Who straddles, in the order of posting (H4.18, H4.20, R-§11).
 * @param {Offer["straddle"]} rule @param {number[]} order @param {number} button @param {Set<number>} wanting @param {number} cents
 * @returns {Post[]}
 */
function straddles(rule, order, button, wanting, cents) {
  const straddle = (/** @type {number} */ seat, doubled = 0) => /** @type {Post} */ ({ seat, live: cents * 2 ** doubled, dead: 0, kind: "straddle" });
  if (!order.length || rule === "off") return [];
  if (rule === "mississippi") return order.filter((number) => wanting.has(number)).slice(-1).map((number) => straddle(number));
  if (wanting.has(order[0])) {
    const willing = order.filter((number) => wanting.has(number));
    return willing.slice(0, rule === "live" ? 1 : willing.length).map(straddle);
  }
  return rule === "to_the_button" && order.at(-1) === button && wanting.has(button) ? [straddle(button)] : [];
}

/** What is posted to come in: new, or for what was missed (H4.31, H4.40, H4.42). @param {Offer} offer @param {Seat} seat @returns {Post} */
function owes({ small_blind: small, big_blind: big }, { number, missed }) {
  const [live, dead] = missed === 1 ? [small, 0] : [big, missed ? small : 0];
  return { seat: number, live, dead, kind: missed ? "missed" : "new_player" };
}

/**
 * The missed blind markers that a hand lays down whose button and blinds are there (H4.35-H4.38).
 * @param {Round} round @param {Held | null} last @param {{button: number | null, small: number | null, big: number | null}} at
 */
export function markers({ seats, offer }, last, { button, small, big }) {
  if (offer.button === "to_the_winner" || button === null || big === null) return [];
  const absent = seats.filter((seat) => isHeld(seat) && (seat.entry === "in" || seat.missed));
  const from = last?.big_blind ?? small ?? button;
  const passed = between(from, big, seats.length);
  const skipped = last ? [] : between(button, from, seats.length);
  const { bigAbsent } = factsOf(seats, last);
  return absent.flatMap(({ number, missed }) => {
    const now = passed.includes(number) ? 2 : number === bigAbsent && !missed ? 1 : missed;
    if (now !== missed) return [{ seat: number, missed: now }];
    return skipped.includes(number) ? [{ seat: number, missed: 1 }] : [];
  });
}

/** The seats met going clockwise from one to another, neither counted. @param {number} from @param {number} to @param {number} seats */
export function between(from, to, seats) {
  const order = clockwise([...Array(seats).keys()].map((index) => index + 1), from);
  return from === to ? [] : order.slice(0, order.indexOf(to));
}
