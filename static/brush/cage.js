// The till: everything by keyboard, and focus is never lost to a push.
//
// Inputs stand outside what is pushed. The till's form asks the server what is about to happen (a GET: nothing
// moves), the answer opens as a sheet in words and denominations, and only its own form moves money.
//
// F2 F3 F4 F6 say what, F7 who, F8 takes the first request (with Shift refuses it, or the one that is taken), F9 how, F10
// prints (with Shift notes the player's signature); with Shift F2 opens the vault's sheet, F3 reverses the slip that is
// shown or else the newest, F4 counts and closes the drawer, F6 goes to the fills, F7 notes a document, F9 receives the
// money that somebody brings for a request; Enter confirms, Esc backs out.

import { showWhatIsDue } from "./due.js";
import { centsOf, money } from "./money.js";
import "./print.js";

const byId = (/** @type {string} */ id) => document.getElementById(id);
const till = /** @type {HTMLFormElement | null} */ (byId("till"));
const search = /** @type {HTMLInputElement | null} */ (byId("player-search"));
const amount = /** @type {HTMLInputElement | null} */ (byId("till-amount"));
const check = /** @type {HTMLDialogElement | null} */ (byId("check"));
const emptyPaper = byId("slip")?.innerHTML ?? "";

/** @param {string} name */
const radios = (name) => /** @type {HTMLInputElement[]} */ ([...(till?.querySelectorAll(`input[name="${name}"]`) ?? [])]);
const kind = () => radios("kind").find((radio) => radio.checked);
const isTaking = () => Boolean(/** @type {HTMLInputElement} */ (byId("till-slip")).value);

// ---- What, how, how much ------------------------------------------------------------------------------

function showMethods() {
  // A request says itself what may pay it, while it is taken.
  const possible = (till?.dataset.methods || kind()?.dataset.methods || "").split(" ");
  for (const radio of radios("method")) {
    const label = /** @type {HTMLElement} */ (radio.closest("label"));
    label.hidden = radio.disabled = !possible.includes(radio.value);
  }
  const left = radios("method").filter((radio) => !radio.disabled);
  if (!left.some((radio) => radio.checked) && left[0]) left[0].checked = true;
  showVoucher();
  showForeign();
  const key = till?.querySelector(".methods-key");
  if (key instanceof HTMLElement) key.hidden = left.length < 2;
}

/** Where a voucher pays, its paper is asked for. */
function showVoucher() {
  const field = byId("voucher-field");
  const paper = /** @type {HTMLInputElement | null} */ (byId("till-voucher"));
  if (!field || !paper) return;
  field.hidden = paper.disabled = radios("method").find((radio) => radio.checked)?.value !== "voucher";
}

/** Where foreign notes pay, they are asked for by how many there are of each. */
function showForeign() {
  const field = /** @type {HTMLFieldSetElement | null} */ (byId("foreign-field"));
  if (!field) return;
  const currency = radios("foreign_currency").find((radio) => radio.checked);
  field.hidden = field.disabled = radios("method").find((radio) => radio.checked)?.value !== "foreign";
  let face = 0;
  for (const notes of /** @type {NodeListOf<HTMLElement>} */ (field.querySelectorAll("[data-currency-of]"))) {
    notes.hidden = notes.dataset.currencyOf !== currency?.value;
    for (const each of notes.querySelectorAll("input")) {
      each.disabled = notes.hidden;
      if (!notes.hidden) face += Number(each.dataset.value) * (parseInt(each.value, 10) || 0);
    }
  }
  if (!field.hidden) showWorth(field, Number((BigInt(face) * BigInt(currency?.dataset.rate ?? 0)) / 1000000n));
}

/** Say what notes are worth; what they buy is the amount, until somebody types another. @param {HTMLElement} field @param {number} cents */
function showWorth(field, cents) {
  const chip = Number(field.dataset.chip);
  const worth = cents - (cents % Number(field.dataset.coin));
  field.dataset.worth = String(worth);
  const shown = byId("foreign-worth");
  if (shown) shown.textContent = money(worth);
  if (!amount || amount.readOnly || (amount.value && amount.value !== proposed)) return;
  proposed = worth < chip ? "" : String((worth - (worth % chip)) / 100).replace(".", ",");
  amount.value = proposed;
}

