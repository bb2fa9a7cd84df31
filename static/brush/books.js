// The rule book's editor: what is typed is checked, and a tap on what is wrong leads to its line.

// A text may be another than the one that was sent before anybody listens to its keys: typed early, or put back by the
// browser. No key would say so. (What is checked is swapped in beside the text, and says nothing of it.)
document.addEventListener("htmx:load", (event) => {
  const text = document.getElementById("book-text");
  if (!(text instanceof HTMLTextAreaElement) || !(event.target instanceof Element) || !event.target.contains(text)) return;
  if (text.value !== text.defaultValue) window.htmx?.trigger(text, "begun");
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-line]") : null;
  const text = document.getElementById("book-text");
  if (!(button instanceof HTMLElement) || !(text instanceof HTMLTextAreaElement)) return;
  const lines = text.value.split("\n");
  const index = Math.min(Number(button.dataset.line), lines.length) - 1;
  const start = lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + lines[index].length);
  text.scrollTop = (text.scrollHeight / lines.length) * Math.max(index - 4, 0);
  text.scrollLeft = 0;
});
