// What the table is like once the taps that the server's state does not hold yet have been carried out.
//
// `fold(server, taps)` is all of it: the server's last word, then each tap in order. A tap that the server has
// heard of already changes nothing, so a lost answer does no harm. Nothing here knows the screen.
//
// The shapes: table.d.ts, and for a tap tapped.d.ts.

import { after, handsAhead, heldOn, markers, seatings, wonButton } from "./placed.js";
import { givenBack, heldAlone, holdersAfter, withChoices } from "./played_over.js";
import { sum } from "./pots.js";

/** @import { Before, Hand, Held, LastHand, Logged, OpenTable, Outcome, Seat, Table, WayIn } from "./table.d.ts" */
/** @import { PositionsBody, Tap, TapKind, TapOf } from "./tapped.d.ts" */

/** @param {Table} server @param {Tap[]} taps @returns {Table} */
export function fold(server, taps) {
  let table = server;
  for (const tap of taps) {
    // A closed table has nothing that a tap could change.
    if (isOpen(table)) table = follows(carriedOut(table, tap), table);
  }
  return table;
}

/** @template {TapKind} Kind @param {OpenTable} table @param {TapOf<Kind>} tap @returns {OpenTable} */
function carriedOut(table, tap) {
  const does = DO[tap.command];
  return does ? does(table, tap) : table;
}

/** What follows from who sits there, and who held what on the hand before. @param {OpenTable} table @param {Table} before @returns {Table} */
function follows(table, before) {
  if (table === before) return table;
  const { hand, places, offer, seats } = table;
  const { last, drawn, button_here: here } = places;
  // Once the hand in progress is over, who was dealt in is in the blinds.
  const ahead = hand?.held ? handsAhead({ seats: playedOut(table, hand), offer }, { last: hand.held, button_here: null, drawn }) : handsAhead(table, places);
  return {
    ...table,
    seats: withChoices(seats),
    ahead,
    is_first: last === null,
    is_draw_due: last === null && drawn === null && hand === null,
    won_button: offer.button === "to_the_winner" ? (here ?? last?.won ?? drawn ?? seats.length) : null,
    betting_button: offer.button === "two_buttons" ? (last?.betting ?? drawn ?? ahead[0]?.button ?? null) : null,
  };
}

/** Whether a game is offered at the table. @param {Table} table @returns {table is OpenTable} */
export const isOpen = (table) => table.offer !== null && table.places !== null;

/** Whether the floor has ended the game, and its last hand is played (H2.22). What is dealt all the same is a fact. @param {Table} table */
export const isPlayedOut = ({ hand, hand_number: number, last_hand_number: final }) => !hand && (final ?? Infinity) <= number;

/** The ways into the blinds of a player who is not in them, the free one first (H4.30-H4.43). @param {OpenTable} table @param {Seat} seat */
export const waysOf = (table, seat) => (seat.entry === "in" ? [] : table.offer.ways[missedBy(table, seat)]);

/** The missed blind markers of a player: what was laid down with the hand in progress lies there already. @param {Table} table @param {Seat} seat */
export const missedBy = ({ hand }, { number, missed }) => hand?.start.laid_down.find((each) => each.seat === number)?.missed ?? missed;

/** @param {Table} table @param {string} id */
const isOver = (table, id) => table.last?.hand_id === id || table.gone?.includes(id);

