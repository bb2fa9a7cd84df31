// The time charge: when it falls due, who owes what, and "it lies in the box" (H1.91, H7.18).

import { serverNow, timeOfDay } from "../clock.js";
import { act, openDrawn, sheet } from "./sheets.js";
import { el, money, t } from "./words.js";

/** Seats that did not pay the period that the sheet is about. @type {Set<number>} */
const unpaid = new Set();

/** How often the tablet looks whether a period has begun. */
const LOOK_MS = 5000;

const isDue = ({ time }) => Boolean(time?.begins_at) && Date.parse(time.begins_at) <= serverNow();

const owed = ({ time }) => time.shares.filter(([seat]) => !unpaid.has(seat)).reduce((total, [, cents]) => total + cents, 0);

/** What the panel says of it: nothing, when the next one is due, or a button to take it. */
export function timeLine(table) {
  if (!table.time?.begins_at) return null;
  const time = timeOfDay(table.time.begins_at);
  if (!isDue(table)) return el("p.counted.quiet-text", {}, t("time_next", { time }));
  const amount = money(table.time.shares.reduce((total, [, cents]) => total + cents, 0));
  return el("button.button.wide.time-due", { type: "button", "data-do": "time" }, el("span", {}, t("time_due", { amount })), el("small", {}, t("time_since", { time })));
}

export function openTime(now) {
  unpaid.clear();
  const { number } = now.table.time;
  openDrawn((then) => (then.table.time?.number === number ? drawn(then.table) : null), now);
}

function drawn(table) {
  const { time } = table;
  const title = t("time_title", { number: time.number, time: timeOfDay(time.begins_at) });
  const seats = time.shares.map(([seat, cents, isAway]) => {
    const name = `${seat} · ${table.seats[seat - 1]?.name || t("seat", { number: seat })}`;
    if (!cents && isAway) return act("time-seat", name, t("time_away"), "", { disabled: true });
    const says = unpaid.has(seat) ? t("time_unpaid") : `${t("time_paid")} ${money(cents)}`;
    return act("time-seat", name, says, "", { "data-seat": String(seat), "aria-pressed": String(!unpaid.has(seat)) });
  });
  const take = act("time-take", t("time_take", { amount: money(owed(table)) }), "", ".primary.time-take");
  return [title, [el("p.quiet-text.time-why", {}, t("time_why")), ...seats, take]];
}

/** A seat was tapped: it did not pay, or did after all. */
export function flipSeat(seat, now) {
  if (!unpaid.delete(seat)) unpaid.add(seat);
  const { number } = now.table.time;
  openDrawn((then) => (then.table.time?.number === number ? drawn(then.table) : null), now);
}

/** Send what lies in the box; return what the middle says of it. */
export function takeTime({ table, taps }) {
  const { time } = table;
  const paid = time.shares.filter(([seat, cents]) => cents && !unpaid.has(seat)).map(([seat_number, cents]) => ({ seat_number, cents }));
  const said = t("time_taken", { number: time.number, amount: money(owed(table)) });
  sheet.close();
  taps.give("time", { opening_id: time.opening_id, period: time.number, paid });
  return said;
}

/** Draw anew when a period begins while nobody taps. @param {() => any} tableNow @param {() => void} draw */
export function watchTime(tableNow, draw) {
  let was = false;
  setInterval(() => {
    const is = isDue(tableNow());
    if (is !== was) draw();
    was = is;
  }, LOOK_MS);
}
