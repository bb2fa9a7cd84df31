/*
 * Language, light or dark. The page is left for the new one only once the server has answered: a tablet without a
 * connection would find nothing, and its table would be gone from the screen.
 */

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches(".languages, .themes")) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type === "opaqueredirect") location.reload();
  } catch {
    // The strip says that the connection is gone.
  }
});