/** Begin the hand of a tap, unless it is being played; one that never was settled is not logged. @param {OpenTable} table @param {PositionsBody} body @returns {OpenTable & { hand: Hand }} */
function begun(table, body) {
  const { hand: inProgress } = table;
  if (inProgress?.hand_id === body.hand_id) return { ...table, hand: /** @type {Hand} */ (inProgress) };
  if (inProgress) return begun(ended({ ...table, hand: inProgress }, { status: "not_logged", ...UNKNOWN, logged: loggedNothing(inProgress) }), body);
  const [next] = table.ahead;
  const { button, small_blind, big_blind, dealt_in } = body;
  const start = button ? { button, small_blind, big_blind, dealt_in, posts: next?.posts ?? [], laid_down: [] } : next;
  const { seats, places, last } = table;
  const sits = new Map([...seatings(seats)].filter(([number]) => start.dealt_in.includes(number)));
  const at = { button: start.button, small: start.small_blind, big: start.big_blind };
  const laidDown = markers(table, places.last, at).filter(({ seat }) => !sits.has(seat));
  /** @type {Hand} */
  const hand = {
    hand_id: body.hand_id,
    opening_id: body.opening_id,
    number: table.hand_number + 1,
    is_beyond: false,
    start: { ...start, laid_down: laidDown },
    dealt_at: body.dealt_at ?? null,
    beyond_at: null,
    held: at.button && at.big ? heldOn(start, sits) : null,
    names: Object.fromEntries(seats.filter(({ number }) => sits.has(number)).map(({ number, name }) => [number, name])),
    seatings: [...sits.values()],
    before: null,
    gives_back: [],
  };
  if (hand.held) hand.before = beforeOf(table, hand);
  // What was logged before it is not taken back any more.
  return { ...table, hand, hand_number: hand.number, last: last && { ...last, can_undo: false } };
}

/** What an undo of a hand gives back. @param {OpenTable} table @param {Hand} hand @returns {Before} */
function beforeOf(table, hand) {
  const { seats, places } = table;
  const played = playedOut(table, hand);
  const changed = seats.filter((seat, index) => seat.entry !== played[index].entry || seat.missed !== played[index].missed);
  /** @type {Before["entries"]} */
  const entries = changed.map(({ seating, entry, missed }) => ({ seating: /** @type {number} */ (seating), entry, missed }));
  for (const { holder } of seats) if (holder) entries.push({ seating: holder.seating, entry: holder.entry, missed: holder.markers, paid: holder.paid });
  return { last: places.last, button_here: places.button_here, entries };
}

/** The seats once a hand is over: who was dealt in is in the blinds, who missed one waits (H4.30, H4.31, H4.36). @param {OpenTable} table @param {Hand} hand */
function playedOut({ seats, places, offer }, hand) {
  const dealt = seats.filter(({ seating }) => seating !== null && hand.seatings.includes(seating)).map((seat) => seat.number);
  // Who waited when it was dealt and is there again has chosen a way since, and keeps it.
  const waited = new Set(hand.before?.entries.filter(({ entry }) => entry === "waits").map(({ seating }) => seating));
  const over = after(holdersAfter(seats, hand, places.last, offer.button !== "to_the_winner"), { dealt_in: dealt, laid_down: hand.start.laid_down });
  return over.map((seat, index) => (seat.entry === "waits" && !seat.is_held && waited.has(seat.seating ?? 0) ? { ...seat, entry: seats[index].entry } : seat));
}

/** End the hand in progress: button and blinds move on, where anybody told them.
 * @param {OpenTable & { hand: Hand }} table @param {Outcome} last @param {number[]} [winners] of the main pot @returns {OpenTable}
 */
function ended(table, last, winners) {
  const { hand, places } = table;
  const { held, start, before, hand_id, number, dealt_at } = hand;
  const earlier = table.last && { ...table.last, can_undo: false, before: null, earlier: null };
  /** @type {LastHand} */
  const over = { ...last, hand_id, number, dealt_at, start, before, earlier };
  const moved = held && before && { last: wonBy(held, winners, places.last?.betting ?? places.drawn), button_here: null, drawn: places.drawn };
  const now = {
    ...table,
    hand: null,
    seats: moved ? playedOut(table, hand) : table.seats,
    places: moved ?? places,
    undone: null,
    last: over,
  };
  return promised(now, hand);
}

