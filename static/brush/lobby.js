// The lobby's television: games that rest are dimmed in time, and a wall that does not fit turns its pages.

import { serverNow } from "./clock.js";

const PAGE_MS = 12000;

let page = 0;
let turnedAt = Date.now();

function dimWhatRests() {
  const now = serverNow();
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll("[data-runs-until]");
  for (const row of rows) row.classList.toggle("is-resting", Date.parse(row.dataset.runsUntil ?? "") <= now);
  sumUp();
}

/** The huge figure counts the seats of games that run: a game that rests has none to offer. */
function sumUp() {
  const figure = document.getElementById("lobby-free");
  if (!figure) return;
  let free = 0;
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll("[data-free]:not(.is-resting)");
  for (const row of rows) free += Number(row.dataset.free);
  if (figure.textContent !== String(free)) figure.textContent = String(free);
  figure.classList.toggle("some", free > 0);
}

/** Return the rows page by page: as many as fit into the list's height. */
function pages() {
  const list = document.getElementById("lobby-games");
  if (!list) return [];
  const rows = /** @type {HTMLElement[]} */ ([...list.children]);
  for (const row of rows) row.hidden = false;
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
}

dimWhatRests();
showPage();
setInterval(tick, 250);
window.addEventListener("brush:fragment", () => {
  dimWhatRests();
  showPage();
});
window.addEventListener("resize", showPage);
