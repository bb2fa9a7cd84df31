// The screen's one socket: whole fragments come in, the newer one is shown, nothing is ever asked for.
//
// Every element with `data-audience` (and `data-stamp`, written by the server) is a region. Its children are
// replaced when a frame with a greater stamp arrives. Scroll positions, focus and open <details> survive by
// id, and so do refusals that nobody has read. Inputs live outside regions. The frames: casino/live/wire.py.
//
// What changed glows: an element with `data-glow="<key>"` whose text differs from before gets the class
// `changed` for a second; when its `data-state` differs, `data-was` holds the old one meanwhile.
//
// A region that must not move under a finger is held: while it is pressed by itself, while a screen's own
// script has set `data-hold` on it (it then dispatches `brush:release`) as long as it likes.
//
// Events on window: `brush:fragment` {audience, stamp, region}, `brush:connection` {state}, `brush:revoked`, and
// with each tick of a server whose scripts are others than this page's `brush:newer` {files}.

import { hearTick, refreshTimes } from "./clock.js";
import { heardServer, setConnection } from "./strip.js";

/** The server ticks once a second. */
const GONE_MS = 2000;
const DEAD_MS = 5000;
const PRESS_MS = 1500;
/** A click follows its pointerup at once; a region replaced in between would swallow the tap. */
const CLICK_MS = 60;
const RETRY_MS = [100, 300, 600, 1000, 2000];

/** @typedef {{t: "fragment", a: string, s: number[], html: string}} FragmentFrame */

/** @type {WebSocket | null} */
let socket = null;
let heardAt = Date.now();
let openedAt = 0;
let tries = 0;
let retryTimer = 0;
let isRefused = false;
let watched = "";
/** @type {Map<HTMLElement, FragmentFrame>} */
const held = new Map();
/** @type {HTMLElement | null} */
let pressed = null;
let pressTimer = 0;

/**
 * Say whether stamp `a` is newer than stamp `b`: compared number by number, no stamp is oldest.
 * @param {number[]} a
 * @param {number[]} b
 */
export function isNewer(a, b) {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? -Infinity) - (b[i] ?? -Infinity);
    if (difference) return difference > 0;
  }
  return false;
}

/** @param {HTMLElement} region @returns {number[]} */
function stampOf(region) {
  return region.dataset.stamp ? region.dataset.stamp.split(",").map(Number) : [];
}

/** @param {string} audience */
function regionsOf(audience) {
  return everyRegion().filter((region) => region.dataset.audience === audience);
}

function everyRegion() {
  return /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-audience]")]);
}

/**
 * Show a fragment wherever its audience is on this page, unless something as new is shown already.
 * @param {FragmentFrame} frame
 */
export function show(frame) {
  for (const region of regionsOf(frame.a)) {
    const before = held.get(region);
    if (!isNewer(frame.s, stampOf(region)) || (before && !isNewer(frame.s, before.s))) continue;
    if (region === pressed || region.dataset.hold) held.set(region, frame);
    else replace(region, frame);
  }
}

/** @param {HTMLElement} region @param {FragmentFrame} frame */
function replace(region, frame) {
  const restore = remember(region);
  const made = document.createElement("template");
  made.innerHTML = frame.html;
  region.replaceChildren(made.content);
  region.dataset.stamp = frame.s.join(",");
  restore();
  window.htmx?.process(region);
  refreshTimes(region);
  window.dispatchEvent(new CustomEvent("brush:fragment", { detail: { audience: frame.a, stamp: frame.s, region } }));
}

/** @param {HTMLElement} region */
const glowing = (region) => /** @type {HTMLElement[]} */ ([...region.querySelectorAll("[data-glow]")]);

/**
 * Note what a reader would miss, and return what brings it back into the new content.
 * @param {HTMLElement} region
 * @returns {() => void}
 */
function remember(region) {
  const glows = new Map();
  for (const element of glowing(region)) {
    glows.set(element.dataset.glow, { text: element.textContent, state: element.dataset.state });
  }
  const kept = [...region.querySelectorAll("[id]")].map((element) => ({
    id: element.id,
    top: element.scrollTop,
    left: element.scrollLeft,
    open: element instanceof HTMLDetailsElement && element.open,
    unread: element.matches("[data-refusal]") ? [...element.childNodes] : [],
  }));
  const focus = region.contains(document.activeElement) ? document.activeElement?.id : "";
  return () => {
    for (const { id, top, left, open, unread } of kept) {
      const element = document.getElementById(id);
      if (!element || !region.contains(element)) continue;
      element.append(...unread);
      if (open && element instanceof HTMLDetailsElement) element.open = true;
      if (top || left) element.scrollTo(left, top);
    }
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    glow(region, glows);
  };
}

