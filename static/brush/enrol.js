/* A scanned address carries the code behind its #: it is filled in, and a finger confirms. */

const code = decodeURIComponent(location.hash.slice(1));
const field = document.getElementById("code");
if (code && field instanceof HTMLInputElement) {
  field.value = code;
  history.replaceState(null, "", location.pathname + location.search);
}
