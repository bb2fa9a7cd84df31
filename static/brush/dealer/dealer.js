// The dealer's tablet: what a tap means now, and what is shown for it.
//
// The table on the screen is the server's last word with this tablet's taps folded in (fold.js). What is half
// done (a pot being typed, a split being chosen) is `ui`, and nobody else's business.

import { newCommandId, showRefusal } from "../commands.js";
import { serverNow } from "../clock.js";
import { ask } from "../confirm.js";
import { drawBar } from "./bar.js";
import { fold } from "./fold.js";
import { drawMiddle } from "./middle.js";
import { Pad } from "./pad.js";
import { settle, shares } from "./pots.js";
import { askedOf, drawRing } from "./ring.js";
import { openMenu, openSeat, redrawSheet, sheet } from "./sheets.js";
import { drawSide } from "./side.js";
import { Taps } from "./taps.js";
import { money, t, writeMoneyLike } from "./words.js";

const page = /** @type {HTMLElement} */ (document.getElementById("dealer-page")).dataset;
const region = /** @type {HTMLElement} */ (document.getElementById("live"));
const taps = new Taps({ api: page.api, signIn: document.documentElement.dataset.signIn ?? "" });

/** A second tap of a nervous finger comes sooner than this. */
const AGAIN_MS = 400;
/** After a settled hand seats mean players again; the finger may still be there. */
const CALM_MS = 700;

let server = read();
let table = server;
/** @type {{pad: Pad | null, split: Set<number> | null, winners: number[][], mode: string, answer: any, noFlop: boolean, buyIn: any, note: string, of: string}} */
const ui = { pad: null, split: null, winners: [], mode: "", answer: null, noFlop: false, buyIn: null, note: "", of: "" };
const tappedAt = new Map();
let calmUntil = 0;

function read() {
  const data = JSON.parse(document.getElementById("dealer-data")?.textContent ?? "{}");
  writeMoneyLike(data.currency, data.locale);
  return data;
}

function refresh() {
  taps.prune(server.version);
  table = fold(server, taps.list);
  // What was begun for a hand ends with it, whoever ended it; a closed table asks nothing.
  const isOfHand = ui.pad?.purpose === "pot" || ui.split || ui.noFlop;
  const isOther = isOfHand && (ui.of !== ofHand() || !askedOf(table));
  if (isOther || !table.offer) clear();
  draw();
}

const ofHand = () => table.hand?.hand_id ?? "";

function draw() {
  const now = { table, ui, page, pots: potsNow(), canUndo: canUndo(), isSignedIn: Boolean(page.staff) };
  drawRing(region, table, pickOf);
  drawMiddle(now);
  drawSide(now);
  drawBar(now);
  redrawSheet(now);
}

/** The pots as typed, in the order of formation; none while nothing is typed. */
function potsNow() {
  return ui.pad?.purpose === "pot" && ui.pad.cents > 0 && !ui.pad.isTooMuch ? ui.pad.pots : [];
}

/** Undo is the same dealer's, until the next Deal. */
function canUndo() {
  const { last, hand } = table;
  if (!page.staff || hand || !last?.can_undo) return false;
  return last.is_mine || last.dealer_id === Number(page.staff);
}

const isPotOpen = () => ui.pad?.purpose === "pot";
const isWon = (number) => (table.hand || isPotOpen()) && askedOf(table)?.[3].includes(number);

function pickOf(number) {
  const seat = table.seats[number - 1];
  if (!page.staff) return "";
  if (ui.mode === "draw") return seat.seating ? "pick" : "";
  if (ui.mode === "button") return "pick";
  if (ui.mode === "player") return seat.seating ? "pick" : "";
  if (ui.split?.has(number)) return "chosen";
  if (ui.answer?.pushes?.some(({ seats }) => seats.includes(number))) return "won";
  if (!isWon(number) || (ui.pad && !isPotOpen())) return "";
  const isTime = isPotOpen() ? potsNow().length > 0 : !table.hand.is_beyond || ui.noFlop;
  return isTime ? (isPotOpen() || ui.split || ui.noFlop ? "pick" : "win") : "";
}

// ---- Hands ----------------------------------------------------------------------------------------------

const moment = () => new Date(serverNow()).toISOString();

function positions(asked, handId) {
  const [button, smallBlind, bigBlind, dealtIn] = asked;
  return { hand_id: handId, dealt_in: dealtIn, button, small_blind: smallBlind, big_blind: bigBlind };
}

