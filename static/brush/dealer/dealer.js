// The dealer's tablet: what a tap means now. What it shows: screen.js; what it does: hands.js, cage.js.

import { showRefusal } from "../commands.js";
import { followServer } from "../newer.js";
import { t } from "../words.js";
import { askCage, leaveUncounted, openPad, sendPad, sentence } from "./cage.js";
import { cancel, deal, endCalm, flop, isCalm, pot, skip, split, undo, voidHand, win } from "./hands.js";
import { isEveryPotTyped, maximumFrom } from "./pots.js";
import { chargesOf, startOf } from "./ring.js";
import { clear, draw, hear, isPotOpen, isWon, ofHand, page, refresh, region, table, taps, ui } from "./screen.js";
import { openMenu, openSeat, openSeats, sheet } from "./sheets.js";
import { listen } from "./taps.js";
import { watchTime } from "./time.js";
import { WORK } from "./work.js";

/** @import { Seat, WayIn } from "./table.d.ts" */
/** @import { RequestBodies, RequestKind, TapBodies, TapKind } from "./tapped.d.ts" */
/** @import { Act } from "./work.js" */
/** What was refused, and what forgets it once it was read. @typedef {{problem?: {code?: string, detail?: string}, read: () => unknown}} Refusal */

/** A second tap of a nervous finger comes sooner than this. */
const AGAIN_MS = 400;
/** @type {Map<string, number>} */
const tappedAt = new Map();

/** @param {Element} element */
function seatOf(element) {
  const item = element.closest("[data-seat]");
  return item instanceof HTMLElement ? table.seats.find((seat) => seat.number === Number(item.dataset.seat)) : undefined;
}

/** @type {Record<string, Act>} */
const DO = {
  ...WORK,
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
  "chips-came": (_seat, { url = "" }) => chipsCame(url),
  misdeal: () => voidHand("misdeal"),
  void: () => voidHand("void"),
  "close-pad": () => {
    clear();
    draw();
  },
  "side-pot": () => {
    ui.pad?.nextPot();
    ui.winners = [];
    draw();
  },
  maximum: () => {
    const from = table.offer && maximumFrom(chargesOf(table, ui.again), startOf(table)?.dealt_in.length ?? 0);
    if (!ui.pad || from === null) return;
    ui.pad.maximum(from);
    ui.winners = [];
    draw();
  },
  "no-flop": () => {
    // Where the rake is due without a flop the pot stays to be typed (RA8).
    if (!table.offer || !isEveryPotTyped(table.offer)) clear();
    Object.assign(ui, { noFlop: true, of: ofHand() });
    draw();
  },
  "send-pad": () => sendPad(),
  "send-money-here": () => sendPad("dealer"),
  "send-sold": () => sendPad("rack"),
  tips: () => openPad("tips", t("tips_title")),
  "move-button": () => choose("button"),
  player: () => choose("player"),
  "buy-in": (seat) => openPad("buy-in", t("buy_in_title", { name: seat.name }), { buyIn: { seat, requested: table.requested } }),
  "leave-counted": (seat) => openPad("leave", t("leave_title", { name: seat.name }), { buyIn: { seat } }),
  "leave-uncounted": leaveUncounted,
  hold: (seat) => onSeat("hold", seat, { is_held: true }),
  back: (seat, { entry }) => isBack(seat, entry),
  post: (seat) => onSeat("entry", seat, { entry: "posts" }),
  wait: (seat) => onSeat("entry", seat, { entry: "waits" }),
  "straddle-in": (seat) => onSeat("entry", seat, { entry: "straddles" }),
  "straddle-on": (seat) => onSeat("straddle", seat, { straddles: true }),
  "straddle-off": (seat) => onSeat("straddle", seat, { straddles: false }),
  "holder-back": ({ holder }, { entry }) => holder && isBack(holder, entry),
  "long-break": (seat) => request(seat, "long-break", { has_break: true }),
  "another-seat": (seat) => openSeats(table, seat),
  wish: (seat, { to }) => request(seat, "ask-seat", { asks: true, seat_number: to ? Number(to) : null }),
  "wish-off": (seat) => request(seat, "ask-seat", { asks: false }),
  "button-here": (seat) => moveButton(seat.number),
  "stack-under": () => ui.buyIn && askCage({ ...ui.buyIn, stack: "under_blind" }),
  "stack-full": () => ui.buyIn && askCage({ ...ui.buyIn, stack: "full" }),
  "stack-count": () => ui.buyIn && openPad("stack", t("stack_title", { name: ui.buyIn.seat.name }), { buyIn: { ...ui.buyIn, isAskingStack: false } }),
};

