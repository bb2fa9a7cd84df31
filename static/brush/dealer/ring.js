// The seats round the table, drawn as tables/views/dealer.py draws them, with what the taps since have changed.

import { serverNow, timeOfDay } from "../clock.js";
import { waysOf } from "./fold.js";
import { el, money, t } from "./words.js";

/** The hand that the ring shows: the one in progress, else the next. */
export const askedOf = (table) => table.hand?.asked ?? table.ahead[0] ?? null;

function stateOf(seat, asked) {
  if (seat.seating === null) return "free";
  const isIn = asked?.[3].includes(seat.number);
  if (seat.is_held || !seat.has_chips || (seat.sees_floor && !isIn)) return "away";
  return isIn ? "in" : "out";
}

function marksOf(seat, asked, table) {
  const places = !asked || table.is_draw_due ? [] : ["btn", "sb", "bb"].filter((_, index) => asked[index] === seat.number);
  // What is laid down with the hand in progress lies there already.
  const laidDown = table.hand?.asked[5]?.find(([number]) => number === seat.number);
  if (!table.is_draw_due && table.betting_button === seat.number) places.push("bet");
  return [...places, ...Array(laidDown ? laidDown[1] : seat.missed).fill("missed")];
}

function noteOf(seat, asked, table) {
  if (seat.seating === null) return t("free");
  if (seat.sees_floor) return t("sees_floor");
  const away = seat.away_at ? timeOfDay(seat.away_at) : seat.away;
  if (seat.is_held) return away ? t("away", { time: away }) : t("held");
  if (!seat.has_chips) return t("no_chips");
  const post = asked?.[4].find(([number]) => number === seat.number);
  if (post) return t(post[3] === "straddle" ? "straddles" : "posts", { amount: money(post[1] + post[2]) });
  if (!asked || asked[3].includes(seat.number)) return seat.holder ? t("over_for", { name: seat.holder.name }) : "";
  const way = waysOf(table, seat).find(([entry]) => entry === seat.entry);
  if (way?.[0] === "posts") return t("posts", { amount: money(way[1] + way[2]) });
  return way ? t("waits") : t("out");
}

/** How late an absent player is: "soon" and "over", by the clock or by the buttons that passed (H1.10, R-§4). */
function lateOf(seat, warning) {
  if (!seat.is_held || !seat.until) return seat.is_held ? seat.late : "";
  const left = Date.parse(seat.until) - serverNow();
  return left <= 0 ? "over" : left <= warning * 60_000 ? "soon" : "";
}

/**
 * Draw every seat. `picks` says which may be tapped now, as what: "win", "chosen" or "pick", by seat number.
 * @param {HTMLElement} region @param {any} table @param {(number: number) => string} picks
 */
export function drawRing(region, table, picks) {
  const asked = askedOf(table);
  for (const seat of table.seats) {
    const item = region.querySelector(`[data-seat="${seat.number}"]`);
    if (!(item instanceof HTMLElement)) continue;
    item.dataset.state = stateOf(seat, asked);
    item.dataset.late = lateOf(seat, table.warning_minutes);
    const pick = picks(seat.number);
    if (pick) item.dataset.pick = pick;
    else delete item.dataset.pick;
    item.querySelector("button")?.setAttribute("aria-pressed", String(pick === "chosen"));
    put(item, ".seat-name", seat.name);
    put(item, ".seat-note", noteOf(seat, asked, table));
    const marks = marksOf(seat, asked, table);
    const box = item.querySelector(".seat-marks");
    if (box && [...box.children].map((mark) => mark.className).join() !== marks.map((mark) => `mark ${mark}`).join()) {
      box.replaceChildren(...marks.map((mark) => el(`b.mark.${mark}`, {}, t(mark))));
    }
  }
}

function put(item, where, text) {
  const element = item.querySelector(where);
  if (element && element.textContent !== text) element.textContent = text;
}
