// The rule book's editor: a tap on what is wrong leads to its line.

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
