// The middle of the ring: what to do now, what to take while the pot is typed, and then the answer.

import { money } from "../money.js";
import { t } from "../words.js";
import { el } from "./el.js";
import { isOpen, isPlayedOut } from "./fold.js";
import { chargePots, ladderFor, mainPaysAllAbove, sum } from "./pots.js";
import { chargesOf, startOf } from "./ring.js";

/** @import { Answer, Now, Ui } from "./drawn.d.ts" */
/** @import { Charge, Hand } from "./table.d.ts" */
/** @import { Pad } from "./pad.js" */

const middle = /** @type {HTMLElement} */ (document.getElementById("middle"));
let shown = "";

/** @param {Now} now */
export function drawMiddle(now) {
  const made = el("div", {}, content(now));
  // Drawn anew only when it says something else, so that a screen reader is not told twice.
  if (made.innerHTML === shown) return;
  shown = made.innerHTML;
  middle.replaceChildren(...made.childNodes);
}

/** @param {Now} now */
function content(now) {
  const { table, ui } = now;
  if (!isOpen(table)) return say(t("closed"));
  if (ui.mode) return say(t(`tap_${ui.mode}`));
  if (ui.answer) return "text" in ui.answer ? say(ui.answer.text) : answer(ui.answer);
  if (ui.pad?.purpose === "pot") return typing(now);
  if (ui.pad) return [];
  if (ui.split) return say(prompt(now));
  if (ui.again) return say(t("tap_winner"), el("p.middle-title", {}, t("taken_back", { number: table.hand_number + 1 })));
  if (table.hand) return inHand(table.hand, ui, table.is_held);
  if (table.is_day_over) return say(t("day_over"), title(table.hand_number));
  if (table.is_held) return say(t("held_for_floor"), title(table.hand_number));
  if (isPlayedOut(table)) return say(t("final_hand_over"));
  if (!table.ahead.length) return say(t(table.offer.players_min > 2 ? "too_few_for_three" : "too_few"));
  if (table.is_draw_due) return say(t("draw_due"), title(table.hand_number + 1));
  return say(t("ready"), title(table.hand_number + 1));
}

/** @param {number} number */
const title = (number) => el("p.middle-title", {}, t("hand", { number }));
/** @param {string} text @param {HTMLElement[]} above */
const say = (text, ...above) => [...above, el("p.middle-say", {}, text)];

/** @param {Hand} hand @param {Ui} ui @param {boolean} isHeld - whether nothing is dealt after it */
function inHand(hand, ui, isHeld) {
  const asks = ui.noFlop ? t("no_flop_winner") : hand.is_beyond ? t("tap_pot") : t("tap_or_flop");
  return [title(hand.number), el("p.middle-say", {}, asks), isHeld && el("p.middle-title", {}, t("held_for_floor"))];
}

/** @param {Now} now */
function typing({ table, ui, pots, already }) {
  const start = startOf(table);
  if (!pots.length || !table.offer || !start) return [title(table.hand?.number ?? table.hand_number + 1), el("p.middle-say", {}, t(ui.noFlop ? "no_flop_pot" : "type_pot"))];
  const { taken } = chargePots({ pots, participants: start.dealt_in.length, charges: chargesOf(table, ui.again), isFlop: !ui.noFlop });
  const due = sums(taken);
  const above = ui.again && el("p.middle-title", {}, t("taken_back", { number: table.hand_number + 1 }));
  return [above, takes(due, already), pots.length > 1 && byPot(pots, taken), el("p.middle-say.now", {}, prompt({ ui, pots }))];
}

/** Cents by kind of charge, of all pots together. @param {Record<string, number[]>} taken @returns {[string, number][]} */
export const sums = (taken) => Object.entries(taken).map(([kind, paid]) => [kind, sum(paid)]);