/** The amount that foreign notes have proposed last. */
let proposed = "";

function nextMethod() {
  const left = radios("method").filter((radio) => !radio.disabled);
  const now = left.findIndex((radio) => radio.checked);
  left[(now + 1) % left.length].checked = true;
  changed();
}

/**
 * What counts of the day for the chosen player, by the movement that is typed, as the house reckons it: which way
 * ("in", "out", or "both" where the book links them), before the movement and after it, in cents.
 * @returns {{ way: string, before: number, after: number, known: boolean } | null} null where nobody is chosen, or nothing typed
 */
function daySum() {
  const card = till?.querySelector("[data-chosen]");
  const cents = moves();
  if (!(card instanceof HTMLElement) || !(cents > 0)) return null;
  const { known, brought, paid, depositedLeft, putLeft, linked } = card.dataset;
  const of = kind()?.value ?? "";
  const method = radios("method").find((radio) => radio.checked)?.value;
  // A euro counts once each way: what is on the deposit since today was brought, or paid, when it was put there.
  const counted = of === "buy_in" && method === "deposit" ? cents - Number(depositedLeft) : of === "withdrawal" ? cents - Number(putLeft) : cents;
  const way = linked !== undefined ? "both" : of === "buy_in" || of === "deposit" ? "in" : "out";
  const before = { both: Number(brought) + Number(paid), in: Number(brought), out: Number(paid) }[way] ?? 0;
  return { way, before, after: before + Math.max(counted, 0), known: known !== undefined };
}

/** What is about to be brought or paid, in cents: of foreign notes what they are worth. @returns {number} */
function moves() {
  const field = byId("foreign-field");
  return (field && !field.hidden && Number(field.dataset.worth)) || centsOf(amount?.value ?? "");
}

function showRunning() {
  const running = byId("running");
  const sum = daySum();
  if (!running) return;
  running.hidden = !sum;
  if (!sum) return;
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (running.querySelectorAll("[data-way]"))) label.hidden = label.dataset.way !== sum.way;
  /** @type {HTMLElement} */ (running.querySelector("[data-fill=before]")).textContent = money(sum.before);
  /** @type {HTMLElement} */ (running.querySelector("[data-fill=after]")).textContent = money(sum.after);
  const until = running.querySelector("[data-until]");
  if (until instanceof HTMLElement) until.hidden = sum.known;
}

/** Say, while the amount is typed, that the day's sum is reached from which a document has to be seen. */
function showIdentity() {
  const line = byId("identity-needed");
  if (line) line.hidden = !isDocumentNeeded();
}

/** @returns {boolean} as the house will judge it on Enter, by what the card says of today */
function isDocumentNeeded() {
  const from = Number(till?.dataset.identityFrom);
  const sum = daySum();
  if (!from) return false;
  if (sum) return !sum.known && sum.after >= from;
  return !(/** @type {HTMLInputElement} */ (byId("till-player")).value) && moves() >= from;
}

/** Say, while the amount is typed, that the deposit would hold more than the book lets one hold, and what fits. */
function showDeposit() {
  const line = byId("deposit-full");
  const card = till?.querySelector("[data-chosen]");
  if (!line) return;
  const of = kind()?.value ?? "";
  const isOnto = of === "deposit" || (of !== "buy_in" && radios("method").find((radio) => radio.checked)?.value === "deposit");
  const fits = Number(till?.dataset.depositMax) - (card instanceof HTMLElement ? Number(card.dataset.deposit) : 0);
  line.hidden = !isOnto || !(card instanceof HTMLElement) || !(moves() > fits);
  /** @type {HTMLElement} */ (line.querySelector("[data-fill=fits]")).textContent = money(Math.max(fits, 0));
}