/** What few tables have is loaded when one shows that it does. @type {typeof import("./rack.js") | undefined} */
let rack;
/** @type {typeof import("./time_sheet.js") | undefined} */
let timeSheet;
let failures = 0;
const RETRY_MS = 2000;

/** Load a module and its acts, undefined where that fails: a browser keeps a failure for good, so another try has another address. @param {string} name */
async function loadFew(name) {
  try {
    const loaded = await import(failures ? `${name}?again=${failures}` : name);
    Object.assign(DO, loaded.ACTS);
    return loaded;
  } catch {
    failures += 1;
    setTimeout(watchFew, RETRY_MS);
    return undefined;
  }
}

/**
 * Do what a button says. A tap on what is still being loaded waits for it: it was meant.
 *
 * @param {string} what
 * @param {HTMLElement} button
 */
async function act(what, button) {
  if (!(what in DO)) await watchFew();
  DO[what]?.(/** @type {Seat} */ (seatOf(button)), button.dataset);
}

async function watchFew() {
  if (table.time) timeSheet ??= await loadFew("./time_sheet.js");
  if (region.querySelector('[data-do="rack"]')) rack ??= await loadFew("./rack.js");
  rack?.watchRack();
}

/** @param {string} mode */
function choose(mode) {
  sheet.close();
  clear();
  ui.mode = mode;
  draw();
}

/** @template {TapKind} Kind @param {Kind} command @param {{seating: number | null}} seat @param {TapBodies[Kind]} body */
function onSeat(command, seat, body) {
  sheet.close();
  taps.give(command, body, { seating: seat.seating });
}

/** @param {{seating: number | null}} seat @param {string} [entry] how who missed blinds comes in again */
function isBack(seat, entry) {
  onSeat("hold", seat, entry ? { is_held: false, entry: /** @type {WayIn["entry"]} */ (entry) } : { is_held: false });
}

/** Ask leave about a seat; what is refused is said until it is read. @template {RequestKind} Kind @param {Seat} seat @param {Kind} kind @param {RequestBodies[Kind]} body */
async function request({ seating }, kind, body) {
  sheet.close();
  const answer = await taps.request(kind, body, { seating });
  if (!answer?.isDone) refuse({ problem: answer?.body, read() {} });
}

/**
 * Say that chips came, hidden until the server shows the table without them. It is not kept for later: under a sign-in
 * that has ended it is nobody's, and what the queue holds stands before all that is tapped after it.
 * @param {string} url
 */
async function chipsCame(url) {
  const hide = (/** @type {boolean} */ isHidden) => region.querySelector(`[data-url="${url}"]`)?.toggleAttribute("hidden", isHidden);
  hide(true);
  const answer = await taps.request("chips-came", { chips_with: "player" }, { url });
  if (answer?.isDone) return;
  hide(false);
  refuse({ problem: answer?.body, read() {} });
}

/** @param {number} number */
function moveButton(number) {
  sheet.close();
  clear();
  taps.give("button", { seat_number: number });
}

/** @param {number} number */
function drew(number) {
  clear();
  const seats = table.seats.filter((seat) => seat.seating).map((seat) => seat.number);
  taps.give("draw", { winner_seat: number, seats });
}

/** @param {Seat} seat */
function tapSeat(seat) {
  if (isCalm()) return;
  if (ui.mode === "draw") {
    if (seat.seating) drew(seat.number);
  } else if (ui.mode === "button") {
    moveButton(seat.number);
  } else if (ui.mode !== "player" && isWon(seat.number)) {
    win(seat.number);
  } else if (!ui.pad && (ui.mode !== "player" || seat.seating)) {
    cancel();
    openSeat(table, seat);
  }
}

