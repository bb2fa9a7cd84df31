// What the table is like once the taps that the server's state does not hold yet have been carried out.
//
// `fold(server, taps)` is all of it: the server's last word, then each tap in order. A tap that the server has
// heard of already changes nothing, so a lost answer does no harm. Nothing here knows the screen.
//
// The shapes: table.d.ts, and for a tap taps.js.

import { areEnough, placed, playedBefore, wonButton } from "./placed.js";
import { clockwise, sum } from "./pots.js";

/** @import { Hand, OpenTable, Outcome, Post, Said, Seat, Table } from "./table.d.ts" */
/** @import { Tap } from "./taps.js" */

/** @param {Table} server @param {Tap[]} taps @returns {Table} */
export function fold(server, taps) {
  let table = server;
  for (const tap of taps) {
    const does = DO[tap.command];
    // A closed table has nothing that a tap could change.
    if (does && isOpen(table)) table = follows(does(table, tap), table, tap.command);
  }
  return table;
}

/** Where the winner gets the button only one hand can be said, and it follows from who sits there (H4.15). @param {Table} table @param {Table} before @param {string} command */
function follows(table, before, command) {
  const isSaid = table === before || table.hand || command === "undo" || command === "void";
  if (isSaid || !isOpen(table) || table.offer.button !== "to_the_winner") return table;
  const start = placed(table, table.won_button);
  return { ...table, ahead: start ? [start] : [] };
}

/** Whether a game is offered at the table. @param {Table} table @returns {table is OpenTable} */
export const isOpen = (table) => table.offer !== null;

/** The ways into the blinds of a player who is not in them, the free one first (H4.30-H4.43). @param {OpenTable} table @param {Seat} seat */
export const waysOf = (table, seat) => (seat.entry === "in" ? [] : table.offer.ways[seat.missed]);

/** @param {Table} table @param {string} id */
const isOver = (table, id) => table.last?.hand_id === id || table.gone?.includes(id);

/** Begin the hand of a tap, unless it is being played; a hand that never was settled is left behind. @param {OpenTable} table @param {Record<string, any>} body @returns {OpenTable & { hand: Hand }} */
function begun(table, body) {
  const { hand: inProgress } = table;
  if (inProgress?.hand_id === body.hand_id) return { ...table, hand: /** @type {Hand} */ (inProgress) };
  const [next] = table.ahead;
  const { button, small_blind, big_blind, dealt_in } = body;
  const start = button ? { button, small_blind, big_blind, dealt_in, posts: next?.posts ?? [], laid_down: next?.laid_down ?? [] } : next;
  /** @type {Hand} */
  const hand = {
    hand_id: body.hand_id,
    opening_id: body.opening_id,
    number: table.hand_number + 1,
    is_beyond: false,
    start,
    dealt_at: body.dealt_at ?? null,
    beyond_at: null,
  };
  return { ...table, hand, hand_number: hand.number, ahead: table.ahead.slice(1), is_draw_due: false };
}

/** End the hand in progress: who was dealt in is in the blinds now, who missed one waits (H4.30, H4.31, H4.36).
 * @param {OpenTable & { hand: Hand }} table @param {Outcome} last @returns {Table}
 */
function ended(table, last) {
  const { hand } = table;
  const inHand = new Set(hand.start.dealt_in);
  const laidDown = new Map(hand.start.laid_down.map(({ seat, missed }) => [seat, missed]));
  /** @type {Seat[]} */
  const seats = table.seats.map((seat) => {
    if (inHand.has(seat.number)) return { ...seat, entry: "in", missed: 0 };
    const missed = laidDown.get(seat.number);
    return missed ? { ...seat, entry: "waits", missed } : seat;
  });
  const { seats: before, betting_button: betting } = table;
  return {
    ...table,
    hand: null,
    seats,
    is_first: false,
    won_button: wonButton(last.won, hand.start.button),
    betting_button: betting && wonButton(last.won, betting),
    undone: null,
    last: { ...last, hand_id: hand.hand_id, number: hand.number, start: hand.start, before, betting },
  };
}

