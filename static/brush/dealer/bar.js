// The four hot buttons and the menu: one of them bright, the likeliest next.

import { el, money, t } from "./words.js";

const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));

export function drawBar({ table, ui, isSignedIn, pots }) {
  const buttons = isSignedIn && table.offer ? hot({ table, ui, pots }) : [];
  bar.replaceChildren(
    ...["first", "flop", "pot", "split"].map((place, index) => button(place, buttons[index])),
    el("button.button.hot.more", { type: "button", "data-do": "menu", disabled: !buttons.length, "aria-label": t("menu") }, "⋯"),
  );
}

function button(place, { does, label, hint, isBright, isOff, isTicked } = { isOff: true }) {
  const properties = { type: "button", "data-do": does, disabled: isOff, "data-place": place };
  const look = `button.button.hot${isBright ? ".primary" : ""}${isTicked ? ".ticked" : ""}`;
  return el(look, properties, el("span.hot-label", {}, label ?? "", isTicked && " ✓"), hint && el("small", {}, hint));
}

function hot({ table, ui, pots }) {
  const isPot = ui.pad?.purpose === "pot";
  const canDeal = !table.hand && table.ahead.length > 0;
  return [first({ table, ui, canDeal }), flop(table, ui), pot({ table, ui, canDeal, isPot, pots }), split({ table, ui, isPot, pots })];
}

function first({ table, ui, canDeal }) {
  if (ui.mode) return { does: "cancel", label: t("cancel") };
  if (table.is_draw_due && !table.hand) {
    return { does: "draw", label: t("draw"), hint: t("draw_hint"), isBright: !ui.pad, isOff: !canDeal };
  }
  const hint = table.hand ? "" : t("next_hand", { number: table.hand_number + 1 });
  return { does: "deal", label: t("deal"), hint, isBright: canDeal && !ui.pad && !ui.again, isOff: !canDeal, isTicked: Boolean(table.hand) };
}

function flop({ hand }, ui) {
  const isNext = hand && !hand.is_beyond;
  return { does: "flop", label: t("flop"), isBright: isNext && !ui.pad && !ui.split, isOff: !isNext, isTicked: Boolean(hand?.is_beyond) };
}

function pot({ table, ui, canDeal, isPot, pots }) {
  if (isPot && pots.length) return { does: "pot", label: t("pot"), hint: ui.pad.isAtLeast ? t("at_least", { amount: money(ui.pad.cents) }) : money(ui.pad.cents) };
  const hint = !table.hand && canDeal ? t("pot_idle") : "";
  const isBright = table.hand?.is_beyond && !ui.pad && !ui.noFlop;
  return { does: "pot", label: t("pot"), hint, isBright, isOff: !table.hand && !canDeal };
}

function split({ table, ui, isPot, pots }) {
  if (ui.split) return { does: "split", label: t("done"), hint: t("split_count", { count: ui.split.size }), isBright: ui.split.size > 1, isOff: ui.split.size === 0 };
  const isTime = isPot ? pots.length > 0 : ui.again || (table.hand && (!table.hand.is_beyond || ui.noFlop));
  return { does: "split", label: t("split"), hint: isTime ? t("split_hint") : "", isOff: !isTime };
}
