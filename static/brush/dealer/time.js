// A time charge falls due (H1.91, H7.18): what the panel says of it. The sheet that takes it: time_sheet.js.

import { serverNow, timeOfDay } from "../clock.js";
import { money } from "../money.js";
import { t } from "../words.js";
import { el } from "./el.js";
import { sum } from "./pots.js";

/** @import { Table } from "./table.d.ts" */

/** How often the tablet looks whether a period has begun. */
const LOOK_MS = 5000;

/** @param {Table} table */
const isDue = ({ time }) => Boolean(time?.begins_at && Date.parse(time.begins_at) <= serverNow());

/** What the panel says of it: nothing, when the next one is due, or a button to take it. @param {Table} table */
export function timeLine(table) {
  if (!table.time?.begins_at) return null;
  const time = timeOfDay(table.time.begins_at);
  if (!isDue(table)) return el("p.counted.quiet-text", {}, t("time_next", { time }));
  const amount = money(sum(table.time.shares.map(({ cents }) => cents)));
  return el("button.button.wide.time-due", { type: "button", "data-do": "time" }, el("span", {}, t("time_due", { amount })), el("small", {}, t("time_since", { time })));
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
