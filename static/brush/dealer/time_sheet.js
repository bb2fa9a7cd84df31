// The time charge's sheet: who owes what, and "it lies in the box" (H1.91, H7.18). Loaded at tables that take one.

import { timeOfDay } from "../clock.js";
import { money } from "../money.js";
import { t } from "../words.js";
import { el } from "./el.js";
import { sum } from "./pots.js";
import { clear, draw, page, table, taps, ui } from "./screen.js";
import { act, openDrawn, sheet } from "./sheets.js";

/** @import { Period, Table } from "./table.d.ts" */
/** @import { Act } from "./work.js" */

/** Seats that did not pay the period that the sheet is about. @type {Set<number>} */
const unpaid = new Set();

/** @param {Period} time */
const owed = ({ shares }) => sum(shares.filter(({ seat }) => !unpaid.has(seat)).map(({ cents }) => cents));

function open() {
  const number = table.time?.number;
  openDrawn(({ table: now }) => (now.time && now.time.number === number ? drawn(now, now.time) : null), { table, page });
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
  const button = act("time-take", label, "", ".primary.time-take");
  return [title, [el("p.quiet-text.time-why", {}, t("time_why")), ...seats, button]];
}

/** Send what lies in the box; return what the middle says of it. @param {Period} time */
function take(time) {
  const paid = time.shares.filter(({ seat, cents }) => cents && !unpaid.has(seat)).map(({ seat, cents }) => ({ seat_number: seat, cents }));
  const text = t(time.kind ? `time_taken_${time.kind}` : "time_taken", { number: time.number, amount: money(owed(time)) });
  sheet.close();
  taps.give("time", { opening_id: time.opening_id, period: time.number, paid });
  return text;
}

/** @type {Record<string, Act>} */
export const ACTS = {
  time() {
    unpaid.clear();
    open();
  },
  // Who was tapped did not pay, or did after all.
  "time-seat"({ number }) {
    if (!unpaid.delete(number)) unpaid.add(number);
    open();
  },
  "time-take"() {
    if (!table.time) return;
    const text = take(table.time);
    clear();
    ui.answer = { text };
    draw();
  },
};
