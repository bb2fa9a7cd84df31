// The floor's pages: sheets open with a tap and close when it is done; lines of the to-do appear in time.

import { showWhatIsDue } from "./due.js";
import { centsOf, money } from "./money.js";
import { fill } from "./words.js";

const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("sheet"));
const content = document.getElementById("sheet-content");

// Once its fields listen: what is typed into a sheet the moment it opens is not lost.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target !== content || !sheet) return;
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
  const first = content?.querySelector("[autofocus]");
  if (first instanceof HTMLElement) first.focus();
});

// A tap was carried out: what it was asked on lies open no longer.
document.addEventListener("brush:done", () => {
  if (sheet?.open) sheet.close("done");
});
sheet?.addEventListener("close", () => content?.replaceChildren());

// A player's pass is printed from where it is shown: it is shown only once.
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-prints]")) window.print();
});

document.addEventListener("click", (event) => {
  const fill = event.target instanceof Element ? event.target.closest("[data-fills]") : null;
  if (!(fill instanceof HTMLElement)) return;
  const input = document.getElementById(fill.dataset.fills ?? "");
  if (!(input instanceof HTMLInputElement)) return;
  input.value = fill.dataset.with ?? "";
  input.dispatchEvent(new Event("input", { bubbles: true }));
});

// Where a player goes is a tap, and the stack may be asked for after it: Enter goes where the tap meant, and nowhere
// without one.
document.addEventListener("click", (event) => {
  const choice = event.target instanceof Element ? event.target.closest("[data-choice]") : null;
  for (const each of choice?.closest("form")?.querySelectorAll("[data-choice]") ?? []) each.classList.toggle("primary", each === choice);
});
document.addEventListener("keydown", (event) => {
  const form = event.key === "Enter" && event.target instanceof HTMLInputElement ? event.target.closest("[data-choices]") : null;
  if (!form) return;
  event.preventDefault();
  const meant = form.querySelector("[data-choice].primary");
  if (meant instanceof HTMLButtonElement) meant.click();
});

// The question before a player leaves names the stack that was typed; of one that cannot be, or of such tips, it says so,
// and asks too where nothing is asked otherwise.
/** @param {HTMLFormElement} form */
function askAbove(form) {
  const fields = new FormData(form);
  const typed = String(fields.get("stack") ?? fields.get("counted") ?? "").trim();
  const cents = centsOf(typed);
  const isTooMuch = cents > Number(form.dataset.mostCents ?? Infinity);
  const { question, player, tooMuch, stands, recount } = form.dataset;
  if (question === undefined) {
    if (isTooMuch) Object.assign(form.dataset, { confirm: tooMuch, confirmYes: stands, confirmNo: recount });
    else delete form.dataset.confirm;
    return;
  }
  const doubt = isTooMuch ? `${tooMuch} ` : "";
  const stack = Number.isNaN(cents) ? typed : money(cents);
  form.dataset.confirm = typed ? doubt + fill(question, { player, stack }) : "";
}
document.addEventListener("input", (event) => {
  const form = event.target instanceof Element ? event.target.closest("[data-most-cents]") : null;
  if (form instanceof HTMLFormElement) askAbove(form);
});
// A stack that is known is filled in, and nobody types.
document.addEventListener("htmx:afterSettle", (event) => {
  if (!(event.target instanceof Element)) return;
  for (const form of event.target.querySelectorAll("[data-most-cents]:not([data-question])")) {
    if (form instanceof HTMLFormElement) askAbove(form);
  }
});

// A name that is tapped stays: what was typed before it may be answered after it.
document.addEventListener("change", (event) => {
  const candidates = event.target instanceof Element ? event.target.closest("#candidates") : null;
  if (candidates instanceof HTMLElement) candidates.dataset.isChosen = "";
});
document.addEventListener("input", (event) => {
  if (event.target instanceof Element && event.target.matches("[hx-target='#candidates']")) {
    delete document.getElementById("candidates")?.dataset.isChosen;
  }
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (detail.target.id === "candidates" && "isChosen" in detail.target.dataset) detail.shouldSwap = false;
});

showWhatIsDue();
setInterval(showWhatIsDue, 500);
window.addEventListener("brush:fragment", showWhatIsDue);

// Which of the three a phone shows survives a reload.
const key = `brush.shown.${location.pathname}`;
for (const choice of document.querySelectorAll(".phone-tabs input")) {
  if (!(choice instanceof HTMLInputElement)) continue;
  if (sessionStorage.getItem(key) === choice.id) choice.checked = true;
  choice.addEventListener("change", () => sessionStorage.setItem(key, choice.id));
}
