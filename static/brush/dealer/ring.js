// The seats round the table, drawn as tables/views/dealer.py draws them, with what the taps since have changed.

import { el, money, t } from "./words.js";

/** The hand that the ring shows: the one in progress, else the next. */
export const askedOf = (table) => table.hand?.asked ?? table.ahead[0] ?? null;

function stateOf(seat, asked) {
  if (seat.seating === null) return "free";
  if (seat.is_held || !seat.has_chips) return "away";
  return asked?.[3].includes(seat.number) ? "in" : "out";
}

function marksOf(number, asked, table) {
  if (!asked || table.is_draw_due) return [];
  return ["btn", "sb", "bb"].filter((_, index) => asked[index] === number);
}

function noteOf(seat, asked, table) {
  if (seat.seating === null) return t("free");
  if (seat.is_held) return t("held");
  if (!seat.has_chips) return t("no_chips");
  const post = asked?.[4].find(([number]) => number === seat.number);
  if (post) return t("posts", { amount: money(post[1] + post[2]) });
  if (!asked || asked[3].includes(seat.number)) return "";
  if (seat.entry === "posts" && table.offer) return t("posts", { amount: money(table.offer.big_blind) });
  return seat.entry === "waits" ? t("waits") : t("out");
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
    const pick = picks(seat.number);
    if (pick) item.dataset.pick = pick;
    else delete item.dataset.pick;
    item.querySelector("button")?.setAttribute("aria-pressed", String(pick === "chosen"));
    put(item, ".seat-name", seat.name);
    put(item, ".seat-note", noteOf(seat, asked, table));
    const marks = marksOf(seat.number, asked, table);
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
