// Keys that stand on buttons: `data-key="F8"` is pressed, or goes to the field that has it.

document.addEventListener("keydown", (event) => {
  if (!/^F\d+$/.test(event.key) || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
  const wanted = document.querySelector(`[data-key="${event.key}"]`);
  if (!(wanted instanceof HTMLElement) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (wanted.matches("select, input")) wanted.focus();
  else wanted.click();
});
