// A sign-in can end while its page is open: by time, by a tap elsewhere, with a new PIN or password, with a shift. A page of
// a sign-in asks at the door when its socket was shut, when the server is back after an absence, when somebody looks at it
// again, and when a tap was told that nobody is signed in.
//
// A tablet begins anew, at its PIN pad. At a desktop the page stays as it is, with all that was typed, and a sheet over it
// takes the password of the same person; then it goes on (`brush:signed-out` and `brush:signed-in`
// tell the socket).

import { headersFor, newTap, showRefusal } from "./commands.js";

const LOOK_AGAIN_MS = 30_000;
const mine = document.documentElement.dataset.signIn;
const again = /** @type {HTMLDialogElement | null} */ (document.getElementById("sign-in-again"));
let wasAway = false;

async function look() {
  if (again?.open) return;
  try {
    const answer = await fetch("/api/v1/door", { headers: { Accept: "application/json" }, cache: "no-store" });
    if (answer.status === 401 || (mine && answer.ok && (await answer.json()).sign_in_id !== mine)) ended();
  } catch {
    // Nobody answers: the page goes on, and asks again when the server is back.
  }
}

function ended() {
  if (!again) location.reload();
  else if (!again.open) {
    again.showModal();
    window.dispatchEvent(new CustomEvent("brush:signed-out"));
  }
}

/** @param {HTMLFormElement} form */
async function signIn(form) {
  const password = /** @type {HTMLInputElement} */ (form.elements.namedItem("password"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("[data-go-on]"));
  const place = /** @type {HTMLElement} */ (form.querySelector("[data-refusal]"));
  const body = JSON.stringify({ username: form.dataset.username, password: password.value });
  password.value = "";
  button.disabled = true;
  try {
    const headers = { ...headersFor(newTap()), "Content-Type": "application/json", Accept: "application/json" };
    const answer = await fetch("/api/v1/sign-in", { method: "POST", headers, body });
    if (answer.ok) goOn();
    else showRefusal(place, { sentence: (await answer.json()).detail });
  } catch {
    showRefusal(place, {});
  } finally {
    button.disabled = false;
    if (again?.open) password.focus();
  }
}

function goOn() {
  for (const said of document.querySelectorAll("[data-code=not_signed_in], #sign-in-again [role=alert]")) said.remove();
  again?.close();
  window.dispatchEvent(new CustomEvent("brush:signed-in"));
}

again?.addEventListener("cancel", (event) => event.preventDefault());
again?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target instanceof HTMLFormElement) signIn(event.target);
});

window.addEventListener("brush:revoked", look);
window.addEventListener("brush:connection", (event) => {
  const { state } = /** @type {CustomEvent} */ (event).detail;
  if (state === "gone") wasAway = true;
  else if (state === "refused" || (state === "live" && wasAway)) {
    wasAway = false;
    look();
  }
});
document.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.status === 401) look();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) look();
});
// A page that hears nothing by itself.
setInterval(() => {
  if (!document.hidden && !document.querySelector("[data-audience]")) look();
}, LOOK_AGAIN_MS);
