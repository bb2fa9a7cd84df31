// Destructive acts ask once, in words.
//
//   <button hx-post="…" data-confirm="Void hand 214 and give back 86 €?"
//           data-confirm-yes="Void it" data-confirm-no="Keep it">
//
// Screens that send by other means call `ask()`. The safe answer lies under the thumb and has the focus;
// Escape and a tap beside the sheet are the safe answer too.

import { t } from "./words.js";

/**
 * Ask, and return whether the answer was yes.
 * @param {string} question
 * @param {{yes?: string, no?: string}} [answers]
 * @returns {Promise<boolean>}
 */
export function ask(question, answers = {}) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("confirm"));
  // What follows the question mark says what it leads to: whoever asks themselves "what did I tap?" reads one line.
  const end = question.indexOf("? ") < 0 ? question.length : question.indexOf("? ") + 1;
  const put = (/** @type {string} */ selector, /** @type {string} */ text) => {
    const element = dialog.querySelector(selector);
    if (element) element.textContent = text;
  };
  put("#confirm-question strong", question.slice(0, end));
  put("#confirm-question span", question.slice(end));
  put("[data-yes]", answers.yes || t("yes"));
  put("[data-no]", answers.no || t("no"));
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

document.addEventListener("click", (event) => {
  const dialog = event.target;
  // A tap beside a sheet lands on the dialog itself; its content covers all of its inside.
  if (dialog instanceof HTMLDialogElement && dialog.matches(".sheet") && !dialog.dataset.stays) dialog.close("no");
});

document.addEventListener("click", (event) => {
  const opener = event.target instanceof Element ? event.target.closest("[data-opens], [data-closes]") : null;
  if (!(opener instanceof HTMLElement)) return;
  const sheet = opener.dataset.opens ? document.getElementById(opener.dataset.opens) : opener.closest("dialog");
  if (!(sheet instanceof HTMLDialogElement)) return;
  if (opener.dataset.opens) sheet.showModal();
  else sheet.close("no");
});
