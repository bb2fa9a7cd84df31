// The four hot buttons and the menu: one of them bright, the likeliest next.

import { money } from "../money.js";
import { t } from "../words.js";
import { el } from "./el.js";
import { isPlayedOut } from "./fold.js";

/** @import { Now } from "./drawn.d.ts" */
/** @typedef {{does?: string, label?: string, hint?: string, isBright?: boolean, isOff?: boolean, isTicked?: boolean}} Hot */

const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));

/** @param {Now} now */
export function drawBar(now) {
  const buttons = now.isSignedIn && now.table.offer ? hot(now) : [];
  bar.replaceChildren(
    ...["first", "flop", "pot", "split"].map((place, index) => button(place, buttons[index])),
    el("button.button.hot.more", { type: "button", "data-do": "menu", disabled: !buttons.length, "aria-label": t("menu") }, "⋯"),
  );
}

/** @param {string} place @param {Hot} [hot] */
function button(place, { does, label, hint, isBright, isOff, isTicked } = { isOff: true }) {
  const properties = { type: "button", "data-do": does, disabled: isOff, "data-place": place };
  const look = `button.button.hot${isBright ? ".primary" : ""}${isTicked ? ".ticked" : ""}`;
  return el(look, properties, el("span.hot-label", {}, label ?? "", isTicked && " ✓"), hint && el("small", {}, hint));
}

/** @param {Now} now @returns {Hot[]} */
function hot(now) {
  const canDeal = !now.table.hand && now.table.ahead.length > 0 && !now.table.is_held && !now.table.is_day_over;
  return [first(now, canDeal), flop(now), pot(now, canDeal), split(now)];
}

/** @param {Now} now @param {boolean} canDeal @returns {Hot} */
function first({ table, ui }, canDeal) {
  if (ui.mode) return { does: "cancel", label: t("cancel") };
  if (table.is_draw_due && !table.hand) {
    return { does: "draw", label: t("draw"), hint: t("draw_hint"), isBright: !ui.pad, isOff: !canDeal };
  }
  const hint = table.hand ? "" : t("next_hand", { number: table.hand_number + 1 });
  return { does: "deal", label: t("deal"), hint, isBright: canDeal && !ui.pad && !ui.again && !isPlayedOut(table), isOff: !canDeal, isTicked: Boolean(table.hand) };
}

/** @param {Now} now @returns {Hot} */
function flop({ table: { hand }, ui }) {
  const isNext = Boolean(hand && !hand.is_beyond);
  return { does: "flop", label: t("flop"), isBright: isNext && !ui.pad && !ui.split, isOff: !isNext, isTicked: Boolean(hand?.is_beyond) };
}

/** @param {Now} now @param {boolean} canDeal @returns {Hot} */
function pot({ table, ui, pots }, canDeal) {
  if (ui.pad && pots.length) return { does: "pot", label: t("pot"), hint: ui.pad.isAtLeast ? t("at_least", { amount: money(ui.pad.cents) }) : money(ui.pad.cents) };
  const hint = !table.hand && canDeal ? t("pot_idle") : "";
  const isBright = Boolean(table.hand?.is_beyond) && !ui.pad && !ui.noFlop;
  return { does: "pot", label: t("pot"), hint, isBright, isOff: !table.hand && !canDeal };
}

/** @param {Now} now @returns {Hot} */
function split({ table, ui, pots }) {
  if (ui.split) return { does: "split", label: t("done"), hint: t("split_count", { count: ui.split.size }), isBright: ui.split.size > 1, isOff: ui.split.size === 0 };
  const isTime = ui.pad?.purpose === "pot" ? pots.length > 0 : ui.again || (table.hand && (!table.hand.is_beyond || ui.noFlop));
  return { does: "split", label: t("split"), hint: isTime ? t("split_hint") : "", isOff: !isTime };
}
