// Sheets from the bottom: one player's few acts, and the menu of what is rare.

import { money } from "../money.js";
import { t } from "../words.js";
import { el } from "./el.js";
import { isOpen, waysOf } from "./fold.js";
import { isFurther } from "./placed.js";
import { startOf } from "./ring.js";

/** @import { Now } from "./drawn.d.ts" */
/** @import { Holder, OpenTable, Seat, Table, WayIn } from "./table.d.ts" */
/** @import { Leaf } from "./el.js" */
/** What of the state a sheet is drawn from. @typedef {Pick<Now, "table" | "page">} State */

export const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));

/** What the open sheet is about, so that it can follow the table. @type {((now: State) => void) | null} */
let shown = null;

/** Draw the open sheet anew: the seat it is about may have changed under the dealer's eyes. @param {State} now */
export function redrawSheet(now) {
  if (sheet.open) shown?.(now);
}

/** @param {string} title @param {Leaf[]} acts @param {Parameters<typeof el>[1]} [more] */
function show(title, acts, more = {}) {
  const close = el("button.button.quiet", { type: "button", "data-closes": true }, t("close"));
  sheet.replaceChildren(el("div.sheet-body", more, el("header", {}, el("h2.name.grow", {}, title), close), el("div.acts", {}, acts)));
  if (!sheet.open) sheet.showModal();
}

/**
 * Open a sheet that another module draws: `drawn(now)` returns [title, acts], or null when it is over.
 * @param {(now: State) => [string, Leaf[]] | null} drawn @param {State} now
 */
export function openDrawn(drawn, now) {
  shown = (then) => openDrawn(drawn, then);
  const made = drawn(now);
  if (made) show(...made);
  else sheet.close();
}

/** @param {string} does @param {string} label @param {Parameters<typeof el>[1]} more */
export const act = (does, label, hint = "", look = "", more = {}) =>
  el(`button.button${look}`, { type: "button", "data-do": does, ...more }, el("span", {}, label), hint && el("small", {}, hint));

/** The acts for one seat, the likeliest first. @param {Table} table @param {Seat} seat */
export function openSeat(table, seat) {
  shown = (now) => openSeat(now.table, now.table.seats[seat.number - 1] ?? seat);
  const title = seat.seating ? `${seat.number} · ${seat.name}` : `${t("seat", { number: seat.number })} · ${t("free")}`;
  show(title, seat.seating && isOpen(table) ? acts(table, seat) : [el("p.quiet-text", {}, t("free_why")), act("button-here", t("button_here"))], { "data-seat": seat.number });
}

/** @param {OpenTable} table @param {Seat} seat */
function acts(table, seat) {
  const leaves = [act("leave-counted", t("leave"), t("leave_counted")), act("leave-uncounted", t("leave"), t("leave_uncounted"))];
  // Who is to see the floor plays, buys and holds nothing any more.
  if (seat.sees_floor) return [el("p.quiet-text", {}, t("see_floor")), ...leaves];
  const made = [];
  if (seat.holder) made.push(...waysOfHolder(table, seat.holder));
  if (seat.is_held) made.push(...waysBack(table, seat));
  if (!seat.has_chips) made.push(act("buy-in", t("buy_in"), "", seat.is_held ? "" : ".primary"));
  if (!seat.is_held) made.push(...otherWays(table, seat));
  if (seat.has_chips) made.push(act("buy-in", t("buy_in")));
  if (!seat.is_held) made.push(act("hold", t("hold"), t("hold_why")));
  if (!seat.is_held && table.has_long_break) made.push(act("long-break", t("long_break"), t("long_break_why")));
  if (seat.straddles) made.push(act("straddle-off", t("straddle_off")));
  else if (table.offer.has_straddles && !seat.is_held) made.push(act("straddle-on", t("straddle_on"), t("straddle_on_why")));
  if (!seat.holder) made.push(act("another-seat", t("another_seat"), seat.wants_seat_change ? t("seat_change_wanted") : ""));
  if (made.filter((button) => !button.matches(".primary")).length % 2) made.push(act("button-here", t("button_here")));
  if (table.hand) made.push(act("clock", t("clock"), t("clock_why")));
  made.push(...leaves);
  if (!made.some((button) => button.dataset.do === "button-here")) made.push(act("button-here", t("button_here")));
  return made;
}

/** Write what is put in front, live, and what goes straight into the pot, dead (H4.40). @param {WayIn} way */
function cost({ live, dead }) {
  return dead ? t("live_and_dead", { live: money(live), dead: money(dead) }) : money(live);
}

/** With which hand who posts now is dealt in: as the house says, never before it and not without chips (H1.60, A41). @param {Table} table @param {Seat} seat */
function joins(table, seat) {
  if (!seat.has_chips) return t("join_chips");
  return seat.joins_hand !== null && seat.joins_hand > table.hand_number ? t("join_hand", { number: seat.joins_hand }) : t("join_later");
}