function clear() {
  Object.assign(ui, { pad: null, split: null, winners: [], mode: "", answer: null, noFlop: false, buyIn: null, note: "" });
}

function deal() {
  if (table.hand || !table.ahead.length) return;
  clear();
  taps.give("deal", { ...positions(table.ahead[0], newCommandId()), dealt_at: moment() });
}

function flop() {
  if (!table.hand || table.hand.is_beyond) return;
  ui.split = null;
  taps.give("flop", { hand_id: table.hand.hand_id });
}

function pot() {
  if (isPotOpen() || !askedOf(table)) return;
  clear();
  ui.pad = newPad("pot", t("pot_title"));
  ui.of = ofHand();
  draw();
}

const newPad = (purpose, title) => new Pad({ purpose, title, decimals: table.offer.chip % 100 !== 0 });

/** A seat was tapped as the winner, or as one of those who share. */
function win(number) {
  if (isPotOpen() ? !potsNow().length : table.hand.is_beyond && !ui.noFlop) {
    if (!isPotOpen()) pot();
    ui.note = t("type_pot");
    draw();
  } else if (ui.split) {
    if (!ui.split.delete(number)) ui.split.add(number);
    draw();
  } else {
    award([number]);
  }
}

/** The last side pot is pushed first, the main pot last. */
function award(seats) {
  ui.split = null;
  ui.winners.push(seats);
  if (ui.winners.length < Math.max(potsNow().length, 1)) draw();
  else finish();
}

function finish() {
  const asked = askedOf(table);
  const pots = potsNow();
  const winners = [...ui.winners].reverse();
  const isAtLeast = Boolean(ui.pad?.isAtLeast);
  const { rake, drop } = table.offer;
  const taken = settle({ pots, participants: asked[3].length, ladder: rake, drop });
  const add = (amounts) => amounts.reduce((total, each) => total + each, 0);
  const hand = table.hand;
  const number = hand?.number ?? table.hand_number + 1;
  const body = {
    ...positions(asked, hand?.hand_id ?? newCommandId()),
    winners,
    pots,
    pot_is_at_least: isAtLeast,
    rake_taken_cents: add(taken.rake),
    drop_taken_cents: add(taken.drop),
    dealt_at: hand?.dealt_at ?? null,
    beyond_initial_deal_at: pots.length ? (hand?.beyond_at ?? null) : null,
  };
  const pushes = (pots.length ? taken.push : [null]).map((cents, index) => ({ index, cents, of: pots.length, seats: winners[index], to: shared(cents, winners[index], asked[0], isAtLeast) }));
  clear();
  ui.answer = { number, rake: add(taken.rake), drop: add(taken.drop), isAtLeast, pushes, isFlop: pots.length > 0 };
  calmUntil = performance.now() + CALM_MS;
  taps.give("settle", body);
}

/** [seat, cents | null]: null where nobody knows how much the pot holds. */
function shared(cents, seats, button, isAtLeast) {
  if (cents === null || isAtLeast) return seats.map((seat) => [seat, null]);
  return shares(cents, seats, button, table.offer.chip);
}

function split() {
  if (ui.split) {
    const seats = [...ui.split].sort((a, b) => a - b);
    if (seats.length) award(seats);
    else cancel();
    return;
  }
  Object.assign(ui, { split: new Set(), of: ofHand() });
  draw();
}

function cancel() {
  Object.assign(ui, { split: null, mode: "", noFlop: false });
  draw();
}

// ---- What asks first ------------------------------------------------------------------------------------

async function voidHand(reason) {
  sheet.close();
  const { hand } = table;
  if (!hand || !(await ask(t(`${reason}_ask`, { number: hand.number }), { yes: t(`${reason}_yes`), no: t("play_on") }))) return;
  clear();
  ui.answer = { text: t("voided", { number: hand.number }) };
  taps.give("void", { ...positions(hand.asked, hand.hand_id), dealt_at: hand.dealt_at, reason });
}

async function skip() {
  sheet.close();
  const asked = askedOf(table);
  const number = table.hand?.number ?? table.hand_number + 1;
  if (!asked || !(await ask(t("skip_ask", { number }), { yes: t("skip_yes"), no: t("cancel") }))) return;
  const handId = table.hand?.hand_id ?? newCommandId();
  clear();
  ui.answer = { text: t("skipped", { number }) };
  taps.give("skip", { ...positions(asked, handId), dealt_at: table.hand?.dealt_at ?? null });
}

