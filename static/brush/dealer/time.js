// The time charge: when it falls due, who owes what, and "it lies in the box" (H1.91, H7.18).

import { serverNow, timeOfDay } from "../clock.js";
import { sum } from "./pots.js";
import { act, openDrawn, sheet } from "./sheets.js";
import { el, money, t } from "./words.js";

/** @import { Now } from "./drawn.d.ts" */
/** @import { Period, Table } from "./table.d.ts" */
/** @import { Taps } from "./taps.js" */

/** Seats that did not pay the period that the sheet is about. @type {Set<number>} */
const unpaid = new Set();

/** How often the tablet looks whether a period has begun. */
const LOOK_MS = 5000;

/** @param {Table} table */
const isDue = ({ time }) => Boolean(time?.begins_at && Date.parse(time.begins_at) <= serverNow());

/** @param {Period} time */
const owed = ({ shares }) => sum(shares.filter(({ seat }) => !unpaid.has(seat)).map(({ cents }) => cents));

/** What the panel says of it: nothing, when the next one is due, or a button to take it. @param {Table} table */
export function timeLine(table) {
  if (!table.time?.begins_at) return null;
  const time = timeOfDay(table.time.begins_at);
  if (!isDue(table)) return el("p.counted.quiet-text", {}, t("time_next", { time }));
  const amount = money(sum(table.time.shares.map(({ cents }) => cents)));
  return el("button.button.wide.time-due", { type: "button", "data-do": "time" }, el("span", {}, t("time_due", { amount })), el("small", {}, t("time_since", { time })));
}

/** @param {Pick<Now, "table" | "page">} now */
export function openTime(now) {
  unpaid.clear();
  open(now);
}

/** @param {Pick<Now, "table" | "page">} now */
function open(now) {
  const number = now.table.time?.number;
  openDrawn(({ table }) => (table.time && table.time.number === number ? drawn(table, table.time) : null), now);
}

/** @param {Table} table @param {Period} time @returns {[string, HTMLElement[]]} */
function drawn(table, time) {
  const title = t("time_title", { number: time.number, time: timeOfDay(time.begins_at ?? "") });
  const seats = time.shares.map(({ seat, cents, is_away: isAway }) => {
    const name = `${seat} · ${table.seats[seat - 1]?.name || t("seat", { number: seat })}`;
    if (!cents && isAway) return act("time-seat", name, t("time_away"), "", { disabled: true });
    const says = unpaid.has(seat) ? t("time_unpaid") : `${t("time_paid")} ${money(cents)}`;
    return act("time-seat", name, says, "", { "data-seat": String(seat), "aria-pressed": String(!unpaid.has(seat)) });
  });
  const amount = money(owed(time));
  const label = t(time.kind ? `time_take_${time.kind}` : "time_take", { amount });
  const take = act("time-take", label, "", ".primary.time-take");
  return [title, [el("p.quiet-text.time-why", {}, t("time_why")), ...seats, take]];
}

/** A seat was tapped: it did not pay, or did after all. @param {number} seat @param {Pick<Now, "table" | "page">} now */
export function flipSeat(seat, now) {
  if (!unpaid.delete(seat)) unpaid.add(seat);
  open(now);
}

/** Send what lies in the box; return what the middle says of it. @param {Period} time @param {Taps} taps */
export function takeTime(time, taps) {
  const paid = time.shares.filter(({ seat, cents }) => cents && !unpaid.has(seat)).map(({ seat, cents }) => ({ seat_number: seat, cents }));
  const said = t(time.kind ? `time_taken_${time.kind}` : "time_taken", { number: time.number, amount: money(owed(time)) });
  sheet.close();
  taps.give("time", { opening_id: time.opening_id, period: time.number, paid });
  return said;
}

/** Draw anew when a period begins while nobody taps. @param {() => Table} tableNow @param {() => void} draw */
export function watchTime(tableNow, draw) {
  let was = false;
  setInterval(() => {
    const is = isDue(tableNow());
    if (is !== was) draw();
    was = is;
  }, LOOK_MS);
}
