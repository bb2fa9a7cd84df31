// The auditor's pack: a form that the browser sends itself, because its answer is a file. The page stays, so each tap
// takes a command id of its own, and says that it is under way until the browser has the file.

import { newCommandId } from "./commands.js";

document.addEventListener("submit", (event) => {
  const form = event.target instanceof HTMLFormElement && event.target.matches("[data-pack]") ? event.target : null;
  if (!form) return;
  const id = form.elements.namedItem("command_id");
  if (id instanceof HTMLInputElement) id.value = newCommandId();
  const says = form.querySelector("[data-under-way]");
  if (says instanceof HTMLElement) says.hidden = false;
});
