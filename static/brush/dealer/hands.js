// A hand from Deal to the pushed pot, and what takes one back.

import { serverNow } from "../clock.js";
import { newCommandId } from "../commands.js";
import { ask } from "../confirm.js";
import { money } from "../money.js";
import { t } from "../words.js";
import { sums } from "./middle.js";
import { chargePots, isEveryPotTyped, shares, sum } from "./pots.js";
import { chargesOf, startOf } from "./ring.js";
import { alreadyTaken, canUndo, clear, draw, isPotOpen, newPad, ofHand, potsNow, table, taps, ui } from "./screen.js";
import { sheet } from "./sheets.js";

/** @import { HandStart } from "./table.d.ts" */
/** @import { SettleBody } from "./tapped.d.ts" */

/** After a settled hand seats mean players again; the finger may still be there, until a button other than Deal is tapped. */
const CALM_MS = 700;
let calmUntil = 0;

export const isCalm = () => performance.now() < calmUntil;
export function endCalm() {
  calmUntil = 0;
}

const moment = () => new Date(serverNow()).toISOString();

/** @param {HandStart} start @param {string} handId */
function positions({ button, small_blind, big_blind, dealt_in }, handId) {
  // A hand keeps the game in which it was dealt, whatever the table runs when it ends.
  const openingId = table.hand?.opening_id ?? table.opening_id;
  return { hand_id: handId, opening_id: openingId, dealt_in, button, small_blind, big_blind };
}

export function deal() {
  if (table.hand || !table.ahead.length || table.is_held || table.is_day_over) return;
  clear();
  taps.give("deal", { ...positions(table.ahead[0], newCommandId()), dealt_at: moment() });
}

export function flop() {
  if (!table.hand || table.hand.is_beyond) return;
  ui.split = null;
  ui.noFlop = false;
  taps.give("flop", { hand_id: table.hand.hand_id });
}

export function pot() {
  if (isPotOpen() || !startOf(table)) return;
  clear();
  ui.pad = newPad("pot", t("pot_title"));
  ui.of = ofHand();
  draw();
}

/** Whether the pot comes before the winner: after a flop, and everywhere where the rake is due without one (RA8). */
const needsPot = () => (isPotOpen() ? !potsNow().length : (table.offer && isEveryPotTyped(table.offer)) || (table.hand?.is_beyond && !ui.noFlop));

function askPot() {
  const noFlop = isPotOpen() ? ui.noFlop : ui.noFlop || !table.hand?.is_beyond;
  const isExpected = !isPotOpen() && noFlop;
  if (!isPotOpen()) pot();
  Object.assign(ui, { noFlop, note: isExpected ? "" : t("type_pot") });
  draw();
}

/** A seat was tapped as the winner, or as one of those who share. @param {number} number */
export function win(number) {
  if (ui.isAsking) return;
  if (needsPot()) {
    askPot();
  } else if (ui.split) {
    if (!ui.split.delete(number)) ui.split.add(number);
    draw();
  } else {
    award([number]);
  }
}

/** The last side pot is pushed first, the main pot last. @param {number[]} seats */
function award(seats) {
  ui.split = null;
  ui.winners.push(seats);
  if (ui.winners.length < Math.max(potsNow().length, 1)) draw();
  else if (sum(potsNow()) > (table.offer?.buy_in_min ?? 0)) askLarge();
  else finish();
}

/** A pot beyond the least buy-in is rare: of one that is more than lies in play the dealer is asked once. */
async function askLarge() {
  const { pad, winners } = ui;
  const cents = sum(potsNow());
  ui.isAsking = true;
  const isAbove = await taps.isAbovePlay(cents);
  const isMeant = !isAbove || (await ask(t("pot_above_play", { amount: money(cents) }), { yes: t("above_play_yes"), no: t("above_play_no") }));
  ui.isAsking = false;
  // The table may have gone on meanwhile, or the pot have been typed anew.
  if (ui.pad !== pad || ui.winners !== winners) return;
  if (isMeant) {
    finish();
    return;
  }
  ui.winners = [];
  draw();
}

