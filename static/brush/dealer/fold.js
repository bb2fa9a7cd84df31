// What the table is like once the taps that the server's state does not hold yet have been carried out.
//
// `fold(server, taps)` is all of it: the server's last word, then each tap in order. A tap that the server has
// heard of already changes nothing, so a lost answer does no harm. Nothing here knows the screen.
//
//   hand = { hand_id, opening_id (of a tap that waits), number, is_beyond, asked, dealt_at, beyond_at }
//   asked = [button, small blind | null, big blind, [seats dealt in], [[seat, live, dead, kind] beside the blinds],
//            [[seat, missed blind markers] that are laid down]]
//   undone = { hand_id, number, said: { pots, is_at_least, is_without_flop, taken: [[kind of charge, cents]] } }, of a hand
//            that was taken back and is still to be logged again
//   tap = { command: "settle", body: {...}, seating: id | null, at: ISO moment, isMine: boolean }

import { areEnough, placed, playedBefore, wonButton } from "./placed.js";
import { clockwise } from "./pots.js";

/** @param {any} server @param {any[]} taps */
export function fold(server, taps) {
  let table = server;
  for (const tap of taps) table = follows(DO[tap.command]?.(table, tap) ?? table, table, tap.command);
  return table;
}

/** Where the winner gets the button only one hand can be said, and it follows from who sits there (H4.15). */
function follows(table, before, command) {
  const isSaid = table === before || table.hand || command === "undo" || command === "void";
  if (isSaid || table.offer?.button !== "to_the_winner") return table;
  const asked = placed(table, table.won_button);
  return { ...table, ahead: asked ? [asked] : [] };
}

/** The ways into the blinds of a player who is not in them: [entry, live, dead], the free one first (H4.30-H4.43). */
export const waysOf = (table, seat) => (seat.entry === "in" ? [] : table.offer.ways[seat.missed]);

const isOver = (table, id) => table.last?.hand_id === id || table.gone?.includes(id);

/** Begin the hand of a tap, unless it is being played; a hand that never was settled is left behind. */
function begun(table, body) {
  if (table.hand?.hand_id === body.hand_id) return table;
  const [next] = table.ahead;
  const asked = body.button ? [body.button, body.small_blind, body.big_blind, body.dealt_in, next?.[4] ?? [], next?.[5] ?? []] : next;
  const hand = {
    hand_id: body.hand_id,
    opening_id: body.opening_id,
    number: table.hand_number + 1,
    is_beyond: false,
    asked,
    dealt_at: body.dealt_at ?? null,
    beyond_at: null,
  };
  return { ...table, hand, hand_number: hand.number, ahead: table.ahead.slice(1), is_draw_due: false };
}

/** End the hand in progress: who was dealt in is in the blinds now, who missed one waits (H4.30, H4.31, H4.36). */
function ended(table, last) {
  const { hand } = table;
  const inHand = new Set(hand.asked[3]);
  const laidDown = new Map(hand.asked[5]);
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
    won_button: wonButton(last.won, hand.asked[0]),
    betting_button: betting && wonButton(last.won, betting),
    undone: null,
    last: { ...last, hand_id: hand.hand_id, number: hand.number, asked: hand.asked, before, betting },
  };
}