/** Give the seats back that were promised during a hand that is over. @param {OpenTable} table @param {Hand} hand */
function promised(table, { gives_back: seatings }) {
  return seatings.reduce((now, [holder, over]) => {
    const seat = now.seats.find((each) => each.seating === over && each.holder?.seating === holder);
    return seat ? givenBack(now, seat) : now;
  }, table);
}

/** @param {Held} held @param {number[] | undefined} winners @param {number | null} betting @returns {Held} */
const wonBy = (held, winners, betting) => ({ ...held, won: wonButton(winners, held.button), betting: wonButton(winners, betting ?? held.button) });

const UNKNOWN = { pot: null, is_at_least: false, winners: [], can_undo: true };

/** What is known of a hand that nobody logged. @param {Hand} hand @returns {Logged} */
const loggedNothing = (hand) => ({ pots: [], is_at_least: false, is_without_flop: !hand.is_beyond, taken: [] });

/** What each kind of tap does; of what changes nothing here, nothing. @type {{ [Kind in TapKind]?: (table: OpenTable, tap: TapOf<Kind>) => OpenTable }} */
const DO = {
  deal: (table, { body }) => (isOver(table, body.hand_id) ? table : begun(table, body)),

  flop(table, { body, at }) {
    const { hand } = table;
    if (!hand || hand.hand_id !== body.hand_id || hand.is_beyond) return table;
    return { ...table, hand: { ...hand, is_beyond: true, beyond_at: at } };
  },

  settle(table, { body, isMine }) {
    if (isOver(table, body.hand_id)) return table;
    const pot = body.pots.length ? sum(body.pots) : null;
    const now = begun(table, body);
    const winners = [...new Set(body.winners.flat())].sort((a, b) => a - b).map((number) => now.hand.names[number] ?? String(number));
    /** @type {Logged} */
    const logged = {
      pots: body.pots,
      is_at_least: body.pot_is_at_least,
      is_without_flop: body.is_without_flop || (pot === null && !now.hand.is_beyond),
      taken: table.offer.charges.flatMap(({ kind }) => (body[`${kind}_taken_cents`] ? [[kind, body[`${kind}_taken_cents`]]] : [])),
    };
    const last = { status: "settled", pot, is_at_least: body.pot_is_at_least, winners, logged, can_undo: true, is_mine: isMine };
    return ended(now, last, body.winners[0]);
  },

  skip(table, { body, isMine }) {
    if (isOver(table, body.hand_id)) return table;
    const now = begun(table, body);
    return ended(now, { status: "not_logged", ...UNKNOWN, logged: loggedNothing(now.hand), is_mine: isMine });
  },

  // Dealt again with the same button, blinds and newcomers (H3.19, H3.25).
  void(table, { body }) {
    const { hand } = table;
    if (!hand || hand.hand_id !== body.hand_id) return table;
    const gone = [...(table.gone ?? []), hand.hand_id];
    // The holder is there again, whatever becomes of the hand.
    return promised({ ...table, hand: null, hand_number: hand.number - 1, gone }, hand);
  },

  undo(table, { body }) {
    const { last, places } = table;
    if (table.hand || !last?.can_undo || !last.before || last.hand_id !== body.hand_id) return table;
    const { before, logged, earlier = null } = last;
    const gone = [...(table.gone ?? []), last.hand_id];
    const back = new Map(before.entries.map((each) => [each.seating, each]));
    const seats = table.seats.map((seat) => {
      const { entry, missed } = back.get(seat.seating ?? 0) ?? seat;
      const { holder } = seat;
      const kept = holder && back.get(holder.seating);
      const was = kept ? { ...holder, entry: kept.entry, markers: kept.missed ?? holder.markers, paid: kept.paid === undefined ? holder.paid : kept.paid } : holder;
      return { ...seat, entry, missed: missed ?? seat.missed, holder: was };
    });
    // What it took lies in the boxes, whatever the log says: the next log of this hand begins with it.
    const undone = logged ? { hand_id: last.hand_id, number: last.number, logged, dealt_at: last.dealt_at } : null;
    const next = { last: before.last, button_here: before.button_here, drawn: places.drawn };
    return { ...table, seats, places: next, undone, last: earlier, hand_number: last.number - 1, gone };
  },

  // The period is paid: the next one begins its minutes later (H7.18).
  time(table, { body }) {
    const { time } = table;
    if (!time || time.number !== body.period || time.opening_id !== body.opening_id) return table;
    const begins = time.begins_at && new Date(Date.parse(time.begins_at) + time.minutes * 60_000).toISOString();
    return { ...table, time: { ...time, number: time.number + 1, begins_at: begins } };
  },

  // A draw that comes after the first hand changes nothing.
  draw(table, { body }) {
    const { places, hand } = table;
    return places.last || hand ? table : { ...table, places: { ...places, drawn: body.winner_seat } };
  },

  button: (table, { body }) => ({ ...table, places: { ...table.places, button_here: body.seat_number } }),

  hold(table, tap) {
    const { body, seating, at } = tap;
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat) return holds(table, tap);
    const held = seat.is_held === body.is_held ? table : withSeat(table, seat, { is_held: body.is_held, away: "", until: "", late: "", away_at: body.is_held ? at : null });
    return body.entry ? chosen(held, seating, body.entry) : held;
  },

  leave(table, { seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat) return table;
    // Who played over has left the seat to its holder.
    if (seat.holder) return withSeat(table, seat, heldAlone(seat, seat.holder));
    const free = {
      seating: null, version: null, name: "", entry: "", missed: 0, straddles: false, is_held: false, away: "", until: "", late: "",
      holder: null, has_chips: false, sees_floor: false,
    };
    const { hand } = table;
    // A marker that was laid down with the hand goes with its player.
    const laidDown = hand?.start.laid_down.filter((each) => each.seat !== seat.number) ?? [];
    const left = hand && { ...hand, start: { ...hand.start, laid_down: laidDown } };
    return withSeat({ ...table, hand: left }, seat, /** @type {Partial<Seat>} */ (free));
  },

  entry: (table, { body, seating }) => chosen(table, seating, body.entry),

  straddle(table, { body, seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    return seat ? withSeat(table, seat, { straddles: body.straddles }) : table;
  },
};