async function undo() {
  const { last } = table;
  if (!canUndo() || !(await ask(t("undo_ask", { number: last.number }), { yes: t("undo_yes"), no: t("keep") }))) return;
  if (!canUndo()) return;
  clear();
  ui.answer = { text: t("undone", { number: last.number }) };
  taps.give("undo", { hand_number: last.number }, { dependsOn: taps.waitingFor(last.hand_id) });
}

async function leaveUncounted(seat) {
  sheet.close();
  const words = { name: seat.name, seat: seat.number };
  if (await ask(t("leave_ask", words), { yes: t("leave_yes"), no: t("stay") })) {
    taps.give("leave", { stack_cents: null }, { seating: seat.seating });
  }
}

// ---- Pads that are no pot -------------------------------------------------------------------------------

function openPad(purpose, title, more = {}) {
  sheet.close();
  clear();
  Object.assign(ui, { pad: newPad(purpose, title), ...more });
  draw();
}

function sendPad() {
  const { purpose, cents } = ui.pad;
  if (purpose === "leave") {
    const { seating } = ui.buyIn.seat;
    clear();
    taps.give("leave", { stack_cents: cents }, { seating });
  } else if (purpose === "tips") {
    clear();
    taps.give("tips", { counted_cents: cents });
  } else if (purpose === "stack") {
    askCage({ ...ui.buyIn, stack: cents });
  } else {
    askCage({ ...ui.buyIn, amount: cents });
  }
}

/** A limit hangs on the stack, unless the seat has no chips or any stack would do (H2.14-H2.17). */
function needsStack({ seat, amount, stack }) {
  const { buy_in_min: least, buy_in_max: most } = table.offer;
  return seat.has_chips && stack === undefined && (most === null ? amount < least : amount <= most);
}

/** A stack is a count or a word, never a guess. @param {number | "under_blind" | "full"} stack */
const stackSaid = (stack) => (typeof stack === "number" ? { stack_cents: stack } : { stack });

async function askCage(buyIn) {
  ui.buyIn = buyIn;
  ui.note = "";
  if (needsStack(buyIn)) {
    ui.buyIn.isAskingStack = true;
    draw();
    return;
  }
  const { seat, amount, stack } = buyIn;
  const body = { amount_cents: amount, ...(seat.has_chips && stack !== undefined ? stackSaid(stack) : {}) };
  const answer = await taps.request(`seatings/${seat.seating}/buy-in`, body);
  if (ui.buyIn !== buyIn) return;
  if (answer?.isDone) {
    clear();
    ui.answer = { text: t("buy_in_sent", { amount: money(amount), seat: seat.number }) };
  } else {
    ui.note = answer ? sentence(answer.said) : t("no_answer");
  }
  draw();
}

/** What players may read of a refusal: what the game's rules say, else "see the floor". */
function sentence(problem) {
  return page.sayable.split(" ").includes(problem.code) ? problem.detail : t("see_floor");
}

// ---- Taps -----------------------------------------------------------------------------------------------

const seatOf = (element) => table.seats.find((seat) => seat.number === Number(element.closest("[data-seat]")?.dataset.seat));

const DO = {
  deal,
  flop,
  pot,
  split,
  cancel,
  undo,
  skip,
  draw() {
    sheet.close();
    clear();
    ui.mode = "draw";
    draw();
  },
  "no-draw": () => {
    sheet.close();
    deal();
  },
  menu: () => openMenu({ table, page }),
  misdeal: () => voidHand("misdeal"),
  void: () => voidHand("void"),
  "close-pad": () => {
    clear();
    draw();
  },
  "side-pot": () => {
    ui.pad.nextPot();
    ui.winners = [];
    draw();
  },
  maximum: () => {
    ui.pad.maximum(table.offer.rake.maximum_from);
    ui.winners = [];
    draw();
  },
  "no-flop": () => {
    clear();
    Object.assign(ui, { noFlop: true, of: ofHand() });
    draw();
  },
  "send-pad": sendPad,
  tips: () => openPad("tips", t("tips_title")),
  "move-button": () => choose("button"),
  player: () => choose("player"),
  "buy-in": (seat) => openPad("buy-in", t("buy_in_title", { name: seat.name }), { buyIn: { seat } }),
  "leave-counted": (seat) => openPad("leave", t("leave_title", { name: seat.name }), { buyIn: { seat } }),
  "leave-uncounted": leaveUncounted,
  hold: (seat) => onSeat("hold", seat, { is_held: true }),
  back: (seat) => onSeat("hold", seat, { is_held: false }),
  post: (seat) => onSeat("entry", seat, { wants_to_post: true }),
  wait: (seat) => onSeat("entry", seat, { wants_to_post: false }),
  "button-here": (seat) => moveButton(seat.number),
  "stack-under": () => askCage({ ...ui.buyIn, stack: "under_blind" }),
  "stack-full": () => askCage({ ...ui.buyIn, stack: "full" }),
  "stack-count": () => openPad("stack", t("stack_title", { name: ui.buyIn.seat.name }), { buyIn: { ...ui.buyIn, isAskingStack: false } }),
};

