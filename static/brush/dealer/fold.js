// What the table is like once the taps that the server's state does not hold yet have been carried out.
//
// `fold(server, taps)` is all of it: the server's last word, then each tap in order. A tap that the server has
// heard of already changes nothing, so a lost answer does no harm. Nothing here knows the screen.
//
//   hand = { hand_id, number, is_beyond, asked, dealt_at, beyond_at }
//   asked = [button, small blind | null, big blind, [seats dealt in], [[seat, live, dead] of newcomers]]
//   tap = { command: "settle", body: {...}, seating: id | null, at: ISO moment, isMine: boolean }

import { clockwise } from "./pots.js";

/** @param {any} server @param {any[]} taps */
export function fold(server, taps) {
  let table = server;
  for (const tap of taps) table = DO[tap.command]?.(table, tap) ?? table;
  return table;
}

const isOver = (table, id) => table.last?.hand_id === id || table.gone?.includes(id);

/** Begin the hand of a tap, unless it is being played; a hand that never was settled is left behind. */
function begun(table, body) {
  if (table.hand?.hand_id === body.hand_id) return table;
  const asked = body.button ? [body.button, body.small_blind, body.big_blind, body.dealt_in, posts(table)] : table.ahead[0];
  const hand = {
    hand_id: body.hand_id,
    number: table.hand_number + 1,
    is_beyond: false,
    asked,
    dealt_at: body.dealt_at ?? null,
    beyond_at: null,
  };
  return { ...table, hand, hand_number: hand.number, ahead: table.ahead.slice(1), is_draw_due: false };
}

const posts = (table) => table.ahead[0]?.[4] ?? [];

/** End the hand in progress: those who were dealt in are in the blinds now (H4.30, H4.31). */
function ended(table, last) {
  const { hand } = table;
  const inHand = new Set(hand.asked[3]);
  const seats = table.seats.map((seat) => (inHand.has(seat.number) ? { ...seat, entry: "in" } : seat));
  const before = table.seats;
  return { ...table, hand: null, seats, last: { ...last, hand_id: hand.hand_id, number: hand.number, asked: hand.asked, before } };
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
    const last = { status: "settled", pot, is_at_least: body.pot_is_at_least, winners, can_undo: true, is_mine: isMine };
    return ended(begun(table, body), last);
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
    return { ...table, seats, last: null, hand_number: last.number - 1, ahead: [last.asked, ...table.ahead], gone };
  },

  draw: (table, { body }) => ({ ...withButton(table, body.winner_seat), is_draw_due: false }),
  button: (table, { body }) => withButton(table, body.seat_number),

  hold(table, { body, seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat || seat.is_held === body.is_held) return table;
    const changed = withSeat(table, seat, { is_held: body.is_held });
    return body.is_held ? without(changed, seat.number) : changed;
  },

  leave(table, { seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat) return table;
    const free = { seating: null, version: null, name: "", entry: "", is_held: false, has_chips: false };
    return without(withSeat(table, seat, free), seat.number);
  },

  entry(table, { body, seating }) {
    const seat = table.seats.find((each) => each.seating === seating);
    if (!seat || seat.entry === "in") return table;
    const changed = withSeat(table, seat, { entry: body.wants_to_post ? "posts" : "waits" });
    return body.wants_to_post ? posting(changed, seat.number) : changed;
  },
};

function withSeat(table, seat, changes) {
  return { ...table, seats: table.seats.map((each) => (each === seat ? { ...each, ...changes } : each)) };
}

/** The hands ahead from the first one that has its button there. The server's answer is exact, this is the stopgap. */
function withButton(table, number) {
  const found = table.ahead.findIndex((asked) => asked[0] === number);
  if (found >= 0) return { ...table, ahead: table.ahead.slice(found) };
  const [next, ...rest] = table.ahead;
  if (!next) return table;
  const [small, big] = clockwise(next[3].filter((seat) => seat !== number), number);
  return { ...table, ahead: [[number, small, big ?? next[2], next[3], next[4]], ...rest] };
}

/** The hands ahead without a player; where the big blind was that player's, the turn is the next one's (H4.27). */
function without(table, number) {
  const ahead = [];
  for (const [button, small, big, dealtIn, newcomers] of table.ahead) {
    if (big === number) continue;
    const others = dealtIn.filter((seat) => seat !== number);
    if (others.length < 2) break;
    ahead.push([button, small === number ? null : small, big, others, newcomers.filter((post) => post[0] !== number)]);
  }
  return { ...table, ahead };
}

/** A newcomer posts a new player's blind on the next hand and is dealt in from then on (H4.31). */
function posting(table, number) {
  const ahead = table.ahead.map(([button, small, big, dealtIn, newcomers], index) => {
    if (dealtIn.includes(number)) return [button, small, big, dealtIn, newcomers];
    const post = index || number === big ? [] : [[number, table.offer.big_blind, 0]];
    return [button, small, big, clockwise([...dealtIn, number], button), [...newcomers, ...post]];
  });
  return { ...table, ahead };
}
