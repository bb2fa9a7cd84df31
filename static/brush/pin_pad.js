// The PIN pad: keys for fingers, digits from a keyboard, the wait after a wrong PIN, and the secret behind the taps to come.
//
// Changing one's PIN happens here too: the old one, the new one, the new one once more. A PIN that somebody else
// set leads there by itself when it is typed, and once it is changed the new one signs in.

import { newProof } from "./proof.js";

/** @param {HTMLFormElement} form @param {string} name */
function field(form, name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
}

/** @param {Event} event @returns {string} the code of the refusal that a request came back with, "" for none */
function refusalCode(event) {
  const { xhr } = /** @type {CustomEvent} */ (event).detail;
  return xhr.status < 500 ? (xhr.responseText.match(/data-code="(\w+)"/)?.[1] ?? "") : "";
}

/** @param {HTMLFormElement} pad */
function begin(pad) {
  const pin = field(pad, "pin");
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

  const change = changing(pad, pin);

  pad.addEventListener("click", (event) => {
    const key = event.target instanceof Element ? event.target.closest("[data-digit], [data-erase]") : null;
    if (!(key instanceof HTMLElement)) return;
    if (key.dataset.digit) type(key.dataset.digit);
    else erase();
  });
  // Another name: what was typed was meant for the one before.
  pad.addEventListener("change", (event) => {
    if (event.target === pin) return;
    pin.value = "";
    change.another();
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
  // Only a table's tablet has taps that wait.
  let hasBegunProof = false;
  pad.addEventListener("htmx:confirm", (event) => {
    if (hasBegunProof || event.defaultPrevented || !field(pad, "proof")) return;
    event.preventDefault();
    hasBegunProof = true;
    newProof().then((hash) => {
      field(pad, "proof").value = hash;
      /** @type {CustomEvent} */ (event).detail.issueRequest(true);
    });
  });
  for (const form of [pad, change.form]) {
    form.addEventListener("htmx:afterRequest", (event) => {
      const { successful, xhr } = /** @type {CustomEvent} */ (event).detail;
      if (successful) return;
      if (form === pad && refusalCode(event) === "secret_to_be_changed") change.choose(pin.value);
      pin.value = "";
      const seconds = Number(xhr.getResponseHeader("Retry-After"));
      if (xhr.status < 500 && seconds > 0) waitsUntil = performance.now() + seconds * 1000;
      refresh();
    });
  }
}

/**
 * Let somebody change their PIN on the pad: what is typed goes from step to step, and is sent at the last one.
 * @param {HTMLFormElement} pad
 * @param {HTMLInputElement} pin
 */
function changing(pad, pin) {
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-pin-change]"));
  const button = pad.querySelector("[data-change]");
  const steps = /** @type {NodeListOf<HTMLElement>} */ (pad.querySelectorAll("[data-step]"));
  /** @type {"" | "old" | "new" | "again"} */
  let step = "";
  let signsIn = false;

  /** @param {"" | "old" | "new" | "again"} next @param {string} [says] */
  const go = (next, says = next) => {
    step = next;
    pin.value = "";
    pin.placeholder = pad.dataset[next ? `${next}Label` : "label"] ?? "";
    for (const each of steps) each.hidden = each.dataset.step !== says;
    button?.setAttribute("aria-pressed", String(next !== ""));
  };
  /** @param {string} [says] */
  const end = (says = "") => {
    signsIn = false;
    form.reset();
    go("", says);
  };
  /** Go on to the new PIN, and sign in by it. @param {string} old */
  const choose = (old) => {
    field(form, "pin").value = old;
    signsIn = true;
    go("new");
  };

  /** Another name was chosen: what was typed so far was not theirs. */
  const another = () => (step === "old" ? go("old") : end());

  button?.addEventListener("click", () => {
    if (step) end();
    else go("old");
  });
  pad.addEventListener("htmx:confirm", (event) => {
    if (!step) return;
    // Nothing is sent before the last step.
    event.preventDefault();
    event.stopPropagation();
    const typed = pin.value;
    if (step === "old") {
      field(form, "pin").value = typed;
      go("new");
    } else if (step === "new") {
      field(form, "new_pin").value = typed;
      go("again");
    } else if (typed === field(form, "new_pin").value) {
      field(form, "staff_id").value = String(new FormData(pad).get("staff_id"));
      form.requestSubmit();
    } else {
      go("new", "differs");
    }
  });
  form.addEventListener("htmx:afterRequest", (event) => {
    if (/** @type {CustomEvent} */ (event).detail.successful) {
      const [takesOver, chosen] = [signsIn, field(form, "new_pin").value];
      end("changed");
      if (!takesOver) return;
      pin.value = chosen;
      pad.requestSubmit();
    } else if (["pin_too_simple", "same_secret"].includes(refusalCode(event))) {
      go("new");
    } else if (refusalCode(event)) {
      end();
    }
  });
  return { form, choose, another };
}

for (const pad of document.querySelectorAll("form[data-pin-pad]")) {
  if (pad instanceof HTMLFormElement) begin(pad);
}
