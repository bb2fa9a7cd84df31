// Pages whose forms are their viewer's own (who signs, what is typed) and stand in no region. A region beside them says
// how things stand: `data-now` of the one with this page's `data-of`, or all of it where the page follows "". When that
// has changed, the page is loaded anew, unless somebody is typing here: then it says so and leaves it to them.

const follows = /** @type {HTMLElement | null} */ (document.querySelector("[data-follows]"));
const note = /** @type {HTMLElement | null} */ (document.querySelector("[data-moved-on]"));
let isTouched = false;
let shown = now();

function now() {
  const about = follows?.dataset.follows ?? "";
  const stands = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#stands [data-of]")]);
  return stands
    .filter((each) => !about || each.dataset.of === about)
    .map((each) => `${each.dataset.of} ${each.dataset.now}`)
    .join(" ");
}

function look() {
  if (now() === shown) return;
  // An answer to this page's own tap is on its way, and says where to go.
  if (document.querySelector(".htmx-request")) return;
  if (isTouched || document.querySelector("dialog[open]")) {
    if (note) note.hidden = false;
    return;
  }
  shown = now();
  location.reload();
}

document.addEventListener("input", (event) => {
  if (event.target instanceof Element && follows?.contains(event.target)) isTouched = true;
});
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-load-anew]")) location.reload();
});
window.addEventListener("brush:fragment", look);
document.addEventListener("htmx:afterRequest", () => setTimeout(look));
