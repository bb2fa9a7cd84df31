// A button that prints its page, and one that does so as soon as the page is there.

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-print]")) window.print();
});

// What says on itself that it is printed (a copy, when and by whom) comes as the answer, and is printed with its QR code.
document.addEventListener("htmx:afterRequest", (event) => {
  const { elt, successful } = event.detail;
  if (!successful || !elt.matches("[data-print-answer]")) return;
  Promise.allSettled([...document.images].map((image) => image.decode())).then(() => window.print());
});
document.addEventListener("keydown", (event) => {
  const button = document.querySelector("[data-print-answer]");
  if (event.key !== "F10" || event.shiftKey || !(button instanceof HTMLElement)) return;
  if (document.querySelector("dialog[open]")) return;
  event.preventDefault();
  button.click();
});

// Once all of it is there: the style of paper, the QR codes. Whoever loads it anew has printed it.
window.addEventListener("load", () => {
  const [how] = performance.getEntriesByType("navigation");
  const isNew = !(how instanceof PerformanceNavigationTiming) || how.type === "navigate";
  if (isNew && document.querySelector("[data-print-at-once]")) window.print();
});
