// The auditor's pack: a form that the browser sends itself, because its answer is a file. The page stays, so each tap
// takes a command id of its own, and says that it is under way until the list of packs, which is pushed, has that one.

import { newCommandId } from "./commands.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-pack]"));
/** The commands of this page whose packs have not come yet. */
const underWay = /** @type {Set<string>} */ (new Set());

function say() {
  const made = [...underWay].filter((id) => document.querySelector(`[data-made-by="${id}"]`));
  for (const id of made) underWay.delete(id);
  show("[data-under-way]", underWay.size > 0);
  show("[data-made]", made.length > 0 && underWay.size === 0);
}

/** @param {string} selector @param {boolean} isShown */
function show(selector, isShown) {
  const says = form?.querySelector(selector);
  if (says instanceof HTMLElement) says.hidden = !isShown;
}

form?.addEventListener("submit", () => {
  const id = form.elements.namedItem("command_id");
  if (!(id instanceof HTMLInputElement)) return;
  id.value = newCommandId();
  underWay.add(id.value);
  say();
});
window.addEventListener("brush:fragment", (event) => {
  if (/** @type {CustomEvent} */ (event).detail.audience === "packs" && underWay.size > 0) say();
});