/** @param {string} key */
function press(key) {
  if (rack?.pressRack(key)) return;
  ui.pad?.press(key);
  Object.assign(ui, { winners: [], note: "" });
  if (ui.buyIn) ui.buyIn = { seat: ui.buyIn.seat, amount: ui.buyIn.amount, moneyWith: ui.buyIn.moneyWith, requested: ui.buyIn.requested };
  draw();
}

/**
 * Say whether the same thing was tapped just now: fingers that tremble tap twice. Whoever goes on by it means the next tap anywhere.
 * @param {string} name
 * @param {boolean} [goesOn]
 */
function isAgain(name, goesOn = false) {
  const now = performance.now();
  const isSoon = now - (tappedAt.get(name) ?? -Infinity) < AGAIN_MS;
  if (goesOn) tappedAt.clear();
  tappedAt.set(name, now);
  return isSoon;
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest("button, a");
  if (!(button instanceof HTMLElement) || button.matches(":disabled") || !page.staff) return;
  if (button.dataset.key) {
    tappedAt.clear();
    press(button.dataset.key);
  } else if (button.dataset.do) {
    const { do: what, seat = "" } = button.dataset;
    if (isAgain(`${what} ${seat}`, !seat)) return;
    // One hand deals while the other still rests on the winner's seat; whoever goes on from there means what is tapped.
    if (what !== "deal") endCalm();
    act(what, button);
  } else if (button.closest("#live [data-seat]")) {
    const seat = seatOf(button);
    if (seat && !isAgain(`seat ${seat.number}`)) tapSeat(seat);
  }
});

// A long press on a seat is for its player, also in a hand where a tap says who won.
region.addEventListener("contextmenu", (event) => {
  event.preventDefault();
  const seat = event.target instanceof Element ? seatOf(event.target) : null;
  if (seat && page.staff) openSeat(table, seat);
});

window.addEventListener("brush:fragment", (event) => {
  if (event.detail.region !== region) return;
  hear();
  watchFew();
});
taps.addEventListener("change", () => {
  refresh();
  watchFew();
});

// What the server would not take stays on the screen until it is read, one after the other.
/** @type {Refusal[]} */
const refusals = [];
const refusalPlace = /** @type {HTMLElement} */ (document.getElementById("refusal"));
/** @param {Refusal} refusal */
const sayOf = ({ problem }) => showRefusal(refusalPlace, { sentence: problem ? sentence(problem) : t("no_answer") });
/** @param {Refusal} refused */
function refuse(refused) {
  refusals.push(refused);
  if (refusals.length === 1) sayOf(refused);
}
listen(taps, "refused", refuse);
refusalPlace.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("[data-read]")) return;
  refusals.shift()?.read();
  if (refusals.length) setTimeout(() => sayOf(refusals[0]));
});

// Taps that wait for a sign-in lead to the PIN pad.
window.addEventListener("brush:queue", (event) => document.body.classList.toggle("needs-pin", event.detail.state === "held"));

// A pot half typed survives that the page is loaded anew.
window.addEventListener("pagehide", () => {
  const { of, noFlop, again } = ui;
  const { typed, isAtLeast, isKept } = ui.pad ?? {};
  const halfTyped = isPotOpen() ? JSON.stringify({ of, noFlop, again, typed, isAtLeast, isKept }) : "";
  sessionStorage.setItem("brush-pot", halfTyped);
});
function typedBefore() {
  const kept = JSON.parse(sessionStorage.getItem("brush-pot") || "null");
  if (!kept || !page.staff || !startOf(table) || kept.of !== ofHand()) return;
  pot();
  if (ui.pad) Object.assign(ui.pad, { typed: kept.typed, isAtLeast: kept.isAtLeast, isKept: Boolean(kept.isKept) });
  Object.assign(ui, { noFlop: Boolean(kept.noFlop), again: kept.again === table.undone?.hand_id ? kept.again : "" });
  draw();
}

/** Nothing is lost with a page whose taps were all answered; what is to be pushed is still to be read. */
const isFree = () =>
  !taps.list.some((tap) => tap.version === undefined) && !ui.answer && !ui.mode && !ui.isAsking && (!ui.pad || isPotOpen()) && !refusals.length && !document.querySelector("dialog[open]");
followServer(isFree);

watchTime(() => table, draw);
refresh();
taps.open().then(() => {
  typedBefore();
  watchFew();
});
