// The right third: what this hand begins with and what the last one was, or the keypad over both.

import { money } from "../money.js";
import { has, t } from "../words.js";
import { el } from "./el.js";
import { isOpen } from "./fold.js";
import { sidePotsMatter } from "./middle.js";
import { drawPad } from "./pad.js";
import { isEveryPotTyped, ladderFor, maximumFrom } from "./pots.js";
import { chargesOf, startOf } from "./ring.js";
import { timeLine } from "./time.js";

/** @import { Pad, Parts } from "./pad.js" */
/** @import { Now } from "./drawn.d.ts" */
/** @import { Charge, HandStart, LastHand, OpenTable, Table } from "./table.d.ts" */
/** What the keypad stands over: a game is on. @typedef {Now & { table: OpenTable, pad: Pad }} Typing */

const side = /** @type {HTMLElement} */ (document.getElementById("side"));

/** @param {Now} now */
export function drawSide(now) {
  const where = document.getElementById("where");
  if (where) where.textContent = whereLine(now.table);
  const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
  side.replaceChildren(...(now.ui.pad && isOpen(now.table) ? [pad({ ...now, table: now.table, pad: now.ui.pad })] : [expected(now), handBefore(now)]));
  const key = focus && side.querySelector(`[data-key="${focus}"]`);
  if (key instanceof HTMLElement) key.focus({ preventScroll: true });
}

/** @param {Table} table */
function whereLine({ offer, hand }) {
  if (!offer) return "";
  return hand ? `${offer.name} · ${t("next_hand", { number: hand.number })}` : offer.name;
}

// ---- What the hand begins with -----------------------------------------------------------------------------------

/** @param {Now} now */
function expected({ table, ui: { again } }) {
  const start = startOf(table);
  if (!isOpen(table) || !start) return el("section.expected", {}, table.offer && timeLine(table), lastOrbit(table));
  const count = start.dealt_in.length;
  return el(
    "section.expected",
    {},
    lastOrbit(table),
    el("h2", {}, table.hand ? t("this_hand") : t("next_begins")),
    table.is_draw_due ? el("p.rows.first", {}, t("draw_first")) : el("ul.rows", {}, postRows(table, start)),
    el("p.counted", {}, el("b", {}, t("dealt_in", { count }))),
    chargesOf(table, again).map((charge) => chargeLine(charge, count)),
    timeLine(table),
  );
}

/** The floor has announced the last orbit (H2.22): how many hands are still begun after this one. @param {Table} table */
function lastOrbit({ hand, hand_number: number, last_hand_number: final }) {
  if (final === null || final === undefined) return null;
  if (number < final) return el("p.chip.soon.last-orbit", {}, t("hands_left", { count: final - number }));
  return el("p.chip.soon.last-orbit", {}, t(hand ? "final_hand" : "final_hand_over"));
}

const POSTS = { new_player: "new_player", missed: "missed_blinds", straddle: "straddle" };

/** @param {OpenTable} table @param {HandStart} start */
function postRows(table, { small_blind: small, big_blind: big, posts }) {
  const { small_blind: smallBlind, big_blind: bigBlind } = table.offer;
  const rows = [];
  // Without a big blind nobody told where the hand is played: then no small blind is none that was dead.
  if (small !== null) rows.push(row(t("small_blind"), name(table, small), money(smallBlind)));
  else if (big !== null) rows.push(row(t("dead_small"), "", ""));
  if (big !== null) rows.push(row(t("big_blind"), name(table, big), money(bigBlind)));
  for (const { seat, live, dead, kind } of posts) {
    rows.push(row(t(POSTS[kind]), name(table, seat), money(live)));
    if (dead) rows.push(row(t("dead_to_pot"), name(table, seat), money(dead)));
  }
  return rows;
}

/** @param {Table} table @param {number} number */
const name = (table, number) => table.seats[number - 1]?.name || t("seat", { number });

/** @param {string} what @param {string} who @param {string} amount */
function row(what, who, amount) {
  return el("li", {}, el("span.what", {}, what), el("span.name.grow", {}, who), amount && el("b.num", {}, amount));
}