function finish() {
  const start = startOf(table);
  const { offer } = table;
  if (!start || !offer) return;
  const pots = potsNow();
  const winners = [...ui.winners].reverse();
  const isAtLeast = Boolean(ui.pad?.isAtLeast);
  const isFlop = pots.length > 0 && !ui.noFlop;
  const { taken, push } = chargePots({ pots, participants: start.dealt_in.length, charges: chargesOf(table, ui.again), isFlop });
  const takes = sums(taken);
  const hand = table.hand;
  const number = hand?.number ?? table.hand_number + 1;
  /** @type {SettleBody} */
  const body = {
    ...positions(start, hand?.hand_id ?? newCommandId()),
    winners,
    pots,
    pot_is_at_least: isAtLeast,
    ...Object.fromEntries(takes.map(([kind, cents]) => [`${kind}_taken_cents`, cents])),
    dealt_at: hand?.dealt_at ?? null,
    beyond_initial_deal_at: isFlop ? (hand?.beyond_at ?? null) : null,
    is_without_flop: pots.length > 0 && !isFlop,
    again_of: ui.again || null,
  };
  const already = alreadyTaken(table);
  // Where nobody knows how much a pot holds, it goes as it lies.
  const isKnown = pots.length > 0 && !isAtLeast;
  const pushes = winners.map((seats, index) => ({
    index,
    cents: pots.length ? push[index] : null,
    of: pots.length,
    seats,
    to: isKnown ? shares(push[index], seats, start.button, offer.chip) : seats.map((seat) => /** @type {[number, null]} */ ([seat, null])),
  }));
  clear();
  ui.answer = { handId: body.hand_id, number, takes, already, isAtLeast, pushes };
  calmUntil = performance.now() + CALM_MS;
  taps.give("settle", body);
}

export function split() {
  if (ui.split) {
    const seats = [...ui.split].sort((a, b) => a - b);
    if (seats.length) award(seats);
    else cancel();
    return;
  }
  if (needsPot()) {
    askPot();
    return;
  }
  Object.assign(ui, { split: new Set(), of: ofHand() });
  draw();
}

export function cancel() {
  Object.assign(ui, { split: null, mode: "", noFlop: false });
  draw();
}

// ---- What asks first ------------------------------------------------------------------------------------

/** @param {"misdeal" | "void"} reason */
export async function voidHand(reason) {
  sheet.close();
  const { hand } = table;
  if (!hand || !(await ask(t(`${reason}_ask`, { number: hand.number }), { yes: t(`${reason}_yes`), no: t("play_on") }))) return;
  clear();
  ui.answer = { text: t("voided", { number: hand.number }) };
  taps.give("void", { ...positions(hand.start, hand.hand_id), dealt_at: hand.dealt_at, reason });
}

export async function skip() {
  sheet.close();
  const start = startOf(table);
  const number = table.hand?.number ?? table.hand_number + 1;
  if (!start || !(await ask(t("skip_ask", { number }), { yes: t("skip_yes"), no: t("cancel") }))) return;
  const handId = table.hand?.hand_id ?? newCommandId();
  clear();
  ui.answer = { text: t("skipped", { number }) };
  taps.give("skip", { ...positions(start, handId), dealt_at: table.hand?.dealt_at ?? null });
}

export async function undo() {
  const { last } = table;
  if (!last || !canUndo() || !(await ask(t("undo_ask", { number: last.number }), { yes: t("undo_yes"), no: t("keep") }))) return;
  if (!canUndo()) return;
  clear();
  if (last.status !== "settled") ui.answer = { text: t("undone", { number: last.number }) };
  taps.give("undo", { hand_id: last.hand_id }, { dependsOn: taps.waitingFor(last.hand_id) });
  if (last.status === "settled") logAgain();
}

/** What was played stays played: the pot is kept, and the winner asked for; another pot may be typed over it. */
function logAgain() {
  const { hand_id: handId, logged } = table.undone ?? {};
  if (!logged || !startOf(table)) return;
  if (logged.pots.length || !logged.is_without_flop) ui.pad = newPad("pot", t("pot_title"));
  ui.pad?.keep(logged.pots, logged.is_at_least);
  Object.assign(ui, { again: handId, noFlop: logged.is_without_flop, of: ofHand() });
  draw();
}
