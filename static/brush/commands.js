// Taps on their way to the server, and what it says when it refuses.
//
// A button or form posts with `hx-post`. This module gives each tap its command id (the same one when the
// same tap is repeated because nobody answered: it happens only once), the moment of the tap by the server's
// clock, and the CSRF token that holds now. A tap that is under way is not sent twice.
//
// A refusal appears where the tap was: in the element that the nearest `hx-target-error` names (a selector),
// else in the nearest `[data-refusal]`, else at the page's foot. It stays until it is read, or until a tap
// from the same place is carried out.
//
// `data-confirm` asks first: see confirm.js. Commands of other scripts take their headers from `headersFor`.

import { serverNow } from "./clock.js";
import { ask } from "./confirm.js";
import { t } from "./words.js";
import { setWaiting } from "./strip.js";

/** @typedef {{id: string, tappedAt: string}} Tap */

/** Taps without an answer yet, by what they ask for. @type {Map<string, Tap>} */
const unanswered = new Map();
/** Requests under way: when they began. @type {Map<XMLHttpRequest, number>} */
const underWay = new Map();
/** @type {WeakSet<Element>} */
const busy = new WeakSet();
/** @type {WeakMap<Element, string>} */
const asksFor = new WeakMap();

/**
 * Return a new command id. `crypto.randomUUID` needs HTTPS, which a plain `make run` does not have.
 * @returns {string}
 */
export function newCommandId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Return a new tap: its id, and its moment by the server's clock. @returns {Tap} */
export function newTap() {
  return { id: newCommandId(), tappedAt: new Date(serverNow()).toISOString() };
}

/**
 * Return the headers that a command travels with.
 * @param {Tap} tap
 * @returns {Record<string, string>}
 */
export function headersFor(tap) {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/);
  return {
    "Idempotency-Key": tap.id,
    "X-Tapped-At": tap.tappedAt,
    "X-CSRFToken": cookie ? decodeURIComponent(cookie[1]) : "",
    // Whose page this is: in another tab somebody else may have signed in since.
    "X-Sign-In": document.documentElement.dataset.signIn ?? "",
  };
}

/** @param {string} verb @param {string} path @param {FormData | Record<string, unknown>} parameters */
function keyOf(verb, path, parameters) {
  const entries = parameters instanceof FormData ? [...parameters.entries()] : Object.entries(parameters);
  return JSON.stringify([verb, path, entries.map(([key, value]) => [key, String(value)])]);
}

/**
 * Return the element where a refusal of this element's tap belongs.
 * @param {Element} element
 * @returns {HTMLElement}
 */
export function refusalPlace(element) {
  const named = element.closest("[hx-target-error]")?.getAttribute("hx-target-error");
  const found = named ? document.querySelector(named) : null;
  if (found instanceof HTMLElement) return found;
  for (let around = /** @type {Element | null} */ (element); around; around = around.parentElement) {
    const place = around.matches("[data-refusal]") ? around : around.querySelector("[data-refusal]");
    // A slot of somebody else's sheet is not where this tap was.
    if (place instanceof HTMLElement && (!place.closest("dialog") || place.closest("dialog")?.contains(element))) {
      return place;
    }
  }
  return /** @type {HTMLElement} */ (document.getElementById("refusal"));
}

/**
 * Show a refusal that the server wrote, or a sentence.
 * @param {HTMLElement} place
 * @param {{html?: string, sentence?: string}} refusal
 */
export function showRefusal(place, { html, sentence }) {
  const shown = place.isConnected ? place : (document.getElementById(place.id) ?? document.getElementById("refusal"));
  const made = document.createElement("template");
  made.innerHTML = html ?? "";
  let refusal = made.content.querySelector("[role=alert]");
  if (!refusal) {
    refusal = document.createElement("div");
    refusal.className = "refusal";
    refusal.setAttribute("role", "alert");
    const text = document.createElement("p");
    text.className = "refusal-sentence";
    text.textContent = sentence ?? t("broken");
    const read = document.createElement("button");
    read.type = "button";
    read.className = "button quiet";
    read.dataset.read = "";
    read.textContent = t("read");
    refusal.append(text, read);
  }
  shown?.replaceChildren(refusal);
  refusal.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  const read = event.target instanceof Element ? event.target.closest("[data-read]") : null;
  read?.closest("[role=alert]")?.remove();
});