function choose(mode) {
  sheet.close();
  clear();
  ui.mode = mode;
  draw();
}

function onSeat(command, seat, body) {
  sheet.close();
  taps.give(command, body, { seating: seat.seating });
}

function moveButton(number) {
  sheet.close();
  clear();
  taps.give("button", { seat_number: number });
}

function drew(number) {
  clear();
  const seats = table.seats.filter((seat) => seat.seating).map((seat) => seat.number);
  taps.give("draw", { winner_seat: number, seats });
}

function tapSeat(seat) {
  if (performance.now() < calmUntil) return;
  if (ui.mode === "draw") {
    if (seat.seating) drew(seat.number);
  } else if (ui.mode === "button") {
    moveButton(seat.number);
  } else if (ui.mode !== "player" && isWon(seat.number)) {
    win(seat.number);
  } else if (!ui.pad && (ui.mode !== "player" || seat.seating)) {
    cancel();
    openSeat({ table, seat });
  }
}

function press(key) {
  ui.pad?.press(key);
  Object.assign(ui, { winners: [], note: "" });
  if (ui.buyIn) ui.buyIn = { seat: ui.buyIn.seat, amount: ui.buyIn.amount };
  draw();
}

/** Say whether the same thing was tapped just now: fingers that tremble tap twice. */
function isAgain(name) {
  const now = performance.now();
  const isSoon = now - (tappedAt.get(name) ?? -Infinity) < AGAIN_MS;
  tappedAt.set(name, now);
  return isSoon;
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest("button, a");
  if (!button || button.disabled || !page.staff) return;
  if (button.dataset.key) {
    press(button.dataset.key);
  } else if (button.dataset.do) {
    if (!isAgain(button.dataset.do)) DO[button.dataset.do]?.(seatOf(button));
  } else if (button.closest("#live [data-seat]")) {
    const seat = seatOf(button);
    if (seat && !isAgain(`seat ${seat.number}`)) tapSeat(seat);
  }
});

// A long press on a seat is for its player, also in a hand where a tap says who won.
region.addEventListener("contextmenu", (event) => {
  event.preventDefault();
  const seat = event.target instanceof Element ? seatOf(event.target) : null;
  if (seat && page.staff) openSeat({ table, seat });
});

window.addEventListener("brush:fragment", (event) => {
  if (event.detail.region !== region) return;
  server = read();
  refresh();
});
taps.addEventListener("change", refresh);

// What the server would not take stays on the screen until it is read, one after the other.
const refusals = [];
const refusalPlace = /** @type {HTMLElement} */ (document.getElementById("refusal"));
taps.addEventListener("refused", (event) => {
  refusals.push(event.detail);
  if (refusals.length === 1) showRefusal(refusalPlace, { sentence: sentence(event.detail.problem) });
});
refusalPlace.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("[data-read]")) return;
  refusals.shift()?.read();
  if (refusals.length) setTimeout(() => showRefusal(refusalPlace, { sentence: sentence(refusals[0].problem) }));
});

// Taps that wait for a sign-in lead to the PIN pad.
window.addEventListener("brush:queue", (event) => document.body.classList.toggle("needs-pin", event.detail.state === "held"));

// A pot half typed survives that the page is loaded anew.
window.addEventListener("pagehide", () => {
  const typed = isPotOpen() ? JSON.stringify({ of: ui.of, typed: ui.pad.typed, isAtLeast: ui.pad.isAtLeast }) : "";
  sessionStorage.setItem("brush-pot", typed);
});
function typedBefore() {
  const kept = JSON.parse(sessionStorage.getItem("brush-pot") || "null");
  if (!kept || !page.staff || !askedOf(table) || kept.of !== ofHand()) return;
  pot();
  Object.assign(ui.pad, { typed: kept.typed, isAtLeast: kept.isAtLeast });
  draw();
}

refresh();
taps.open().then(typedBefore);
