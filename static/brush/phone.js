// A player's phone: a call is felt and heard where that is allowed, and a pass that has ended is not waited for.

/** The call that was last announced: announced once, however often the fragment comes. */
let announced = "";
const title = document.title;
/** @type {AudioContext | null} */
let audio = null;

// Browsers let a page sound only after it was touched.
document.addEventListener("pointerdown", () => (audio ??= new AudioContext()), { once: true });

function beep() {
  if (audio?.state !== "running") return;
  for (const start of [0, 0.35, 0.7]) {
    const tone = audio.createOscillator();
    tone.frequency.value = 880;
    tone.connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + 0.2);
  }
}

function announce() {
  const card = document.querySelector("[data-called]");
  const called = card instanceof HTMLElement ? card.dataset : null;
  document.title = called ? `● ${called.title}` : title;
  if (called && called.called !== announced) {
    navigator.vibrate?.([300, 150, 300, 150, 300]);
    beep();
  }
  announced = called?.called ?? "";
}

announce();
window.addEventListener("brush:fragment", announce);
// The pass was ended, or its day: the page says so once it is asked for anew.
window.addEventListener("brush:connection", (event) => {
  if (event.detail.state === "refused") location.reload();
});