/** Back at the table: who missed nothing is dealt in; who did, chooses, and sees what it costs (H4.39-H4.43). @param {OpenTable} table @param {Seat} seat */
function waysBack(table, seat) {
  const ways = waysOf(table, seat);
  if (!ways.length) return [act("back", t("back"), "", ".primary")];
  return likeliestFirst(ways).map((way) => {
    const { entry } = way;
    const why = { waits: t("wait_why"), posts: joins(table, seat), straddles: t("straddle_in_why") }[entry];
    const look = entry === "posts" ? ".primary" : "";
    return act("back", t(`back_${entry}`, { amount: cost(way) }), why, look, { "data-entry": entry });
  });
}

/** @param {WayIn[]} ways */
const likeliestFirst = (ways) => [...ways].sort((a, b) => Number(b.entry === "posts") - Number(a.entry === "posts"));

/** The holder of a seat in which somebody plays over is back, for what was missed (H4.50). @param {OpenTable} table @param {Holder} holder */
function waysOfHolder(table, { name, missed }) {
  if (missed === null) return [act("holder-back", t("holder_back", { name }), t("holder_back_why"))];
  return likeliestFirst(table.offer.ways[missed]).map((way) =>
    act("holder-back", t(`holder_back_${way.entry}`, { name, amount: cost(way) }), t("holder_back_why"), "", { "data-entry": way.entry }));
}

/** A player who is not in the blinds posts, waits or straddles: all but what holds now (H4.30, H4.31, H4.34). @param {OpenTable} table @param {Seat} seat */
function otherWays(table, seat) {
  if (startOf(table)?.big_blind === seat.number) return [];
  /** @type {Record<WayIn["entry"], (amount: string) => HTMLElement>} */
  const words = {
    waits: () => act("wait", t("wait"), t("wait_why"), ".primary"),
    posts: (amount) => act("post", t("post_now", { amount }), joins(table, seat), seat.has_chips ? ".primary" : ""),
    straddles: (amount) => act("straddle-in", t("straddle_in", { amount }), t("straddle_in_why")),
  };
  return waysOf(table, seat).filter(({ entry }) => entry !== seat.entry).map((way) => words[way.entry](cost(way)));
}

/** The wish for another seat, with what each would cost (H4.46, H4.47): the change itself is the floor's (H2.13, H4.45). @param {Table} table @param {Seat} seat */
export function openSeats(table, seat) {
  shown = (now) => openSeats(now.table, now.table.seats[seat.number - 1] ?? seat);
  const free = table.seats.filter((each) => !each.seating && !each.called);
  const bigBlind = money(table.offer?.big_blind ?? 0);
  const why = (/** @type {Seat} */ each) => (isFurther(table, seat.number, each.number) ? t("seat_further", { amount: bigBlind }) : t("seat_closer"));
  const wishes = free.map((each) => act("wish", t("seat", { number: each.number }), why(each), "", { "data-to": String(each.number) }));
  const any = act("wish", t("any_seat"), t("wish_why"), wishes.length ? "" : ".primary");
  const off = seat.wants_seat_change ? [act("wish-off", t("wish_off"))] : [];
  show(`${seat.number} · ${seat.name} · ${t("wish")}`, [...wishes, any, ...off], { "data-seat": seat.number });
}

/** What other apps let a dealer do about the hand in progress, else about the newest one. @param {Table} table */
function actsOf({ offer, hand, last, is_held: isHeld }) {
  const about = hand ?? (last?.status === "settled" ? last : null);
  if (!about || isHeld) return [];
  return (offer?.acts ?? []).map((code) => act("table-act", t(`act_${code}`), t(`act_${code}_why`, { number: about.number }), "", { "data-act": code, "data-hand": about.hand_id, "data-number": String(about.number) }));
}

/** The newest pot can be set aside while it is known how many chips it was; else the floor types it. @param {Table} table */
export function canSetAside({ hand, last }) {
  return !hand && last?.status === "settled" && last.pot !== null && !last.is_at_least;
}

/** What is rare, or destructive: it asks in words. @param {State} now */
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
  made.push(...actsOf(table));
  if (startOf(table) && (table.hand || !table.is_held)) made.push(act("skip", t("skip"), t("skip_why")));
  if (table.last && canSetAside(table)) made.push(act("aside", t("aside"), t("aside_why", { number: table.last.number })));
  if ("mayCountTips" in page) made.push(act("tips", t("tips")));
  // At a desktop nobody takes over by PIN: whoever deals there is signed in by password.
  if (page.pushUrl) made.push(el("a.button", { href: page.pushUrl }, el("span", {}, t("push_dealer")), el("small", {}, t("push_dealer_why"))), el("a.button", { href: page.downs }, el("span", {}, t("my_downs")), el("small", {}, t("my_downs_why"))));
  show(t("menu"), made);
}