/** @param {string} sentence */
function sayWrong(sentence) {
  const place = byId("till-wrong");
  if (place) place.textContent = sentence;
  for (const line of [byId("identity-needed"), byId("deposit-full")]) if (line && sentence) line.hidden = true;
}

/** @param {string} value */
function chooseKind(value) {
  if (isTaking()) putBack();
  for (const radio of radios("kind")) radio.checked = radio.value === value;
  changed();
  (search?.value || till?.querySelector("[data-chosen]") ? amount : search)?.focus();
}

function changed() {
  showMethods();
  showRunning();
  showIdentity();
  showDeposit();
  sayWrong("");
}

// ---- Who ----------------------------------------------------------------------------------------------

const found = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#players [role=option]")]);

/** @param {number} step */
function moveChoice(step) {
  const options = found();
  if (!options.length) return;
  const now = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  const next = (now + step + options.length + (now < 0 && step < 0 ? 1 : 0)) % options.length;
  options.forEach((option, index) => option.setAttribute("aria-selected", String(index === next)));
  search?.setAttribute("aria-activedescendant", options[next].id);
}

/** Whether Enter came before the list for what was typed did: then the list chooses when it is there. */
let isHurried = false;

function choose() {
  const text = search?.value.trim() ?? "";
  const list = document.querySelector("#players [data-for]");
  isHurried = Boolean(text) && (!(list instanceof HTMLElement) || list.dataset.for !== text || !list.dataset.ready);
  if (isHurried) return;
  if (!text) {
    amount?.focus();
    return;
  }
  const options = found();
  const option = options.find((each) => each.getAttribute("aria-selected") === "true") ?? options[0];
  const button = option?.querySelector("button");
  // Nobody is added by a slip of the finger: a new player is chosen first, and then confirmed.
  if (button?.dataset.found === "" && option.getAttribute("aria-selected") !== "true") moveChoice(1);
  else button?.click();
}

function listed() {
  const list = document.querySelector("#players [data-for]");
  if (list instanceof HTMLElement) list.dataset.ready = "yes";
  search?.setAttribute("aria-expanded", String(found().length > 0));
  if (isHurried) choose();
}

function closeList() {
  isHurried = false;
  byId("players")?.replaceChildren();
  search?.setAttribute("aria-expanded", "false");
  search?.removeAttribute("aria-activedescendant");
}

/** The request for the card that the till waits for. A card that comes for somebody whom it has let go is dropped. @type {XMLHttpRequest | null} */
let cardAwaited = null;

/** @param {string} id */
function setPlayer(id) {
  if (!id) cardAwaited = null;
  /** @type {HTMLInputElement} */ (byId("till-player")).value = id;
  const field = byId("player-field");
  if (field) field.hidden = Boolean(id);
  if (!id) byId("player-card")?.replaceChildren();
}

function somebodyElse() {
  setPlayer("");
  if (search) search.value = "";
  closeList();
  showRunning();
  search?.focus();
}

// ---- A request that waits -----------------------------------------------------------------------------

/** @param {HTMLElement} button */
function take(button) {
  if (!till || !amount) return;
  clear();
  const { slip, version, player, name, cents, label, kind = "buy_in", paidBy, methods = "" } = button.dataset;
  till.dataset.methods = methods;
  /** @type {HTMLInputElement} */ (byId("till-slip")).value = slip ?? "";
  /** @type {HTMLInputElement} */ (byId("till-version")).value = version ?? "";
  const shown = /** @type {HTMLElement} */ (byId("till-request"));
  shown.hidden = false;
  /** @type {HTMLElement} */ (shown.querySelector("[data-fill=name]")).textContent = name ?? "";
  /** @type {HTMLElement} */ (shown.querySelector("[data-fill=label]")).textContent = label ?? "";
  for (const radio of radios("kind")) radio.checked = radio.value === kind;
  // A stack that was picked up is bought back onto its player's deposit.
  if (kind === "cash_out") for (const radio of radios("method")) radio.checked = radio.value === "deposit";
  // What was sold while Brush was down was paid as its slip on paper says.
  if (paidBy) for (const radio of radios("method")) radio.checked = radio.value === paidBy;
  amount.value = String(Number(cents) / 100).replace(".", ",");
  amount.readOnly = true;
  till.classList.add("is-taking");
  if (player) {
    setPlayer(player);
    window.htmx?.ajax("GET", `/cage/players/${player}/`, { target: "#player-card", swap: "innerHTML" });
  }
  changed();
  byId("till-go")?.focus();
}