/** What a form was sent by last. @type {WeakMap<HTMLFormElement, Element>} */
const lastOf = new WeakMap();

// Said on purpose, with a button of its own: Enter in the form would only ask again.
document.addEventListener("click", (event) => {
  const again = event.target instanceof Element ? event.target.closest("[data-again]") : null;
  const form = again?.closest("form");
  if (!(again instanceof HTMLElement) || !form) return;
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: again.dataset.again || "again", value: "1" });
  form.append(field);
  // A form may have several buttons that each send it elsewhere: the one that was refused is meant.
  const refused = lastOf.get(form);
  if (refused instanceof HTMLButtonElement) refused.click();
  else form.requestSubmit();
  field.remove();
});

document.addEventListener("htmx:confirm", (event) => {
  const { elt, verb, issueRequest } = event.detail;
  if (verb === "get") return;
  if (busy.has(elt)) {
    event.preventDefault();
    return;
  }
  const asking = elt.closest("[data-confirm]");
  const submitter = event.detail.triggeringEvent?.submitter;
  const asks = submitter?.dataset.confirm ? submitter : asking;
  if (!(asks instanceof HTMLElement)) return;
  event.preventDefault();
  const { confirm = "", confirmYes, confirmNo } = asks.dataset;
  // A fragment that comes meanwhile would take away what asked, and htmx sends nothing for what is gone.
  const region = elt.closest("[data-audience]");
  if (region instanceof HTMLElement) region.dataset.hold = "asks";
  ask(confirm, { yes: confirmYes, no: confirmNo }).then((yes) => {
    if (yes) {
      // Of several buttons htmx sends the one that has the focus, which went to the question.
      submitter?.focus();
      issueRequest(true);
    }
    if (region instanceof HTMLElement) delete region.dataset.hold;
    document.dispatchEvent(new CustomEvent("brush:release"));
  });
});

document.addEventListener("htmx:configRequest", (event) => {
  const { elt, verb, path, parameters, formData, headers } = event.detail;
  if (verb === "get") return;
  const key = keyOf(verb, path, formData ?? parameters);
  const tap = unanswered.get(key) ?? newTap();
  unanswered.set(key, tap);
  asksFor.set(elt, key);
  Object.assign(headers, headersFor(tap), { "X-Shown-On": document.getElementById("live")?.dataset.audience ?? "" });
  // A PIN pad is whoever's types there, whose page it was before.
  if (elt.closest("[data-pin-pad], [data-pin-change]")) headers["X-Sign-In"] = "";
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, xhr, requestConfig } = event.detail;
  if (requestConfig.verb === "get") return;
  const place = refusalPlace(elt);
  const key = asksFor.get(elt) ?? "";
  const form = elt.closest("form");
  if (form) lastOf.set(form, elt);
  busy.add(elt);
  underWay.set(xhr, Date.now());
  count();
  // Listened for here and not through htmx's events: a fragment may have replaced the element meanwhile.
  xhr.addEventListener("load", () => {
    answered(xhr, key, place);
    if (xhr.status < 500 && /data-code="wrong_(pin|password)"/.test(xhr.responseText)) emptySecrets(elt);
  });
  xhr.addEventListener("error", () => showRefusal(place, { sentence: t("unanswered") }));
  xhr.addEventListener("timeout", () => showRefusal(place, { sentence: t("unanswered") }));
  xhr.addEventListener("loadend", () => {
    busy.delete(elt);
    underWay.delete(xhr);
    count();
  });
});

/** @param {XMLHttpRequest} xhr @param {string} key @param {HTMLElement} place */
function answered(xhr, key, place) {
  // What failed in the server was not stored: the same tap may come again under its id.
  if (xhr.status < 500) unanswered.delete(key);
  if (xhr.status < 400) place.querySelector("[role=alert]")?.remove();
  else if (xhr.status < 500 || xhr.status === 503) showRefusal(place, { html: xhr.responseText });
  else showRefusal(place, { sentence: t("broken") });
}

/** What was wrong is typed anew, not after it. @param {Element} element - whose tap it was */
function emptySecrets(element) {
  const secrets = [...(element.closest("form")?.querySelectorAll("input[type=password]") ?? [])];
  for (const secret of secrets) /** @type {HTMLInputElement} */ (secret).value = "";
  if (secrets[0] instanceof HTMLElement) secrets[0].focus();
}

function count() {
  setWaiting("page", underWay.size, Math.min(...underWay.values()));
}
