// The house's time in the browser, and everything on a page that runs by it.
//
//   <time data-clock></time>                          the time of day, in the room's zone
//   <time data-deadline="2026-11-20T19:00:00Z"></time>  counts down, "2:41"; class `soon` in its last
//                                                      `data-soon` seconds (30), class `over` from 0:00 on
//   <time data-since="2026-11-20T19:00:00Z"></time>     counts up, "12:40"
//
// `data-unit="minutes"` writes whole minutes; `data-says` puts them into a sentence ("%(minutes)s min ago"), and
// `data-fresh` stands for it in the first minute. Fragments carry moments, never elapsed time: these elements
// are the only place where it is computed.

/** Longest memory of a tick, in ticks. The one that came with the least delay tells the time best. */
const TICKS = 8;
/** @type {number[]} */
const offsets = [Number(document.documentElement.dataset.now || Date.now()) - Date.now()];

/**
 * Take the server's time from a tick.
 * @param {number} nowMs - milliseconds since 1970
 */
export function hearTick(nowMs) {
  const offset = nowMs - Date.now();
  // A jump means that this machine's clock was set, or slept: forget what was known.
  if (Math.abs(offset - offsetMs()) > 5000) offsets.length = 0;
  offsets.push(offset);
  if (offsets.length > TICKS) offsets.shift();
}

/** Return how far the server's clock is ahead of this machine's, in milliseconds. */
export function offsetMs() {
  return offsets.length ? Math.max(...offsets) : 0;
}

/** Return the server's time, in milliseconds since 1970. */
export function serverNow() {
  return Date.now() + offsetMs();
}

/**
 * Write a span of time: "2:41", "1:02:07"; with unit "minutes" as whole minutes.
 * @param {number} ms
 * @param {string} [unit]
 * @returns {string}
 */
export function span(ms, unit) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (unit === "minutes") return String(Math.floor(seconds / 60));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

// One way to write a time, in every language: beside the clock stand times that the server wrote, "21:42".
const dayTime = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: document.documentElement.dataset.zone || undefined,
});

/** Write a moment as the room's clock has it, "21:40". @param {string} moment - ISO 8601 */
export function timeOfDay(moment) {
  return dayTime.format(Date.parse(moment));
}

/** @param {HTMLElement} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLElement} element @param {number} now */
function countDown(element, now) {
  // Whole seconds are rounded up, so that 0:00 is shown when it is over and not a second before.
  const due = Date.parse(element.dataset.deadline ?? "") - now;
  // What would still be given at least, until it is over.
  const left = due > 0 ? Math.max(due, Number(element.dataset.least ?? 0) * 1000) : due;
  const soon = Number(element.dataset.soon ?? 30) * 1000;
  write(element, span(Math.ceil(left / 1000) * 1000, element.dataset.unit));
  element.classList.toggle("soon", left > 0 && left <= soon);
  element.classList.toggle("over", left <= 0);
}

/** @param {HTMLElement} element @param {number} now */
function since({ dataset }, now) {
  const age = now - Date.parse(dataset.since ?? "");
  if (dataset.fresh && age < 60_000) return dataset.fresh;
  const text = span(age, dataset.unit);
  return dataset.says?.replace("%(minutes)s", text) ?? text;
}

/**
 * Write every running figure below an element anew.
 * @param {ParentNode} [root]
 */
export function refreshTimes(root = document) {
  const now = serverNow();
  /** @type {NodeListOf<HTMLElement>} */
  const times = root.querySelectorAll("time[data-clock], time[data-deadline], time[data-since]");
  for (const element of times) {
    if (element.dataset.deadline) countDown(element, now);
    else if (element.dataset.since) write(element, since(element, now));
    else write(element, dayTime.format(now));
  }
}

refreshTimes();
setInterval(refreshTimes, 250);