function putBack() {
  clear();
  search?.focus();
}

function clear() {
  if (!till || !amount) return;
  till.reset();
  for (const id of ["till-slip", "till-version"]) /** @type {HTMLInputElement} */ (byId(id)).value = "";
  /** @type {HTMLElement} */ (byId("till-request")).hidden = true;
  amount.readOnly = false;
  delete till.dataset.methods;
  till.classList.remove("is-taking");
  setPlayer("");
  closeList();
  changed();
}

// ---- The question before money moves, the slip after it ------------------------------------------------

// Only when it has settled does htmx know the new form: an Enter before that would submit it the browser's way.
document.addEventListener("htmx:afterSettle", (event) => {
  const target = event.detail.target;
  if (!(target instanceof HTMLElement)) return;
  if (target === check) ask();
  else if (["identity", "refuse"].includes(target.id) && target instanceof HTMLDialogElement) openLoaded(target);
  else if (target.id === "players") listed();
  else if (target.id === "player-card") chosen();
  else if (target.id === "slip") slipShown(target);
});

/** @param {HTMLDialogElement} sheet */
function openLoaded(sheet) {
  if (!sheet.open) sheet.showModal();
  const first = sheet.querySelector("[data-first]");
  if (first instanceof HTMLElement) first.focus();
}

/** @param {HTMLElement} paper */
function slipShown(paper) {
  paper.scrollTo(0, 0);
  const made = paper.querySelector(".hand-over .pieces");
  if (made && changedPieces) made.replaceWith(changedPieces);
  changedPieces = null;
  const opener = isReversing ? paper.querySelector("[data-opens=reverse]") : null;
  isReversing = false;
  if (opener instanceof HTMLElement) opener.click();
}

// ---- What to hand over ---------------------------------------------------------------------------------

/** The pieces as the cashier has made them, until the slip is there. @type {HTMLElement | null} */
let changedPieces = null;

/** Change one piece into smaller ones, of the greatest value that makes it up. @param {HTMLElement} button */
function breakOne(button) {
  const list = /** @type {HTMLElement} */ (button.closest(".pieces"));
  const item = /** @type {HTMLElement} */ (button.closest("[data-value]"));
  const value = Number(item.dataset.value);
  const smaller = (list.dataset.values ?? "").split(" ").map(Number).find((each) => each < value && value % each === 0);
  if (!smaller) return;
  let into = /** @type {HTMLElement | null} */ (list.querySelector(`[data-value="${smaller}"]`));
  if (!into) {
    into = /** @type {HTMLElement} */ (item.cloneNode(true));
    into.dataset.value = String(smaller);
    /** @type {HTMLElement} */ (into.querySelector("strong")).textContent = money(smaller);
    addPieces(into, -countOf(into));
    const after = [...list.children].reverse().find((each) => Number(/** @type {HTMLElement} */ (each).dataset.value) > smaller);
    after?.after(into);
  }
  addPieces(into, value / smaller);
  addPieces(item, -1);
  const next = item.isConnected ? button : into.querySelector("button");
  if (next instanceof HTMLElement) next.focus();
}

/** How many pieces a row says. @param {HTMLElement} item */
const countOf = (item) => parseInt(item.querySelector(".piece-count")?.textContent ?? "0", 10);

/** Have a row of pieces say so many more; one whose last was broken goes. @param {HTMLElement} item @param {number} more */
function addPieces(item, more) {
  const now = countOf(item) + more;
  /** @type {HTMLElement} */ (item.querySelector(".piece-count")).textContent = `${now} ×`;
  if (!now && more === -1) item.remove();
}

