// Where each tap is sent, and what is asked for: below the table's own calls, "{seating}" being whose seat it is about.

/** @import { RequestKind, TapKind } from "./tapped.d.ts" */

/** @type {Record<Exclude<TapKind, "table-act">, string>} */
export const TAPS = {
  deal: "hands/deal",
  flop: "hands/flop",
  settle: "hands/settle",
  skip: "hands/skip",
  void: "hands/void",
  undo: "hands/undo",
  draw: "draw",
  button: "button",
  tips: "tips",
  "tips-close": "tips/close",
  time: "time",
  deck: "deck",
  rack: "rack",
  "floor-call": "floor-call",
  aside: "pots",
  "clock-end": "clock/end",
  clock: "seatings/{seating}/clock",
  hold: "seatings/{seating}/hold",
  entry: "seatings/{seating}/entry",
  straddle: "seatings/{seating}/straddle",
  leave: "seatings/{seating}/leave",
};

/** @type {Record<Exclude<RequestKind, "chips-came">, string>} */
export const REQUESTS = {
  "buy-in": "seatings/{seating}/buy-in",
  sell: "seatings/{seating}/sell",
  "long-break": "seatings/{seating}/long-break",
  "ask-seat": "seatings/{seating}/ask-seat",
};

/** Return the address of a call of this table. @param {string} api - of the table @param {string} path @param {number | null} [seating] */
export const addressOf = (api, path, seating) => `${api}/${path.replace("{seating}", String(seating))}`;