/** A player who is not in the blinds has chosen a way in. @param {OpenTable} table @param {number | null} seating @param {WayIn["entry"]} entry */
function chosen(table, seating, entry) {
  const seat = table.seats.find((each) => each.seating === seating);
  return !seat || seat.entry === "in" ? table : withSeat(table, seat, { entry });
}

/** The holder of a seat in which somebody plays over goes, or is back: at once between two hands, else when it is over (H1.1, A40). @param {OpenTable} table @param {TapOf<"hold">} tap @returns {OpenTable} */
function holds(table, { body, seating, at }) {
  const seat = table.seats.find((each) => each.holder?.seating === seating);
  if (!seat?.holder) return table;
  const { entry, is_held: isHeld } = seat.holder;
  // Who is back already may still choose another way in.
  const way = body.entry && entry !== "in" ? body.entry : entry;
  const absence = isHeld === body.is_held ? {} : { is_held: body.is_held, away: "", until: "", late: "", away_at: body.is_held ? at : null };
  const now = withSeat(table, seat, { holder: { ...seat.holder, entry: way, ...absence } });
  const { hand } = now;
  if (body.is_held || !isHeld) return now;
  if (!hand?.before) return givenBack(now, /** @type {Seat} */ (now.seats.find((each) => each.seating === seat.seating)));
  return { ...now, hand: { ...hand, gives_back: [...hand.gives_back, [seat.holder.seating, seat.seating ?? 0]] } };
}

/** @param {OpenTable} table @param {Seat} seat @param {Partial<Seat>} changes @returns {OpenTable} */
function withSeat(table, seat, changes) {
  return { ...table, seats: table.seats.map((each) => (each === seat ? { ...each, ...changes } : each)) };
}