/** @type {Record<string, (table: OpenTable, tap: Tap) => Table>} */
const DO = {
  deal: (table, { body }) => (isOver(table, body.hand_id) ? table : begun(table, body)),

  flop(table, { body, at }) {
    const { hand } = table;
    if (!hand || hand.hand_id !== body.hand_id || hand.is_beyond) return table;
    return { ...table, hand: { ...hand, is_beyond: true, beyond_at: at } };
  },

  settle(table, { body, isMine }) {
    if (isOver(table, body.hand_id)) return table;
    const name = (/** @type {number} */ number) => table.seats.find((seat) => seat.number === number)?.name || String(number);
    const winners = [...new Set(body.winners.flat())].sort((a, b) => a - b).map(name);
    const pot = body.pots.length ? sum(body.pots) : null;
    const now = begun(table, body);
    /** @type {Said} */
    const said = {
      pots: body.pots,
      is_at_least: body.pot_is_at_least,
      is_without_flop: body.is_without_flop || (pot === null && !now.hand.is_beyond),
      taken: table.offer.charges.map(({ kind }) => [kind, body[`${kind}_taken_cents`] ?? 0]),
    };
    const last = { status: "settled", pot, is_at_least: body.pot_is_at_least, winners, won: body.winners[0], said, can_undo: true, is_mine: isMine };
    return ended(now, last);
  },

  skip(table, { body }) {
    if (isOver(table, body.hand_id)) return table;
    return ended(begun(table, body), { status: "not_logged", pot: null, is_at_least: false, winners: [], can_undo: false });
  },

  // Dealt again with the same button, blinds and newcomers (H3.19, H3.25).
  void(table, { body }) {
    const { hand } = table;
    if (!hand || hand.hand_id !== body.hand_id) return table;
    const gone = [...(table.gone ?? []), hand.hand_id];
    return { ...table, hand: null, hand_number: hand.number - 1, ahead: [hand.start, ...table.ahead], gone };
  },

  undo(table, { body }) {
    const { last } = table;
    if (table.hand || !last?.can_undo || last.hand_id !== body.hand_id) return table;
    const seats = last.before ?? table.seats;
    const gone = [...(table.gone ?? []), last.hand_id];
    const back = { won_button: last.start.button, betting_button: last.betting ?? table.betting_button };
    // What it took lies in the boxes, whatever the log says: the next log of this hand begins with it.
    const undone = last.said ? { hand_id: last.hand_id, number: last.number, said: last.said } : null;
    return { ...table, ...back, seats, undone, last: null, hand_number: last.number - 1, ahead: [last.start, ...table.ahead], gone };
  },

  // The period is paid: the next one begins its minutes later (H7.18).
  time(table, { body }) {
    const { time } = table;
    if (!time || time.number !== body.period || time.opening_id !== body.opening_id) return table;
    const begins = time.begins_at && new Date(Date.parse(time.begins_at) + time.minutes * 60_000).toISOString();
    return { ...table, time: { ...time, number: time.number + 1, begins_at: begins } };
  },

  draw: (table, { body }) => ({ ...withButton(table, body.winner_seat), is_draw_due: false }),
  button: (table, { body }) => withButton(table, body.seat_number),

  hold(table, tap) {
    const { body, seating, at } = tap;
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat || seat.is_held === body.is_held) return table;
    const held = withSeat(table, seat, { is_held: body.is_held, away: "", until: "", late: "", away_at: body.is_held ? at : null });
    if (body.is_held) return without(held, seat.number, { isHeld: seat.entry === "in" || seat.missed > 0 });
    return body.entry ? DO.entry(held, tap) : held;
  },

  leave(table, { seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat) return table;
    const free = {
      seating: null, version: null, name: "", entry: "", missed: 0, straddles: false, is_held: false, away: "", until: "", late: "",
      holder: null, has_chips: false, sees_floor: false,
    };
    return without(withSeat(table, seat, /** @type {Partial<Seat>} */ (free)), seat.number);
  },

  entry(table, { body, seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat || seat.entry === "in") return table;
    const changed = withSeat(table, seat, { entry: body.entry });
    const { live = 0, dead = 0 } = waysOf(table, seat).find(({ entry }) => entry === body.entry) ?? {};
    const kind = seat.missed ? "missed" : "new_player";
    return body.entry === "posts" && live ? posting(changed, { seat: seat.number, live, dead, kind }) : changed;
  },

  straddle(table, { body, seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    return seat ? withSeat(table, seat, { straddles: body.straddles }) : table;
  },
};