/** The pieces as a list that nobody taps any more. @returns {HTMLElement | null} */
function piecesMade() {
  const list = check?.querySelector(".pieces")?.cloneNode(true);
  if (!(list instanceof HTMLElement)) return null;
  for (const button of list.querySelectorAll("button")) button.replaceWith(...button.childNodes);
  return list;
}

function ask() {
  const refused = check?.querySelector("[data-check-refused]");
  if (refused) {
    sayWrong(refused.textContent?.trim() ?? "");
    const mends = byId(refused.getAttribute("data-check-refused") || "-");
    check?.replaceChildren();
    const field = mends ?? (till?.querySelector("[data-chosen]") ? amount : search);
    field?.focus();
    // What is typed anew takes the place of what was wrong.
    if (field instanceof HTMLInputElement) field.select();
    return;
  }
  sayWrong("");
  // A second Enter before the sheet was there asked again, and confirmed nothing.
  if (!check?.open) check?.showModal();
  const first = check?.querySelector("[data-first]") ?? check?.querySelector("[data-go]");
  if (first instanceof HTMLElement) first.focus();
}

function chosen() {
  const card = till?.querySelector("[data-chosen]");
  if (!(card instanceof HTMLElement)) return;
  setPlayer(card.dataset.chosen ?? "");
  if (search) search.value = "";
  closeList();
  changed();
  (isTaking() ? byId("till-go") : amount)?.focus();
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.matches("[data-check]")) changedPieces = piecesMade();
  if (event.detail.target === byId("player-card")) cardAwaited = event.detail.xhr;
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target === byId("player-card") && event.detail.xhr !== cardAwaited) event.detail.shouldSwap = false;
});

document.addEventListener("htmx:afterRequest", (event) => {
  const { elt, successful } = event.detail;
  // What reversed a slip went away with it, and the focus too. What printed it is no more what Enter is for.
  if (successful && (elt === byId("slip") || elt.matches("[data-print-answer], [data-signed]"))) search?.focus();
  if (!successful || !(elt instanceof HTMLFormElement)) return;
  if (elt.matches("[data-vault]")) {
    // What is typed at the till stays: it may be the very payout that the fill is for.
    elt.reset();
    elt.closest("dialog")?.close();
  }
  if (elt.matches("[data-sheet-form]")) closeSheet(elt);
  // The button goes with the push: the next key belongs to the till.
  if (elt.matches(".request-received")) (isTaking() ? byId("till-go") : search)?.focus();
  if (!elt.matches("[data-check]")) return;
  check?.close();
  clear();
  search?.focus();
});

/** @param {HTMLFormElement} form what was loaded into a sheet, and is done */
function closeSheet(form) {
  form.closest("dialog")?.close();
  // The request that it ended may be the one that stands in the till.
  const slip = /** @type {HTMLInputElement | null} */ (byId("till-slip"));
  if (form.dataset.frees && form.dataset.frees === slip?.value) putBack();
  form.remove();
}

function readyForNext() {
  const paper = byId("slip");
  if (paper) paper.innerHTML = emptyPaper;
  clear();
  search?.focus();
}

// ---- Hands on keys and glass ----------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const on = (/** @type {string} */ selector) => (event.target instanceof Element ? event.target.closest(selector) : null);
  const request = on("[data-request]");
  const sum = on("[data-sum]");
  if (request instanceof HTMLElement) take(request);
  else if (sum instanceof HTMLElement && amount && !amount.readOnly) {
    const cents = (centsOf(amount.value) || 0) + Number(sum.dataset.sum) * 100;
    amount.value = String(cents / 100).replace(".", ",");
    amount.focus();
    changed();
  } else if (on("[data-break]")) breakOne(/** @type {HTMLElement} */ (on("[data-break]")));
  else if (on("[data-drop]")) putBack();
  else if (on("[data-unchoose]")) somebodyElse();
  else if (on("[data-next]")) readyForNext();
});