const DO = {
  deal: (table, { body }) => (isOver(table, body.hand_id) ? table : begun(table, body)),

  flop: (table, { body, at }) =>
    table.hand?.hand_id === body.hand_id && !table.hand.is_beyond
      ? { ...table, hand: { ...table.hand, is_beyond: true, beyond_at: at } }
      : table,

  settle(table, { body, isMine }) {
    if (isOver(table, body.hand_id)) return table;
    const name = (number) => table.seats.find((seat) => seat.number === number)?.name || String(number);
    const winners = [...new Set(body.winners.flat())].sort((a, b) => a - b).map(name);
    const pot = body.pots.length ? body.pots.reduce((sum, each) => sum + each, 0) : null;
    const now = begun(table, body);
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
    if (table.hand?.hand_id !== body.hand_id) return table;
    const { hand } = table;
    const gone = [...(table.gone ?? []), hand.hand_id];
    return { ...table, hand: null, hand_number: hand.number - 1, ahead: [hand.asked, ...table.ahead], gone };
  },

  undo(table, { body }) {
    const { last } = table;
    if (table.hand || !last?.can_undo || last.hand_id !== body.hand_id) return table;
    const seats = last.before ?? table.seats;
    const gone = [...(table.gone ?? []), last.hand_id];
    const back = { won_button: last.asked[0], betting_button: last.betting ?? table.betting_button };
    // What it took lies in the boxes, whatever the log says: the next log of this hand begins with it.
    const undone = { hand_id: last.hand_id, number: last.number, said: last.said };
    return { ...table, ...back, seats, undone, last: null, hand_number: last.number - 1, ahead: [last.asked, ...table.ahead], gone };
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

  hold(table, { body, seating, at }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat || seat.is_held === body.is_held) return table;
    const held = withSeat(table, seat, { is_held: body.is_held, away: "", until: "", late: "", away_at: body.is_held ? at : null });
    if (body.is_held) return without(held, seat.number, { isHeld: seat.entry === "in" || seat.missed > 0 });
    return body.entry ? DO.entry(held, { body, seating }) : held;
  },

  leave(table, { seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat) return table;
    const free = {
      seating: null, version: null, name: "", entry: "", missed: 0, straddles: false, is_held: false, away: "", until: "", late: "",
      holder: null, has_chips: false, sees_floor: false,
    };
    return without(withSeat(table, seat, free), seat.number);
  },

  entry(table, { body, seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat || seat.entry === "in") return table;
    const changed = withSeat(table, seat, { entry: body.entry });
    const [, live, dead] = waysOf(table, seat).find(([entry]) => entry === body.entry) ?? [];
    return body.entry === "posts" && live ? posting(changed, [seat.number, live, dead, seat.missed ? "missed" : "new_player"]) : changed;
  },

  straddle(table, { body, seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    return seat ? withSeat(table, seat, { straddles: body.straddles }) : table;
  },
};

function withSeat(table, seat, changes) {
  return { ...table, seats: table.seats.map((each) => (each === seat ? { ...each, ...changes } : each)) };
}

/** The hands ahead from the first one that has its button there. The server's answer is exact, this is the stopgap. */
function withButton(before, number) {
  const table = { ...before, won_button: number };
  const found = table.ahead.findIndex((asked) => asked[0] === number);
  if (found >= 0) return { ...table, ahead: table.ahead.slice(found) };
  const [next, ...rest] = table.ahead;
  const asked = next && placed(table, number);
  return asked ? { ...table, ahead: [[...asked.slice(0, 5), next[5]], ...rest] } : table;
}

/**
 * The hands ahead without a player: the big blind goes past that seat, the small one and the button follow it (H4.27,
 * H4.28, A37). Whose seat is held misses what goes past (H4.36, H4.38).
 */
function without(table, number, { isHeld = false } = {}) {
  const bigs = table.ahead.map((asked) => asked[2]).filter((big) => big !== number);
  const ahead = [];
  let before = playedBefore(table);
  let [button, small, last] = [table.ahead[0]?.[0], table.ahead[0]?.[1], table.hand?.asked[2] ?? table.last?.asked[2]];
  for (const [index, big] of bigs.entries()) {
    const [, , , dealtIn, others, missed] = table.ahead[index];
    const left = dealtIn.filter((seat) => seat !== number);
    // Whom the blind reaches a hand early waited for it.
    if (!left.includes(big)) left.push(big);
    if (left.length < 2 || !areEnough(table, before)) break;
    before = left.length;
    if (button === number) button = clockwise(left, number).at(-1);
    const misses = isHeld ? (isBetween(last, number, big) ? [[number, 2]] : small === number ? [[number, 1]] : []) : [];
    if (small === number) small = null;
    // Of two the one who paid the larger blind has the button and pays the small one (H4.51, H4.52).
    if (left.length === 2) button = small = left.find((seat) => seat !== big);
    ahead.push([button, small, big, clockwise(left, button), others.filter((post) => post[0] !== number), [...missed, ...misses]]);
    [button, small, last] = [small ?? button, big, big];
  }
  return { ...table, ahead };
}

/** Whether a seat is met going clockwise from one to another. */
const isBetween = (from, number, to) => Boolean(from) && from !== to && clockwise([number, to], from)[0] === number && number !== from;

/** Who is not in the blinds posts on the next hand and is dealt in from then on (H4.31, H4.40, H4.42). */
function posting(table, post) {
  const [number] = post;
  const ahead = table.ahead.map((asked, index) => {
    const [button, small, big, dealtIn, others, missed] = asked;
    if (dealtIn.includes(number)) return asked;
    const more = index || number === big ? [] : [post];
    return [button, small, big, clockwise([...dealtIn, number], button), [...others, ...more], missed];
  });
  return { ...table, ahead };
}
