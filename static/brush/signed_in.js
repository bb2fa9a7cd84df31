// A sign-in can end while its page is open: by time, by a tap elsewhere, with a new PIN or password, with a shift; and in
// another tab of the same browser somebody else can sign in. A page of a sign-in asks the server when its socket was shut,
// when the server is back after an absence, when somebody looks at it again, and when a tap was told so.
//
// A tablet begins anew, at its PIN pad. At a desktop the page stays as it is, with all that was typed, and a sheet over it
// takes the password of the same person; where somebody else is signed in it says so, and takes nobody's place. Then the
// page goes on (`brush:signed-out` and `brush:signed-in` tell the socket).

import { headersFor, newTap, showRefusal } from "./commands.js";

const LOOK_AGAIN_MS = 30_000;
const mine = document.documentElement.dataset.signIn ?? "";
const again = /** @type {HTMLDialogElement | null} */ (document.getElementById("sign-in-again"));
const another = /** @type {HTMLDialogElement | null} */ (document.getElementById("signed-in-as-another"));
let wasAway = false;

async function look() {
  try {
    const headers = { Accept: "application/json", "X-Sign-In": mine };
    const { status } = await fetch("/api/v1/door", { headers, cache: "no-store" });
    // 403 ends a tablet's sign-in; at a desktop, which is no device and is not asked for one, somebody is signed in.
    if (status === 401 || (status === 403 && !again)) ended(again);
    else if (status === 409) ended(another);
    else if (status < 500) goOn();
  } catch {
    // Nobody answers: the page goes on, and asks again when the server is back.
  }
}

/** @param {HTMLDialogElement | null} sheet - what is to lie over the page; a tablet has none */
function ended(sheet) {
  if (!sheet) location.reload();
  else if (!sheet.open) {
    for (const other of [again, another]) other?.close();
    sheet.showModal();
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
    const answer = await fetch(`/api/v1/sign-in?room=${encodeURIComponent(form.dataset.room ?? "")}`, { method: "POST", headers, body });
    if (answer.ok) goOn();
    else if (answer.status === 409) await look();
    else showRefusal(place, { sentence: (await answer.json()).detail });
  } catch {
    showRefusal(place, {});
  } finally {
    button.disabled = false;
    if (again?.open) password.focus();
  }
}

function goOn() {
  if (!again?.open && !another?.open) return;
  const refusals = "[data-code=not_signed_in], [data-code=signed_in_as_another], #sign-in-again [role=alert]";
  for (const each of document.querySelectorAll(refusals)) each.remove();
  for (const sheet of [again, another]) sheet?.close();
  window.dispatchEvent(new CustomEvent("brush:signed-in"));
}

for (const sheet of [again, another]) sheet?.addEventListener("cancel", (event) => event.preventDefault());
again?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target instanceof HTMLFormElement) signIn(event.target);
});
another?.querySelector("[data-look]")?.addEventListener("click", look);

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
  const { status, responseText } = event.detail.xhr;
  if (status === 401 || /data-code="(signed_in_as_another|sign_in_ended)"/.test(responseText)) look();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) look();
});
// A page that hears nothing by itself.
setInterval(() => {
  if (!document.hidden && !document.querySelector("[data-audience]")) look();
}, LOOK_AGAIN_MS);
