// A sign-in can be ended from elsewhere: a new PIN, the end of a shift, somebody who left. A page of a sign-in asks at
// the door when its socket was shut, and when the server is back after an absence; what has ended begins anew.

const mine = document.documentElement.dataset.signIn;
let wasAway = false;

async function look() {
  try {
    const answer = await fetch("/api/v1/door", { headers: { Accept: "application/json" }, cache: "no-store" });
    const isOver = answer.status === 401 || (answer.ok && (await answer.json()).sign_in_id !== mine);
    if (isOver) location.reload();
  } catch {
    // Nobody answers: the page goes on, and asks again when the server is back.
  }
}

window.addEventListener("brush:revoked", look);
window.addEventListener("brush:connection", (event) => {
  const { state } = /** @type {CustomEvent} */ (event).detail;
  if (state === "gone") wasAway = true;
  else if (state === "live" && wasAway) {
    wasAway = false;
    look();
  }
});