/** @param {OpenTable} table @param {Seat} seat @param {Partial<Seat>} changes @returns {OpenTable} */
function withSeat(table, seat, changes) {
  return { ...table, seats: table.seats.map((each) => (each === seat ? { ...each, ...changes } : each)) };
}

/** The hands ahead from the first one that has its button there. The server's answer is exact, this is the stopgap. @param {OpenTable} before @param {number} number */
function withButton(before, number) {
  const table = { ...before, won_button: number };
  const found = table.ahead.findIndex((start) => start.button === number);
  if (found >= 0) return { ...table, ahead: table.ahead.slice(found) };
  const [next, ...rest] = table.ahead;
  const start = next && placed(table, number);
  return start ? { ...table, ahead: [{ ...start, laid_down: next.laid_down }, ...rest] } : table;
}

/**
 * The hands ahead without a player: the big blind goes past that seat, the small one and the button follow it (H4.27,
 * H4.28, A37). Whose seat is held misses what goes past (H4.36, H4.38).
 * @param {OpenTable} table @param {number} number
 */
function without(table, number, { isHeld = false } = {}) {
  const bigs = table.ahead.map((start) => /** @type {number} */ (start.big_blind)).filter((big) => big !== number);
  const ahead = [];
  let before = playedBefore(table);
  let [button = null, small = null] = [table.ahead[0]?.button, table.ahead[0]?.small_blind];
  let last = (table.hand ?? table.last)?.start.big_blind ?? null;
  for (const [index, big] of bigs.entries()) {
    const { dealt_in, posts, laid_down } = table.ahead[index];
    const left = dealt_in.filter((seat) => seat !== number);
    // Whom the blind reaches a hand early waited for it.
    if (!left.includes(big)) left.push(big);
    if (left.length < 2 || !areEnough(table, before)) break;
    before = left.length;
    if (button === number) button = clockwise(left, number)[left.length - 1];
    const missed = isHeld ? (isBetween(last, number, big) ? 2 : small === number ? 1 : 0) : 0;
    if (small === number) small = null;
    // Of two the one who paid the larger blind has the button and pays the small one (H4.51, H4.52).
    if (left.length === 2) button = small = left[0] === big ? left[1] : left[0];
    ahead.push({
      button,
      small_blind: small,
      big_blind: big,
      dealt_in: clockwise(left, button),
      posts: posts.filter(({ seat }) => seat !== number),
      laid_down: missed ? [...laid_down, { seat: number, missed }] : laid_down,
    });
    [button, small, last] = [small ?? button, big, big];
  }
  return { ...table, ahead };
}

/** Whether a seat is met going clockwise from one to another. @param {number | null} from @param {number} number @param {number} to */
const isBetween = (from, number, to) => from !== null && from !== to && clockwise([number, to], from)[0] === number && number !== from;

/** Who is not in the blinds posts on the next hand and is dealt in from then on (H4.31, H4.40, H4.42). @param {OpenTable} table @param {Post} post */
function posting(table, post) {
  const { seat } = post;
  const ahead = table.ahead.map((start, index) => {
    if (start.dealt_in.includes(seat)) return start;
    const more = index || seat === start.big_blind ? [] : [post];
    return { ...start, dealt_in: clockwise([...start.dealt_in, seat], start.button), posts: [...start.posts, ...more] };
  });
  return { ...table, ahead };
}
