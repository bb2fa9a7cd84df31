// The right third: what this hand asks and what the last one was, or the keypad over both.

import { drawPad } from "./pad.js";
import { sidePotsMatter } from "./middle.js";
import { isEveryPotTyped, ladderFor, maximumFrom } from "./pots.js";
import { askedOf } from "./ring.js";
import { timeLine } from "./time.js";
import { el, has, money, t } from "./words.js";

const side = /** @type {HTMLElement} */ (document.getElementById("side"));

export function drawSide(now) {
  const where = document.getElementById("where");
  if (where) where.textContent = whereLine(now.table);
  const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
  side.replaceChildren(...(now.ui.pad ? [pad(now)] : [asks(now), last(now)]));
  if (focus) side.querySelector(`[data-key="${focus}"]`)?.focus({ preventScroll: true });
}

function whereLine({ offer, hand, hand_number: number }) {
  if (!offer) return "";
  return hand ? `${offer.name} · ${t("next_hand", { number: hand.number })}` : offer.name;
}

// ---- What the hand asks -----------------------------------------------------------------------------------

function asks({ table }) {
  const asked = askedOf(table);
  if (!table.offer || !asked) return el("section.asks", {}, table.offer && timeLine(table), lastOrbit(table));
  const [, , , dealtIn] = asked;
  return el(
    "section.asks",
    {},
    lastOrbit(table),
    el("h2", {}, table.hand ? t("this_hand") : t("next_asks")),
    table.is_draw_due ? el("p.rows.first", {}, t("draw_first")) : el("ul.rows", {}, postRows(table, asked)),
    el("p.counted", {}, el("b", {}, t("dealt_in", { count: dealtIn.length }))),
    table.offer.charges.map((charge) => chargeLine(charge, dealtIn.length)),
    timeLine(table),
  );
}

/** The floor has announced the last orbit (H2.22): how many hands are still begun after this one. */
function lastOrbit({ hand, hand_number: number, last_hand_number: last }) {
  if (last === null || last === undefined) return null;
  if (number < last) return el("p.chip.soon.last-orbit", {}, t("hands_left", { count: last - number }));
  return el("p.chip.soon.last-orbit", {}, t(hand ? "last_hand" : "last_hand_over"));
}

const POSTS = { new_player: "new_player", missed: "missed_blinds", straddle: "straddle" };

function postRows(table, [, small, big, , others]) {
  const { small_blind: smallBlind, big_blind: bigBlind } = table.offer;
  const rows = [];
  // Without a big blind nobody told where the hand is played: then no small blind is none that was dead.
  if (small !== null) rows.push(row(t("small_blind"), name(table, small), money(smallBlind)));
  else if (big !== null) rows.push(row(t("dead_small"), "", ""));
  if (big !== null) rows.push(row(t("big_blind"), name(table, big), money(bigBlind)));
  for (const [seat, live, dead, kind] of others) {
    rows.push(row(t(POSTS[kind]), name(table, seat), money(live)));
    if (dead) rows.push(row(t("dead_to_pot"), name(table, seat), money(dead)));
  }
  return rows;
}

const name = (table, number) => table.seats[number - 1]?.name || t("seat", { number });

function row(what, who, amount) {
  return el("li", {}, el("span.what", {}, what), el("span.name.grow", {}, who), amount && el("b.num", {}, amount));
}

/** Whether a charge will be due of this hand, where its kind has words for that. */
function chargeLine(charge, count) {
  const [least] = charge.by[0] ?? [];
  const when = charge.by.length ? (ladderFor(charge, count) ? "yes" : "no") : "none";
  const name = `charge_${charge.kind}_${when}`;
  return has(name) && el("p.counted.quiet-text", {}, t(name, { amount: money(charge.each_cents ?? 0), count, least }));
}

// ---- The last hand ----------------------------------------------------------------------------------------

function last({ table, canUndo }) {
  const hand = table.last;
  return el(
    "section.last",
    {},
    el("h2", {}, t("last")),
    hand ? el("div.last-hand", {}, lastLine(hand), canUndo && el("button.button", { type: "button", "data-do": "undo" }, t("undo"))) : el("p.quiet-text", {}, t("no_last")),
  );
}

