// The seats round the table, drawn as tables/views/dealer.py draws them, with what the taps since have changed.

import { serverNow, timeOfDay } from "../clock.js";
import { money } from "../money.js";
import { t } from "../words.js";
import { el } from "./el.js";
import { isOpen, missedBy, waysOf } from "./fold.js";
import { chargesAt } from "./pots.js";

/** @import { HandStart, OpenTable, Seat, Table } from "./table.d.ts" */

/** What the hand that the ring shows begins with: the one in progress, else the next. @param {Table} table @returns {HandStart | null} */
export const startOf = (table) => table.hand?.start ?? table.ahead[0] ?? null;

/** What the hand in progress pays, the one that is logged again (`again`), or one that is dealt now. @param {Table} table @param {string} [again] */
export function chargesOf({ offer, hand, undone }, again = "") {
  const at = hand ? hand.dealt_at : again && undone?.dealt_at;
  return offer ? chargesAt(offer, at ? Date.parse(at) : serverNow()) : [];
}

/** @param {Seat} seat @param {HandStart | null} start */
function stateOf(seat, start) {
  if (seat.seating === null) return "free";
  const isIn = start?.dealt_in.includes(seat.number);
  if (seat.is_held || !seat.has_chips || (seat.sees_floor && !isIn)) return "away";
  return isIn ? "in" : "out";
}

/** @param {Seat} seat @param {HandStart | null} start @param {Table} table */
function marksOf(seat, start, table) {
  const held = { btn: start?.button, sb: start?.small_blind, bb: start?.big_blind };
  const places = table.is_draw_due ? [] : Object.entries(held).filter(([, number]) => number === seat.number).map(([mark]) => mark);
  if (!table.is_draw_due && table.betting_button === seat.number) places.push("bet");
  return [...places, ...Array(missedBy(table, seat)).fill("missed")];
}

/** @param {Seat} seat @param {HandStart | null} start @param {OpenTable} table */
function noteOf(seat, start, table) {
  if (seat.seating === null) return t("free");
  if (seat.sees_floor) return t("sees_floor");
  const away = seat.away_at ? timeOfDay(seat.away_at) : seat.away;
  if (seat.is_held) return away ? t("away", { time: away }) : t("held");
  if (!seat.has_chips) return t("no_chips");
  const post = start?.posts.find((each) => each.seat === seat.number);
  if (post) return t(post.kind === "straddle" ? "straddles" : "posts", { amount: money(post.live + post.dead) });
  if (!start || start.dealt_in.includes(seat.number)) return seat.holder ? t("over_for", { name: seat.holder.name }) : "";
  const way = waysOf(table, seat).find(({ entry }) => entry === seat.entry);
  if (way?.entry === "posts") return t("posts", { amount: money(way.live + way.dead) });
  return way ? t("waits") : t("out");
}

/** How late an absent player is: "soon" and "over", by the clock or by the buttons that passed (H1.10, R-§4). @param {Seat} seat @param {number} warning */
function lateOf(seat, warning) {
  if (!seat.is_held || !seat.until) return seat.is_held ? seat.late : "";
  const left = Date.parse(seat.until) - serverNow();
  return left <= 0 ? "over" : left <= warning * 60_000 ? "soon" : "";
}

/**
 * Draw every seat. `picks` says which may be tapped now, as what: "win", "chosen" or "pick", by seat number.
 * @param {HTMLElement} region @param {Table} table @param {(number: number) => string} picks
 */
export function drawRing(region, table, picks) {
  const start = startOf(table);
  for (const seat of table.seats) {
    const item = region.querySelector(`[data-seat="${seat.number}"]`);
    if (!(item instanceof HTMLElement)) continue;
    item.dataset.state = stateOf(seat, start);
    item.dataset.late = lateOf(seat, table.warning_minutes);
    const pick = picks(seat.number);
    if (pick) item.dataset.pick = pick;
    else delete item.dataset.pick;
    item.querySelector("button")?.setAttribute("aria-pressed", String(pick === "chosen"));
    put(item, ".seat-name", seat.name);
    if (isOpen(table)) put(item, ".seat-note", noteOf(seat, start, table));
    const marks = marksOf(seat, start, table);
    const box = item.querySelector(".seat-marks");
    if (box && [...box.children].map((mark) => mark.className).join() !== marks.map((mark) => `mark ${mark}`).join()) {
      box.replaceChildren(...marks.map((mark) => el(`b.mark.${mark}`, {}, t(mark))));
    }
  }
}

/** @param {HTMLElement} item @param {string} where @param {string} text */
function put(item, where, text) {
  const element = item.querySelector(where);
  if (element && element.textContent !== text) element.textContent = text;
}