/** @param {HTMLElement} region @param {Map<string, {text: string, state?: string}>} before */
function glow(region, before) {
  for (const element of glowing(region)) {
    const was = before.get(element.dataset.glow ?? "");
    if (!was || (was.text === element.textContent && was.state === element.dataset.state)) continue;
    element.classList.add("changed");
    if (was.state !== element.dataset.state) element.dataset.was = was.state ?? "";
    setTimeout(() => {
      element.classList.remove("changed");
      delete element.dataset.was;
    }, 1200);
  }
}

function letGo() {
  clearTimeout(pressTimer);
  pressed = null;
  for (const [region, frame] of [...held]) {
    if (region.dataset.hold) continue;
    held.delete(region);
    if (region.isConnected) replace(region, frame);
  }
}

document.addEventListener("pointerdown", (event) => {
  pressed = event.target instanceof Element ? event.target.closest("[data-audience]") : null;
  clearTimeout(pressTimer);
  if (pressed) pressTimer = setTimeout(letGo, PRESS_MS);
});
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => {
    clearTimeout(pressTimer);
    pressTimer = setTimeout(letGo, CLICK_MS);
  });
}
document.addEventListener("brush:release", letGo);

// A fresh fragment may come along with the answer to a tap: it passes the same gate.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  const made = fragment.firstElementChild;
  if (!(target instanceof HTMLElement) || !(made instanceof HTMLElement) || !target.dataset.audience || !made.dataset.stamp) return;
  event.detail.shouldSwap = false;
  show({ t: "fragment", a: target.dataset.audience, s: stampOf(made), html: made.innerHTML });
});

function audiences() {
  return [...new Set(everyRegion().map((region) => region.dataset.audience))].sort();
}

function connect() {
  clearTimeout(retryTimer);
  const names = audiences();
  watched = names.join(" ");
  document.documentElement.classList.toggle("has-live", names.length > 0);
  socket?.close();
  socket = null;
  if (!names.length) return;
  const query = new URLSearchParams(names.map((name) => ["audience", name ?? ""]));
  query.set("language", document.documentElement.lang);
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const opened = new WebSocket(`${scheme}//${location.host}/live/?${query}`);
  socket = opened;
  openedAt = Date.now();
  opened.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  opened.addEventListener("close", () => {
    if (socket === opened) retry();
  });
}

function retry() {
  socket = null;
  if (isRefused) return;
  const pause = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
  tries += 1;
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, pause * (0.7 + 0.6 * Math.random()));
}

/** @param {FragmentFrame | {t: "tick", now: number, behind: boolean, files: string} | {t: "refused", code: string}} frame */
function hear(frame) {
  if (frame.t === "refused") {
    // "revoked" may be another's: ask once more. Anything else stands until the page is loaded anew.
    isRefused = frame.code !== "revoked";
    if (isRefused) setConnection("refused");
    else window.dispatchEvent(new CustomEvent("brush:revoked"));
    return;
  }
  heardAt = Date.now();
  heardServer();
  if (frame.t === "tick") {
    tries = 0;
    hearTick(frame.now);
    setConnection(frame.behind ? "behind" : "live");
    const { files } = document.documentElement.dataset;
    if (files && files !== frame.files) window.dispatchEvent(new CustomEvent("brush:newer", { detail: { files: frame.files } }));
  } else {
    show(frame);
  }
}

function watchOver() {
  const silent = Date.now() - heardAt;
  if (isRefused || !watched) return;
  if (silent > GONE_MS) setConnection("gone");
  if (socket && Date.now() - Math.max(heardAt, openedAt) > DEAD_MS) {
    // Half open: the network is gone without a word. Closing it may take minutes, so it is forgotten.
    const dead = socket;
    retry();
    dead.close();
  }
}

function connectNow() {
  if (!isRefused && Date.now() - heardAt > GONE_MS) connect();
}

setInterval(watchOver, 250);
window.addEventListener("brush:signed-out", () => {
  isRefused = true;
  socket?.close();
  setConnection("refused");
});
window.addEventListener("brush:signed-in", () => {
  isRefused = false;
  tries = 0;
  connect();
});
window.addEventListener("online", connectNow);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) connectNow();
});
document.addEventListener("htmx:afterSettle", () => {
  if (audiences().join(" ") !== watched) connect();
});
connect();
