// The PIN pad: keys for fingers, digits from a keyboard, the wait after a wrong PIN, and the secret behind the taps to come.

import { newProof } from "./proof.js";

/** @param {HTMLFormElement} pad */
function begin(pad) {
  const pin = /** @type {HTMLInputElement} */ (pad.elements.namedItem("pin"));
  const wait = /** @type {HTMLElement} */ (pad.querySelector("[data-wait]"));
  const seconds = /** @type {HTMLElement} */ (pad.querySelector("[data-wait-seconds]"));
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (pad.querySelectorAll(".keypad .button"));
  let waitsUntil = 0;

  /** @param {string} digit */
  const type = (digit) => {
    if (pin.value.length < 8 && performance.now() >= waitsUntil) pin.value += digit;
  };
  const erase = () => {
    pin.value = pin.value.slice(0, -1);
  };
  const refresh = () => {
    const left = Math.ceil((waitsUntil - performance.now()) / 1000);
    const waits = left > 0;
    pad.classList.toggle("is-waiting", waits);
    wait.hidden = !waits;
    seconds.textContent = waits ? String(left) : "";
    for (const button of buttons) button.disabled = waits;
    if (waits) setTimeout(refresh, 250);
  };

  pad.addEventListener("click", (event) => {
    const key = event.target instanceof Element ? event.target.closest("[data-digit], [data-erase]") : null;
    if (!(key instanceof HTMLElement)) return;
    if (key.dataset.digit) type(key.dataset.digit);
    else erase();
  });
  // Another name: what was typed was meant for the one before.
  pad.addEventListener("change", (event) => {
    if (event.target !== pin) pin.value = "";
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && !["radio", "button"].includes(event.target.type);
    if (typing || event.ctrlKey || event.metaKey || event.altKey || pad.closest("dialog:not([open])")) return;
    if (/^[0-9]$/.test(event.key)) type(event.key);
    else if (event.key === "Backspace") erase();
    else if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement)) pad.requestSubmit();
    else return;
    event.preventDefault();
  });
  // Before the first try the page makes its secret; one without goes on all the same, and its late taps wait for the floor.
  let hasAsked = false;
  pad.addEventListener("htmx:confirm", (event) => {
    const proof = /** @type {HTMLInputElement | null} */ (pad.elements.namedItem("proof"));
    if (!proof || hasAsked) return;
    event.preventDefault();
    hasAsked = true;
    newProof().then((hash) => {
      proof.value = hash;
      /** @type {CustomEvent} */ (event).detail.issueRequest(true);
    });
  });
  pad.addEventListener("htmx:afterRequest", (event) => {
    const { successful, xhr } = /** @type {CustomEvent} */ (event).detail;
    if (successful) return;
    pin.value = "";
    const asked = Number(xhr.getResponseHeader("Retry-After"));
    if (xhr.status < 500 && asked > 0) waitsUntil = performance.now() + asked * 1000;
    refresh();
  });
}

for (const pad of document.querySelectorAll("form[data-pin-pad]")) {
  if (pad instanceof HTMLFormElement) begin(pad);
}