/** @param {Pick<Now, "ui" | "pots">} now */
function prompt({ ui, pots }) {
  const toType = ui.pad?.partToType ?? null;
  if (toType !== null) return t(toType ? "type_side" : "type_main", { index: toType });
  if (pots.length < 2) return t(ui.split ? "tap_shares" : "tap_winner");
  const index = pots.length - 1 - ui.winners.length;
  const asks = ui.split ? "who_shares" : "who_wins";
  return t(`${asks}_${index ? "side" : "main"}`, { index, amount: money(pots[index]) });
}

/**
 * "take 4 € rake · 1 € jackpot"; of a hand that is logged again what of it lies in the boxes, and what that is too little
 * or too much.
 * @param {[string, number][]} due - cents by kind of charge @param {[string, number][]} already
 */
function takes(due, already) {
  const lies = already.filter(([, cents]) => cents);
  if (!lies.length) return line(due, "take");
  const before = Object.fromEntries(lies);
  /** @type {[string, number][]} */
  const more = due.map(([kind, cents]) => [kind, cents - (before[kind] ?? 0)]);
  /** @type {[string, number][]} */
  const back = more.filter(([, cents]) => cents < 0).map(([kind, cents]) => [kind, -cents]);
  const added = more.filter(([, cents]) => cents > 0);
  return el("div.takes", {}, line(lies, "already"), added.length > 0 && line(added, "take_more"), back.length > 0 && line(back, "give_back"));
}

/** @param {[string, number][]} taken @param {string} verb */
function line(taken, verb) {
  const parts = taken.filter(([, cents]) => cents).map(([kind, cents]) => part(cents, t(`charge_${kind}`)));
  if (!parts.length) return el("p.take", {}, t("nothing_to_take"));
  return el("p.take", {}, el("span.verb", {}, t(verb)), " ", parts.flatMap((each, index) => (index ? [" ", el("i", {}, "·"), " ", each] : [each])));
}

/** @param {number} cents @param {string} what */
const part = (cents, what) => el("span.part", {}, el("b", {}, money(cents)), ` ${what}`);

/** @param {number} index */
function potName(index) {
  return index ? t("side_pot", { index }) : t("main_pot");
}

/** @param {number[]} pots @param {Record<string, number[]>} taken */
function byPot(pots, taken) {
  const rows = pots.map((cents, index) => {
    const due = Object.entries(taken).filter(([, paid]) => paid[index]);
    const from = due.map(([kind, paid]) => `${money(paid[index])} ${t(`charge_${kind}`)}`);
    return el("li", {}, el("span", {}, potName(index)), el("b", {}, money(cents)), el("span.quiet-text", {}, from.length ? `− ${from.join(" − ")}` : t("nothing_to_take")));
  });
  return el("ul.by-pot", {}, rows);
}

/** @param {Answer} answer */
function answer({ takes: due, already, pushes, isAtLeast }) {
  const rows = [...pushes].reverse().flatMap(({ index, of, to }) =>
    to.map(([seat, cents]) => {
      const amount = cents === null ? (isAtLeast ? t("push_rest") : t("push_pot")) : money(cents);
      return el("p.push", {}, of > 1 && el("span.pot-name", {}, potName(index)), " ", el("span.verb", {}, t("push")), " ", el("b", {}, amount), " ", el("span.to", {}, t("push_to", { seat })));
    }),
  );
  return [takes(due, already), el("div.pushes", { "data-count": String(rows.length) }, rows)];
}

/** Whether side pots would decide which pot pays, as far as they are typed (H1.86). @param {Charge[]} charges @param {number} participants @param {Pad} pad */
export function sidePotsMatter(charges, participants, pad) {
  if (pad.isAtLeast || !pad.cents) return false;
  const above = Math.max(0, ...charges.map((charge) => mainPaysAllAbove(ladderFor(charge, participants), pad.cents)));
  const laid = sum(pad.typed.length > 1 ? pad.pots.slice(0, -1) : []);
  return above > 0 && laid <= above;
}
