// The table as this tablet shows it, and what its dealer has half done.
//
// `table` is the server's last word with this tablet's taps folded in (fold.js). `ui` is what nobody else needs to
// know: a pot being typed, a split being chosen, the answer that is still to be read.

import { drawBar } from "./bar.js";
import { fold } from "./fold.js";
import { drawMiddle } from "./middle.js";
import { Pad } from "./pad.js";
import { drawRing, startOf } from "./ring.js";
import { redrawSheet } from "./sheets.js";
import { drawSide } from "./side.js";
import { Taps } from "./taps.js";

export const page = /** @type {HTMLElement} */ (document.getElementById("dealer-page")).dataset;
export const region = /** @type {HTMLElement} */ (document.getElementById("live"));
export const taps = new Taps({ api: page.api ?? "", signIn: document.documentElement.dataset.signIn ?? "", proof: page.proof ?? "" });

let server = read();
export let table = server;
/** @import { Table } from "./table.d.ts" */
/** @import { Now, Ui } from "./drawn.d.ts" */

/** @type {Ui} */
export const ui = { pad: null, split: null, winners: [], mode: "", answer: null, noFlop: false, buyIn: null, note: "", of: "", isAsking: false, again: "" };

/** @returns {Table} */
function read() {
  return JSON.parse(document.getElementById("dealer-data")?.textContent ?? "{}");
}

export function refresh() {
  taps.prune(server.version);
  table = fold(server, taps.list);
  // What was begun for a hand ends with it, whoever ended it; a closed table asks nothing.
  const isOfHand = ui.pad?.purpose === "pot" || ui.split || ui.noFlop || ui.again;
  const isOther = isOfHand && (ui.of !== ofHand() || !startOf(table) || (ui.again && ui.again !== table.undone?.hand_id));
  if (isOther || !table.offer || isAnswerOld()) clear();
  draw();
}

/** Whether another window went on while this one shows what to push, or the floor let the table go on that waited for it. */
function isAnswerOld() {
  const { hand, last, is_held: isHeld } = table;
  const shown = ui.answer;
  if (!shown) return false;
  if ("text" in shown) {
    const wasHeld = shown.isHeld;
    if (wasHeld !== undefined) shown.isHeld = wasHeld || isHeld;
    return wasHeld === true && !isHeld;
  }
  return hand ? hand.hand_id !== shown.handId : last !== null && last.number > shown.number;
}

// Nothing is pushed when an absent player's time is over: only the clock goes on.
setInterval(() => drawRing(region, table, pickOf), 5000);

export const ofHand = () => table.hand?.hand_id ?? "";

export function draw() {
  /** @type {Now} */
  const now = { table, ui, page, pots: potsNow(), already: alreadyTaken(table), canUndo: canUndo(), isSignedIn: Boolean(page.staff) };
  drawRing(region, table, pickOf);
  drawMiddle(now);
  drawSide(now);
  drawBar(now);
  redrawSheet(now);
}

/** The pots as typed, in the order of formation; none while nothing is typed. */
export function potsNow() {
  return ui.pad?.purpose === "pot" && ui.pad.cents > 0 && !ui.pad.isTooMuch ? ui.pad.pots : [];
}

/** Undo is the same dealer's, until the next Deal. */
export function canUndo() {
  const { last, hand } = table;
  if (!page.staff || hand || !last?.can_undo) return false;
  return Boolean(last.is_mine) || last.dealer_id === Number(page.staff);
}

/** What lies in the boxes of the hand that is logged again: [kind, cents]. Another hand begins with nothing there. @param {Table} table */
export const alreadyTaken = ({ undone }) => (ui.again ? (undone?.logged.taken ?? []) : []);

export const isPotOpen = () => ui.pad?.purpose === "pot";
/** Whether a tap on a seat says who won. @param {number} number */
export const isWon = (number) => Boolean(table.hand || isPotOpen() || ui.again) && Boolean(startOf(table)?.dealt_in.includes(number));

/** @param {number} number */
function pickOf(number) {
  const seat = table.seats[number - 1];
  if (!page.staff) return "";
  if (ui.mode === "draw") return seat.seating ? "pick" : "";
  if (ui.mode === "button") return "pick";
  if (ui.mode === "player") return seat.seating ? "pick" : "";
  if (ui.split?.has(number)) return "chosen";
  if (ui.answer && "pushes" in ui.answer && ui.answer.pushes.some(({ seats }) => seats.includes(number))) return "won";
  if (!isWon(number) || (ui.pad && !isPotOpen())) return "";
  const isTime = isPotOpen() ? potsNow().length > 0 : ui.again || !table.hand?.is_beyond || ui.noFlop;
  return isTime ? (isPotOpen() || ui.split || ui.noFlop ? "pick" : "win") : "";
}

export function clear() {
  Object.assign(ui, { pad: null, split: null, winners: [], mode: "", answer: null, noFlop: false, buyIn: null, note: "", again: "" });
}

/** @param {string} purpose @param {string} title */
export const newPad = (purpose, title) => new Pad({ purpose, title, decimals: (table.offer?.chip ?? 0) % 100 !== 0 });

/** A fragment came: it is the server's last word from now on. */
export function hear() {
  server = read();
  refresh();
}