function lastLine(hand) {
  if (hand.status !== "settled") return el("p.name.grow", {}, t("not_logged", { number: hand.number }));
  const amount = hand.pot === null ? t("no_flop") : hand.is_at_least ? t("at_least", { amount: money(hand.pot) }) : money(hand.pot);
  return el("p.grow.name", {}, el("span.name", {}, `${hand.number} · ${hand.winners.join(", ")}`), el("b.num", {}, amount));
}

// ---- The keypad -------------------------------------------------------------------------------------------

function pad({ table, ui }) {
  const draw = { pot: potPad, "buy-in": buyInPad, stack: stackPad, leave: leavePad, tips: tipsPad }[ui.pad.purpose];
  const parts = draw({ table, ui });
  const note = ui.note && el("div.refusal", { role: "alert" }, el("p.refusal-sentence", {}, ui.note));
  return drawPad(ui.pad, { ...parts, below: [note, ...(parts.below ?? [])] });
}

const act = (does, label, { hint = "", look = "", isOff = false } = {}) =>
  el(`button.button.wide${look}`, { type: "button", "data-do": does, disabled: isOff }, el("span", {}, label), hint && el("small", {}, hint));

function potPad({ table, ui: { pad: typed, noFlop } }) {
  const participants = askedOf(table)[3].length;
  const { charges } = table.offer;
  const from = maximumFrom(charges, participants);
  const acts = [];
  if (!noFlop && (isEveryPotTyped(table.offer) || (!typed.cents && table.hand?.is_beyond))) acts.push(act("no-flop", t("was_no_flop")));
  if (from !== null && typed.typed.length === 1) {
    acts.push(act("maximum", t("maximum"), { hint: t("maximum_from", { amount: money(from) }) }));
  }
  const isSide = typed.typed.length > 1;
  if ((!isSide || typed.text) && sidePotsMatter(charges, participants, typed)) {
    acts.push(isSide ? act("side-pot", t("next_side_pot")) : act("side-pot", t("side_pots"), { hint: t("side_pots_why") }));
  }
  return { acts, below: isSide ? [laid(typed)] : [] };
}

/** The pots as they are typed: the total, then main and side pots, the last one being what is left. */
function laid(typed) {
  if (typed.isTooMuch) return el("p.wrong-text", { role: "alert" }, t("too_much"));
  const parts = typed.typed.slice(1);
  const { pots } = typed;
  const rows = [];
  for (let index = 0; index < Math.max(pots.length, parts.length); index += 1) {
    const isNow = index === parts.length - 1;
    rows.push(el(`li${isNow ? ".now" : ""}`, {}, el("span", {}, index ? t("side_pot", { index }) : t("main_pot")), el("b.num", {}, isNow && !parts[index] ? "…" : money(pots[index] ?? 0))));
  }
  return el("ul.laid", {}, el("li.total", {}, el("span", {}, t("pot_title")), el("b.num", {}, money(typed.cents))), rows);
}

function buyInPad({ table, ui }) {
  const { buy_in_min: least, buy_in_max: most } = table.offer;
  const limits = most === null ? t("buy_in_least", { least: money(least) }) : t("buy_in_limits", { least: money(least), most: money(most) });
  if (!ui.buyIn.isAskingStack) return { limits, acts: [act("send-pad", t("buy_in_send"), { look: ".primary", isOff: !ui.pad.cents })] };
  const acts = [act("stack-under", t("stack_under"), { look: ".primary" }), act("stack-count", t("stack_count")), most !== null && act("stack-full", t("stack_full"))];
  return { limits, isAsking: true, acts: [el("p.question", {}, t("stack_ask", { name: ui.buyIn.seat.name })), ...acts] };
}

const stackPad = ({ ui }) => ({ acts: [act("send-pad", t("buy_in_send"), { look: ".primary", hint: money(ui.buyIn.amount) })] });

const leavePad = ({ ui }) => ({ acts: [act("send-pad", t("leave_send", { amount: money(ui.pad.cents) }), { look: ".primary" })] });

const tipsPad = ({ ui }) => ({ acts: [act("send-pad", t("tips_send", { amount: money(ui.pad.cents) }), { look: ".primary", isOff: !ui.pad.cents })] });
