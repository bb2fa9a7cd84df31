// The thin strip's truth: is the server there, how old is what is shown, how many taps wait.
//
// Elements with `data-connection` say it in a word (`data-connection-word`); those with `data-age` say the
// age of what is shown once the server is gone (`data-after`: seconds until then, 0). The page as a whole
// carries `data-connection` on <html>: "starting", "live", "waiting", "behind", "gone", "refused". "behind": the
// server answers, but does not hear at once what happens, so what is shown may be old.

import { span } from "./clock.js";
import { t } from "./words.js";

/** @typedef {"starting" | "live" | "behind" | "gone" | "refused"} Connection */

/** Taps that the server answers sooner are nobody's business. */
const BEHIND_MS = 2000;

/** @type {Connection} */
let connection = "starting";
let heardAt = Date.now();
/** @type {Map<string, {count: number, oldestAt: number}>} */
const waiting = new Map();

/**
 * Say how it stands with the server.
 * @param {Connection} state
 */
export function setConnection(state) {
  if (state === connection) return;
  connection = state;
  refreshStrip();
  window.dispatchEvent(new CustomEvent("brush:connection", { detail: { state } }));
}

/** Note that the server was heard just now. */
export function heardServer() {
  heardAt = Date.now();
}

/**
 * Say how many taps of a kind wait for their answer.
 * @param {string} source - who counts: "queue", "page"
 * @param {number} count
 * @param {number} oldestAt - when the oldest was tapped, by this machine's clock
 */
export function setWaiting(source, count, oldestAt) {
  if (count) waiting.set(source, { count, oldestAt });
  else waiting.delete(source);
  refreshStrip();
}

function tapsBehind() {
  let count = 0;
  for (const taps of waiting.values()) if (Date.now() - taps.oldestAt > BEHIND_MS) count += taps.count;
  return count;
}

/** @param {Element} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function refreshStrip() {
  const behind = tapsBehind();
  const words = [];
  if (connection !== "live" || !behind) words.push(t(connection));
  if (behind) words.push(behind === 1 ? t("waiting-one") : t("waiting-many", { count: behind }));
  const state = connection === "live" && behind ? "waiting" : connection;
  document.documentElement.dataset.connection = state;
  for (const element of document.querySelectorAll("[data-connection-word]")) write(element, words.join(" · "));
  const age = Date.now() - heardAt;
  /** @type {NodeListOf<HTMLElement>} */
  const ages = document.querySelectorAll("[data-age]");
  for (const element of ages) {
    const says = connection === "gone" && age >= Number(element.dataset.after ?? 0) * 1000;
    write(element, says ? t("age", { age: span(age) }) : "");
  }
}

refreshStrip();
setInterval(refreshStrip, 500);