/** Whether a charge will be due of this hand, where its kind has words for that. @param {Charge} charge @param {number} count */
function chargeLine(charge, count) {
  const [least] = charge.by[0] ?? [];
  const when = charge.by.length ? (ladderFor(charge, count) ? "yes" : "no") : charge.is_by_time ? "time" : "none";
  const sentence = `charge_${charge.kind}_${when}`;
  return has(sentence) && el("p.counted.quiet-text", {}, t(sentence, { amount: money(charge.each_cents ?? 0), count, least }));
}

// ---- The hand before --------------------------------------------------------------------------------------

/** @param {Now} now */
function handBefore({ table, canUndo }) {
  const hand = table.last;
  return el(
    "section.last",
    {},
    el("h2", {}, t("hand_before")),
    hand ? el("div.last-hand", {}, lastLine(hand), canUndo && el("button.button", { type: "button", "data-do": "undo" }, t("undo"))) : el("p.quiet-text", {}, t("no_hand_before")),
  );
}

/** @param {LastHand} hand */
function lastLine(hand) {
  if (hand.status !== "settled") return el("p.name.grow", {}, t("not_logged", { number: hand.number }));
  const amount = hand.pot === null ? t("no_flop") : hand.is_at_least ? t("at_least", { amount: money(hand.pot) }) : money(hand.pot);
  return el("p.grow.name", {}, el("span.name", {}, `${hand.number} · ${hand.winners.join(", ")}`), el("b.num", {}, amount));
}

// ---- The keypad -------------------------------------------------------------------------------------------

/** @type {Record<string, (typing: Typing) => Parts>} */
const PADS = { pot: potPad, "buy-in": buyInPad, stack: stackPad, leave: leavePad, tips: tipsPad };

/** @param {Typing} typing */
function pad(typing) {
  const parts = PADS[typing.pad.purpose](typing);
  const { note } = typing.ui;
  const refusal = note && el("div.refusal", { role: "alert" }, el("p.refusal-sentence", {}, note));
  return drawPad(typing.pad, { ...parts, below: [refusal, ...(parts.below ?? [])] });
}

/** @param {string} does @param {string} label */
const act = (does, label, { hint = "", look = "", isOff = false } = {}) =>
  el(`button.button.wide${look}`, { type: "button", "data-do": does, disabled: isOff }, el("span", {}, label), hint && el("small", {}, hint));

/** @param {Typing} typing @returns {Parts} */
function potPad({ table, pad: typed, ui: { noFlop, again } }) {
  const participants = startOf(table)?.dealt_in.length ?? 0;
  const charges = chargesOf(table, again);
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

/** The pots as they are typed: the total, then main and side pots, the last one being what is left. @param {Pad} typed */
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

/** @param {Typing} typing @returns {Parts} */
function buyInPad({ table, pad, ui: { buyIn } }) {
  const { buy_in_min: least, buy_in_max: most } = table.offer;
  const limits = most === null ? t("buy_in_least", { least: money(least) }) : t("buy_in_limits", { least: money(least), most: money(most) });
  if (!buyIn?.isAskingStack) return { limits, wholes: table.offer.buy_ins, acts: [act("send-pad", t("buy_in_send"), { look: ".primary", hint: t("buy_in_send_why"), isOff: !pad.cents }), act("send-money-here", t("buy_in_money_here"), { hint: t("buy_in_money_here_why"), isOff: !pad.cents }), table.offer.sells && act("send-sold", t("sell"), { hint: t("sell_why"), isOff: !pad.cents })] };
  const acts = [act("stack-under", t("stack_under"), { look: ".primary" }), act("stack-count", t("stack_count")), most !== null && act("stack-full", t("stack_full"))];
  return { limits, isAsking: true, acts: [el("p.question", {}, t("stack_ask", { name: buyIn.seat.name })), ...acts] };
}

/** @param {Typing} typing @returns {Parts} */
function stackPad({ ui: { buyIn } }) {
  return { acts: [act("send-pad", t(buyIn?.moneyWith === "rack" ? "sell" : "buy_in_send"), { look: ".primary", hint: money(buyIn?.amount ?? 0) })] };
}

/** @param {Typing} typing @returns {Parts} */
function leavePad({ pad }) {
  return { acts: [act("send-pad", t("leave_send", { amount: money(pad.cents) }), { look: ".primary" })] };
}

/** @param {Typing} typing @returns {Parts} */
function tipsPad({ pad }) {
  return { acts: [act("send-pad", t("tips_send", { amount: money(pad.cents) }), { look: ".primary", isOff: !pad.cents })] };
}
