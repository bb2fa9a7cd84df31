// Keys that stand on buttons: `data-key="F8"` is pressed, or goes to the field that has it. What prints is printed once it
// was noted.

document.addEventListener("keydown", (event) => {
  if (!/^F\d+$/.test(event.key) || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
  const wanted = document.querySelector(`[data-key="${event.key}"]`);
  if (!(wanted instanceof HTMLElement) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (wanted.matches("select, input")) wanted.focus();
  else wanted.click();
});

document.addEventListener("htmx:afterRequest", (event) => {
  const { elt, successful } = event.detail;
  if (!successful || !elt.matches("[data-prints]")) return;
  window.print();
  location.reload();
});
