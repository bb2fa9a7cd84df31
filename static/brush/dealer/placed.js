// The next hand for a button that lies at a seat, without a connection: where the winner gets it, or where the dealer
// says that it is.
//
// The same answers as casino/poker/{placement,blinds,straddles}.py: tests/tables/test_dealer_placed.py holds them
// against each other.

import { clockwise } from "./pots.js";

/** @import { HandStart, Offer, OpenTable, Post, Seat, Table, WayIn } from "./table.d.ts" */
/** @typedef {{button: number, small: number | null, big: number, dealt: number[], newcomers: number[]}} Placement */

/** Whether a player would be dealt in: at the table, with chips (H1.60), and allowed to play on. @param {Seat} seat */
const isThere = (seat) => seat.seating !== null && !seat.is_held && seat.has_chips && !seat.sees_floor;

/** @param {number} button @param {number} other @returns {Placement} */
const headsUp = (button, other) => ({ button, small: button, big: other, dealt: [button, other], newcomers: [] });

/**
 * Whether a hand is dealt with who is there, after one of so many players (undefined: after none): with the game's least
 * number, or with two who are left of a hand of more, once or on and on (U12, U13, UA1).
 * @param {OpenTable} table @param {number} [before]
 */
export function areEnough(table, before) {
  const there = table.seats.filter(isThere);
  const { players_min: least, may_two_go_on: goOn } = table.offer;
  const isIn = (/** @type {Seat} */ seat) => seat.entry === "in" || Boolean(table.hand?.start.dealt_in.includes(seat.number));
  return there.length >= least || (there.length === 2 && before !== undefined && there.every(isIn) && (before > 2 || (goOn && before === 2)));
}

/** How many played the hand that is being played, or the last one; undefined before the first. @param {Table} table */
export const playedBefore = (table) => (table.hand ?? table.last)?.start.dealt_in.length;

/** Return what the next hand begins with, or null while too few can play. @param {OpenTable} table @param {number | null} button @returns {HandStart | null} */
export function placed(table, button) {
  const there = new Map(table.seats.filter(isThere).map((seat) => [seat.number, seat]));
  const present = [...there.keys()];
  if (button === null || !areEnough(table, playedBefore(table))) return null;
  const seatOf = (/** @type {number} */ number) => /** @type {Seat} */ (there.get(number));
  const comesIn = (/** @type {Seat["entry"]} */ entry) => present.filter((number) => seatOf(number).entry === entry);
  const at = table.is_first ? opening(present, comesIn("in"), comesIn("posts"), button) : placement(present, comesIn("in"), comesIn("posts"), button);
  const { straddle, big_blind: bigBlind } = table.offer;
  const dealt = [...at.dealt, ...straddlingIn(straddle, at, comesIn("straddles"))];
  const order = clockwise(dealt, at.big).filter((number) => number !== at.small && number !== at.big);
  const wanting = new Set(dealt.filter((number) => seatOf(number).straddles || seatOf(number).entry === "straddles"));
  const straddled = dealt.length > 2 ? straddles(straddle, order, at.button, wanting, 2 * bigBlind) : [];
  const doesStraddle = new Set(straddled.map(({ seat }) => seat));
  const posts = clockwise(at.newcomers.filter((number) => !doesStraddle.has(number)), at.big).map((number) => owes(table.offer, seatOf(number)));
  return { button: at.button, small_blind: at.small, big_blind: at.big, dealt_in: clockwise(dealt, at.button), posts: [...posts, ...straddled], laid_down: [] };
}

/** Whether the big blind takes longer to the new seat than to the old one (A39). @param {Table} table @param {number} from @param {number} to */
export function isFurther(table, from, to) {
  const big = table.last?.start.big_blind ?? null;
  const others = table.seats.filter((seat) => isThere(seat) && seat.number !== from).map((seat) => seat.number);
  const until = (/** @type {number} */ number) => clockwise([...others, number], big).indexOf(number);
  return big !== null && until(to) > until(from);
}

/** Where a button goes that the winner gets: of several to the next after it (H4.15-H4.17, A33).
 * @template {number | null} Before @param {number[] | undefined} winners @param {Before} before @returns {number | Before}
 */
export const wonButton = (winners, before) => (winners?.length ? clockwise(winners, before)[0] : before);

/** @param {number[]} present @param {number} button @returns {Placement} */
function first(present, button) {
  const order = clockwise(present, button);
  const holder = order[order.length - 1];
  if (present.length === 2) return headsUp(holder, order[0]);
  return { button: holder, small: order[0], big: order[1], dealt: present, newcomers: [] };
}

/** The first hand is theirs who were there before it; who came during one that was undone is new (H4.24, H4.31). @param {number[]} present @param {number[]} rotating @param {number[]} posting @param {number} button @returns {Placement} */
function opening(present, rotating, posting, button) {
  if (rotating.length < 2) return first(present, button);
  const begun = first(rotating, button);
  return rotating.length === 2 ? begun : { ...begun, dealt: [...rotating, ...posting], newcomers: posting };
}

/** @param {number[]} present @param {number[]} rotating @param {number[]} posting @param {number} button @returns {Placement} */
function placement(present, rotating, posting, button) {
  if (!rotating.length) return first(present, button);
  const others = clockwise(present.filter((number) => number !== button), button);
  const index = others.findIndex((number) => rotating.includes(number));
  const small = index < 0 ? null : others[index];
  const following = others.slice(index + 1);
  const isThere = present.includes(button);
  const dealt = [...new Set([...rotating, ...posting, ...(isThere ? [button] : []), ...following.slice(0, 1)])];
  if (present.length === 2 || dealt.length === 2 || !following.length) {
    const holder = isThere ? button : clockwise(rotating, button)[rotating.length - 1];
    return headsUp(holder, small !== null && small !== holder ? small : clockwise(present, holder)[0]);
  }
  const [big] = following;
  return { button, small, big, dealt, newcomers: dealt.filter((number) => !rotating.includes(number) && number !== big) };
}

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
