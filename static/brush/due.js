// What is shown from a moment on (`data-from`), until another (`data-until`): the clock is asked, not the server.

import { serverNow } from "./clock.js";

export function showWhatIsDue() {
  const now = serverNow();
  /** @type {NodeListOf<HTMLElement>} */
  const lines = document.querySelectorAll("[data-from]");
  for (const { classList, dataset } of lines) {
    const isOver = dataset.until !== undefined && Date.parse(dataset.until) <= now;
    classList.toggle("is-due", Date.parse(dataset.from ?? "") <= now && !isOver);
  }
}
