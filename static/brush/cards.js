// The card pad: a tap puts a card where one belongs next, a tap on a card that lies somewhere takes it away again.
//
// Each `input[data-cards]` holds as many cards as it says and can be typed in as well: "as 10h" becomes A♠ 10♥. The
// variant's option says how many cards a player holds (`data-own`) and lie on the board (`data-board`, and `data-shared`
// where the deck may have run short).

/** @type {Record<string, string>} */
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const CARD = /(10|[2-9tjqka])([shdc♠♥♦♣])/gi;

/** Return the cards of a text by their codes, "Ts", and what is left over at its end. @param {string} text */
function read(text) {
  const codes = [...text.matchAll(CARD)].map(([, rank, suit]) => {
    const letter = Object.keys(SIGNS).find((key) => SIGNS[key] === suit) ?? suit.toLowerCase();
    return (rank === "10" ? "T" : rank.toUpperCase()) + letter;
  });
  return { codes, rest: text.replace(CARD, "").replace(/[\s,]/g, "") };
}

/** @param {string} code */
const shown = (code) => code.replace("T", "10").replace(/.$/, (suit) => SIGNS[suit]);

/** @param {HTMLInputElement} field @param {string[]} codes */
function write(field, codes, rest = "") {
  field.value = [...codes.map(shown), ...(rest ? [rest] : [])].join(" ");
}

/** @param {HTMLFormElement} form */
function follow(form) {
  const pad = form.querySelector("[data-card-pad]");
  const variant = /** @type {HTMLSelectElement} */ (form.elements.namedItem("variant"));
  const more = /** @type {HTMLElement} */ (form.querySelector("[data-more-hands]"));
  /** @type {NodeListOf<HTMLElement>} */
  const hands = form.querySelectorAll("[data-hand-row]");
  const rows = [...hands];
  /** @type {HTMLInputElement | null} */
  let active = null;

  const fields = () =>
    /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[data-cards]")]).filter(
      (field) => !field.closest("[hidden]"),
    );
  const isFull = (/** @type {HTMLInputElement} */ field) => read(field.value).codes.length >= Number(field.dataset.cards);
  /** Return the next field that lacks a card; a board that need not be dealt, and who need not show, wait to be tapped. */
  const lacking = () => fields().find((field) => !isFull(field) && !("optional" in field.dataset) && !("ifShown" in field.dataset)) ?? null;
  const changed = (/** @type {HTMLInputElement} */ field) => field.dispatchEvent(new Event("input", { bubbles: true }));

  /** Make a field the one that the next card goes to. @param {HTMLInputElement | null} field */
  function choose(field) {
    active?.removeAttribute("data-active");
    active = field;
    active?.setAttribute("data-active", "");
  }

  /** Show on the pad which cards lie somewhere. */
  function mark() {
    const lying = new Set(fields().flatMap((field) => read(field.value).codes));
    /** @type {NodeListOf<HTMLElement>} */
    const keys = form.querySelectorAll("[data-card]");
    for (const key of keys) {
      key.setAttribute("aria-pressed", String(lying.has(key.dataset.card ?? "")));
    }
    more.hidden = rows.every((row) => !row.hidden);
  }

  /** Let the fields hold what the variant deals. */
  function fit() {
    const chosen = variant.selectedOptions[0];
    if (!chosen) return;
    const { own, board, shared } = chosen.dataset;
    const onBoard = Number(board) + Number(shared);
    const place = /** @type {HTMLElement} */ (form.querySelector("[data-board-field]"));
    place.hidden = onBoard === 0;
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[data-cards]"))) {
      const most = field.name === "board" ? onBoard : Number(own);
      field.dataset.cards = String(most);
      if (field.name === "board") field.toggleAttribute("data-optional", Number(board) === 0);
      write(field, read(field.value).codes.slice(0, most));
    }
    if (document.activeElement !== active || !active || active.closest("[hidden]") || isFull(active)) choose(lacking());
    mark();
  }

  /** @param {string} code */
  function tap(code) {
    const holder = fields().find((field) => read(field.value).codes.includes(code));
    if (holder) {
      write(holder, read(holder.value).codes.filter((each) => each !== code));
      choose(holder);
      changed(holder);
      return;
    }
    if (!active || isFull(active)) choose(lacking());
    if (!active) return;
    const field = active;
    write(field, [...read(field.value).codes, code]);
    if (isFull(field)) choose(lacking() ?? field);
    changed(field);
  }

  // The keys never take the focus: who types goes on typing, and a tablet's own keyboard stays away.
  pad?.addEventListener("pointerdown", (event) => event.preventDefault());
  pad?.addEventListener("click", (event) => {
    const key = event.target instanceof Element ? event.target.closest("[data-card]") : null;
    if (key instanceof HTMLElement) tap(String(key.dataset.card));
  });
  form.addEventListener("focusin", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches("[data-cards]")) choose(event.target);
  });
  form.addEventListener("input", (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement) || !field.matches("[data-cards]")) return;
    const isTyped = event instanceof InputEvent && !event.inputType.startsWith("delete");
    const { codes, rest } = read(field.value);
    if (isTyped && field.selectionStart === field.value.length) write(field, codes, rest);
    if (isTyped && !rest && isFull(field)) lacking()?.focus();
    mark();
  });
  variant.addEventListener("change", fit);
  more.addEventListener("click", () => {
    const row = rows.find((each) => each.hidden);
    if (!row) return;
    row.hidden = false;
    choose(row.querySelector("input[data-cards]"));
    mark();
  });
  // On a tablet the pad is the keyboard.
  if (matchMedia("(pointer: coarse)").matches) {
    for (const field of form.querySelectorAll("input[data-cards]")) field.setAttribute("inputmode", "none");
  }
  fit();
}

for (const form of document.querySelectorAll("[data-card-form]")) follow(/** @type {HTMLFormElement} */ (form));
