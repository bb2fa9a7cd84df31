// Sheets from the bottom: one player's few acts, and the menu of what is rare.

import { askedOf } from "./ring.js";
import { el, money, t } from "./words.js";

export const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));

/** What the open sheet is about, so that it can follow the table. @type {((now: any) => void) | null} */
let shown = null;

/** Draw the open sheet anew: the seat it is about may have changed under the dealer's eyes. */
export function redrawSheet(now) {
  if (sheet.open) shown?.(now);
}

function show(title, acts, more = {}) {
  const close = el("button.button.quiet", { type: "button", "data-closes": true }, t("close"));
  sheet.replaceChildren(el("div.sheet-body", more, el("header", {}, el("h2.name.grow", {}, title), close), el("div.acts", {}, acts)));
  if (!sheet.open) sheet.showModal();
}

const act = (does, label, hint = "", look = "") =>
  el(`button.button${look}`, { type: "button", "data-do": does }, el("span", {}, label), hint && el("small", {}, hint));

/** The acts for one seat, the likeliest first. */
export function openSeat({ table, seat }) {
  shown = (now) => openSeat({ table: now.table, seat: now.table.seats[seat.number - 1] ?? seat });
  const title = seat.seating ? `${seat.number} · ${seat.name}` : `${t("seat", { number: seat.number })} · ${t("free")}`;
  show(title, seat.seating ? acts(table, seat) : [el("p.quiet-text", {}, t("free_why")), act("button-here", t("button_here"))], { "data-seat": seat.number });
}

function acts(table, seat) {
  const made = [];
  if (seat.is_held) made.push(act("back", t("back"), "", ".primary"));
  if (!seat.has_chips) made.push(act("buy-in", t("buy_in"), "", seat.is_held ? "" : ".primary"));
  if (seat.entry === "waits" || seat.entry === "posts") made.push(...entry(table, seat));
  if (seat.has_chips) made.push(act("buy-in", t("buy_in")));
  if (!seat.is_held) made.push(act("hold", t("hold"), t("hold_why")));
  if (made.filter((button) => !button.matches(".primary")).length % 2) made.push(act("button-here", t("button_here")));
  made.push(act("leave-counted", t("leave"), t("leave_counted")), act("leave-uncounted", t("leave"), t("leave_uncounted")));
  if (!made.some((button) => button.dataset.do === "button-here")) made.push(act("button-here", t("button_here")));
  return made;
}

/** A new player posts or waits (H4.30, H4.31): the other of the two is the likely one. */
function entry(table, seat) {
  const isHand = askedOf(table)?.[2] === seat.number;
  if (isHand) return [];
  const post = act("post", t("post_now", { amount: money(table.offer.big_blind) }), t("post_now_why"), seat.entry === "waits" ? ".primary" : "");
  const wait = act("wait", t("wait"), t("wait_why"), seat.entry === "posts" ? ".primary" : "");
  return seat.entry === "waits" ? [post] : [wait];
}

/** What is rare, or destructive: it asks in words. */
export function openMenu({ table, page }) {
  shown = (now) => openMenu(now);
  const made = [];
  if (table.hand) {
    made.push(act("misdeal", t("misdeal"), t("misdeal_why")), act("void", t("void"), t("void_why")));
    made.push(act("player", t("player"), t("player_why")));
  } else {
    made.push(act("move-button", t("move_button"), t("move_button_why")));
    if (table.is_draw_due && table.ahead.length) made.push(act("no-draw", t("no_draw")));
  }
  if (askedOf(table)) made.push(act("skip", t("skip"), t("skip_why")));
  if ("mayCountTips" in page) made.push(act("tips", t("tips")));
  // At a desktop nobody takes over by PIN: whoever deals there is signed in by password.
  if (page.door) made.push(el("a.button.door", { href: page.door }, el("span", {}, t("push_dealer")), el("small", {}, t("push_dealer_why"))));
  show(t("menu"), made);
}
