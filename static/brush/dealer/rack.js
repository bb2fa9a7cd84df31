// The rack at a push: taken over as it was left with one tap, or counted, how many of each chip. Whether it is to be
// taken over the server says by a button beside the game (templates/tables/dealer_work.html). Loaded where there is one.

import { clear, draw, page, region, table, taps, ui } from "./screen.js";
import { act, openDrawn, sheet } from "./sheets.js";
import { el, money, t } from "./words.js";

/** @import { Act } from "./work.js" */
/** What is being counted: by value, the digits typed; `at` is the value in hand. @typedef {{down: number, chips: number[], isDrawn: boolean, typed: Map<number, string>, at: number}} Count */

const PIECES_MAX = 4;
/** Where the tablet keeps for which down the sheet has opened by itself. */
const SEEN = "brush-rack";

/** @type {Count | null} */
let count = null;

/** The button that asks for it, unless the tablet has answered already. */
function due() {
  const button = region.querySelector('[data-do="rack"]');
  if (!(button instanceof HTMLElement)) return null;
  const down = Number(button.dataset.down);
  const isSaid = taps.list.some(({ command, body }) => command === "rack" && body.down_id === down);
  button.hidden = isSaid;
  return isSaid ? null : button;
}

/** Open the sheet once for who has pushed in, between two hands; "later" leaves the button. */
export function watchRack() {
  const button = due();
  const { down = "", dealer = "" } = button?.dataset ?? {};
  if (!button || dealer !== page.staff || table.hand || sessionStorage.getItem(SEEN) === down || document.querySelector("dialog[open]")) return;
  sessionStorage.setItem(SEEN, down);
  openRack();
}

/** Ask: as left, or counted; where a count was drawn the count itself. */
function openRack() {
  const { down, chips = "", counted } = due()?.dataset ?? {};
  if (!down) return;
  const isDrawn = counted !== undefined;
  count = null;
  if (isDrawn) begin(Number(down), chips, true);
  else openDrawn(() => (isStill(down) ? [t("rack_title"), [act("rack-left", t("rack_left"), t("rack_left_why"), ".primary", { "data-down": down }), act("rack-count", t("rack_count"), t("rack_count_why"), "", { "data-down": down, "data-chips": chips })]] : null), { table, page });
}

/** @param {string} down */
const isStill = (down) => due()?.dataset.down === down;

/** @param {number} down @param {string} chips @param {boolean} isDrawn */
function begin(down, chips, isDrawn) {
  count = { down, chips: chips.split(" ").map(Number), isDrawn, typed: new Map(), at: 0 };
  openDrawn(() => (count && isStill(String(count.down)) ? drawn(count) : null), { table, page });
}

/** @param {Count} now @returns {[string, HTMLElement[]]} */
function drawn(now) {
  const rows = now.chips.map((value, index) => {
    const typed = now.typed.get(value);
    const says = { type: "button", "data-do": "rack-value", "data-seat": String(index), "aria-pressed": String(index === now.at) };
    return el("button.button.rack-value", says, el("span.num", {}, money(value)), el("b.num", {}, typed === undefined ? "–" : `${typed || 0} ×`));
  });
  const key = (/** @type {string} */ label, /** @type {string} */ value, more = {}) => el("button.button", { type: "button", "data-key": value, ...more }, label);
  const keys = [...[..."789456123"].map((digit) => key(digit, digit)), key("⌫", "back", { "aria-label": t("erase") }), key("0", "0"), key(t("rack_next"), "next")];
  const send = el("button.button.primary", { type: "button", "data-do": "rack-send", disabled: !now.typed.size }, el("span", {}, t("rack_send", { amount: money(sumOf(now)) })), el("small", {}, t("rack_send_why")));
  const title = t(now.isDrawn ? "rack_drawn" : "rack_title");
  return [title, [el("div.rack-count", {}, el("div.rack-values", {}, rows), el("div.keypad.rack-keys", {}, keys), send)]];
}

/** @param {Count} now */
const sumOf = ({ typed }) => [...typed].reduce((all, [value, digits]) => all + value * Number(digits || 0), 0);

/** Type into the count, if one is open; say whether it was. @param {string} key */
export function pressRack(key) {
  if (!count || !sheet.open || !sheet.querySelector(".rack-count")) return false;
  const value = count.chips[count.at];
  const typed = count.typed.get(value) ?? "";
  if (key === "next") {
    // A value that is passed over has none.
    if (!count.typed.has(value)) count.typed.set(value, "");
    count.at = (count.at + 1) % count.chips.length;
  } else if (key === "back") {
    if (typed) count.typed.set(value, typed.slice(0, -1));
    else count.typed.delete(value);
  } else if (/^\d$/.test(key) && typed.length < PIECES_MAX) {
    count.typed.set(value, (typed + key).replace(/^0+(?=\d)/, ""));
  }
  draw();
  return true;
}

/** @param {Record<string, any>} body */
function say(body) {
  sheet.close();
  taps.give("rack", body);
}

/** @type {Record<string, Act>} */
export const ACTS = {
  rack: openRack,
  "rack-left": (_seat, { down }) => say({ down_id: Number(down) }),
  "rack-count": (_seat, { down, chips = "" }) => begin(Number(down), chips, false),
  "rack-value"(_seat, { seat }) {
    if (count) count.at = Number(seat);
    draw();
  },
  "rack-send"() {
    if (!count) return;
    const { down, chips, typed } = count;
    count = null;
    clear();
    ui.answer = { text: t("rack_said") };
    // Of what was passed over there is none: each value is said.
    say({ down_id: down, pieces: chips.map((value) => ({ value_cents: value, count: Number(typed.get(value) || 0) })) });
  },
};