search?.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    moveChoice(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    event.preventDefault();
    choose();
  }
});
amount?.addEventListener("input", changed);
byId("foreign-field")?.addEventListener("input", changed);
till?.addEventListener("change", changed);

/** @type {Record<string, () => void>} */
const keys = {
  F7: somebodyElse,
  F8: () => {
    const first = document.querySelector("[data-request]");
    if (first instanceof HTMLElement) take(first);
  },
  F9: nextMethod,
};

/** With Shift: the sheets, by the button that opens each. @type {Record<string, string>} */
const sheets = { F2: "vault", F3: "reverse", F4: "close-drawer", F7: "identity", F8: "refuse" };
/** Whether a slip is on its way that is to be reversed. */
let isReversing = false;

/** @param {string} name @returns {Element | null} the button that opens a sheet, where there is one now */
function openerOf(name) {
  if (name === "identity") return document.querySelector("[data-identity]");
  if (name !== "refuse") return document.querySelector(`[data-opens="${name}"]`);
  const taken = /** @type {HTMLInputElement | null} */ (byId("till-slip"))?.value;
  return document.querySelector(taken ? `[data-refuse="${taken}"]` : "[data-refuse]");
}

/** @param {KeyboardEvent} event */
function openSheet(event) {
  const fills = document.querySelector("a[data-fills]");
  if (event.key === "F6" && fills instanceof HTMLElement) fills.click();
  if (event.key === "F9") receive(event);
  const name = sheets[event.key];
  if (!name) return;
  event.preventDefault();
  const opener = openerOf(name);
  const newest = document.querySelector("#window .slip-row");
  if (opener instanceof HTMLElement) opener.click();
  else if (name === "reverse" && newest instanceof HTMLElement && !byId("slip")?.querySelector("[data-slip]")) {
    isReversing = true;
    newest.click();
  }
}

/** Receive the money of the request that is taken, or else of the first for which somebody brings it. @param {KeyboardEvent} event */
function receive(event) {
  event.preventDefault();
  const taken = /** @type {HTMLInputElement | null} */ (byId("till-slip"))?.value;
  const button = document.querySelector(taken ? `[data-received="${taken}"]` : "[data-received]");
  if (button instanceof HTMLElement) button.click();
}

function backOut() {
  if (found().length) closeList();
  else if (isTaking() || amount?.value || search?.value || till?.querySelector("[data-chosen]")) putBack();
  else readyForNext();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "F10") {
    const signed = document.querySelector("[data-signed]");
    event.preventDefault();
    if (event.shiftKey && signed instanceof HTMLElement) signed.click();
    return;
  }
  if (!till) return;
  if (document.querySelector("dialog[open]")) {
    // In a sheet they do nothing here, and the browser's own (find, the address bar) would take the focus away.
    if (/^F([2-46-9])$/.test(event.key)) event.preventDefault();
    return;
  }
  if (event.shiftKey) {
    openSheet(event);
    return;
  }
  const wanted = radios("kind").find((radio) => radio.dataset.key === event.key);
  if (wanted) chooseKind(wanted.value);
  else if (event.key in keys) keys[event.key]();
  else if (event.key === "Escape") backOut();
  else return;
  event.preventDefault();
});

// The drawer was opened or closed elsewhere: the page has another till then.
const sessionOf = () => document.querySelector("#window [data-session]")?.getAttribute("data-session");
const sessionAtFirst = sessionOf();
window.addEventListener("brush:fragment", () => {
  if (sessionOf() !== sessionAtFirst && !document.querySelector("dialog[open]")) location.reload();
});

if (till) {
  changed();
  search?.focus();
}
// htmx hears what is typed once it is there: what was typed before that is looked for then.
window.addEventListener("load", () => {
  if (search?.value) search.dispatchEvent(new CustomEvent("brush:typed"));
});

// ---- What somebody carries for too long ---------------------------------------------------------------

showWhatIsDue();
setInterval(showWhatIsDue, 1000);
window.addEventListener("brush:fragment", showWhatIsDue);
