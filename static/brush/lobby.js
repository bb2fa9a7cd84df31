// The lobby's television: games that rest are dimmed in time, and a wall that does not fit turns its pages.

import { serverNow } from "./clock.js";
import { showWhatIsDue } from "./due.js";
import { followServer } from "./newer.js";

const PAGE_MS = 12000;

let page = 0;
let turnedAt = Date.now();

/** Tables come to rest while nothing is sent: a game counts those that somebody confirms, and rests without any. */
function dimWhatRests() {
  const now = serverNow();
  let free = 0;
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll("[data-tables]");
  for (const row of rows) {
    /** @type {{until: string | null, seated: number, free: number}[]} */
    const tables = JSON.parse(row.dataset.tables ?? "[]");
    const confirmed = tables.filter(({ until }) => until && Date.parse(until) > now);
    row.classList.toggle("is-resting", !confirmed.length);
    const shown = confirmed.length ? confirmed : tables;
    const open = shown.reduce((sum, table) => sum + table.free, 0);
    figure(row, "tables", shown.length);
    figure(row, "seated", shown.reduce((sum, table) => sum + table.seated, 0));
    figure(row, "free", open);
    row.querySelector(".lobby-free")?.classList.toggle("some", open > 0);
    const each = [...row.querySelectorAll(".lobby-table")];
    for (const [index, table] of tables.entries()) each[index]?.classList.toggle("rests-alone", !shown.includes(table));
    if (confirmed.length) free += open;
  }
  // The huge figure counts the seats of games that run: a game that rests has none to offer.
  const sum = document.getElementById("lobby-free");
  if (sum && sum.textContent !== String(free)) sum.textContent = String(free);
  sum?.classList.toggle("some", free > 0);
}

/** @param {HTMLElement} row @param {string} name @param {number | string} value */
function figure(row, name, value) {
  const shown = row.querySelector(`[data-figure="${name}"]`);
  if (shown && shown.textContent !== String(value)) shown.textContent = String(value);
}

/** Return the rows page by page: as many as fit into the list's height. */
function pages() {
  const list = document.getElementById("lobby-games");
  if (!list) return [];
  const rows = /** @type {HTMLElement[]} */ ([...list.children]);
  for (const row of rows) row.hidden = false;
  /** @type {HTMLElement[][]} */
  const made = [[]];
  let used = 0;
  for (const row of rows) {
    const height = row.offsetHeight;
    if (used + height > list.clientHeight + 1 && made[made.length - 1].length) {
      made.push([]);
      used = 0;
    }
    made[made.length - 1].push(row);
    used += height;
  }
  return made;
}

function showPage() {
  const made = pages();
  const bar = document.getElementById("lobby-pages");
  if (page >= made.length) page = 0;
  for (const [index, rows] of made.entries()) for (const row of rows) row.hidden = index !== page;
  if (!bar) return;
  bar.hidden = made.length < 2;
  const words = document.getElementById("lobby-page-words");
  if (words) words.textContent = `${page + 1}/${made.length}`;
  bar.style.setProperty("--part", String(Math.min(1, (Date.now() - turnedAt) / PAGE_MS)));
}

function tick() {
  if (Date.now() - turnedAt >= PAGE_MS) {
    page += 1;
    turnedAt = Date.now();
    showPage();
  }
  document
    .getElementById("lobby-pages")
    ?.style.setProperty("--part", String(Math.min(1, (Date.now() - turnedAt) / PAGE_MS)));
  dimWhatRests();
  showWhatIsDue();
}

dimWhatRests();
showWhatIsDue();
showPage();
setInterval(tick, 250);
window.addEventListener("brush:fragment", () => {
  dimWhatRests();
  showWhatIsDue();
  showPage();
});
window.addEventListener("resize", showPage);
followServer(() => true, 30_000);
