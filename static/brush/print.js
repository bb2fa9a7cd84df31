// A button that prints its page, and one that does so as soon as the page is there.

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-print]")) window.print();
});

// Once all of it is there: the style of paper, the QR codes. Whoever loads it anew has printed it.
window.addEventListener("load", () => {
  const [how] = performance.getEntriesByType("navigation");
  const isNew = !(how instanceof PerformanceNavigationTiming) || how.type === "navigate";
  if (isNew && document.querySelector("[data-print-at-once]")) window.print();
});
