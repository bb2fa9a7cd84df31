// The rack at a push: taken over as it was left with one tap, or counted, how many of each chip, and of each note where
// chips are sold from it. Whether it is to be taken over the server says by a button beside the game
// (templates/tables/dealer_work.html). Loaded where there is one.

import { money } from "../money.js";
import { t } from "../words.js";
import { el } from "./el.js";
import { clear, draw, page, region, table, taps, ui } from "./screen.js";
import { act, openDrawn, sheet } from "./sheets.js";

/** @import { RackBody } from "./tapped.d.ts" */
/** @import { Act } from "./work.js" */
/** What is being counted: chips and then cash, by their place the digits typed; `at` is the one in hand. @typedef {{down: number, chips: number[], cash: number[], isDrawn: boolean, typed: Map<number, string>, at: number}} Count */

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
  const isTapped = taps.list.some(({ command, body }) => command === "rack" && body.down_id === down);
  button.hidden = isTapped;
  return isTapped ? null : button;
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
  const { down, chips = "", cash = "", counted } = due()?.dataset ?? {};
  if (!down) return;
  const isDrawn = counted !== undefined;
  count = null;
  if (isDrawn) begin(Number(down), chips, cash, true);
  else openDrawn(() => (isStill(down) ? [t("rack_title"), [act("rack-left", t("rack_left"), t("rack_left_why"), ".primary", { "data-down": down }), act("rack-count", t("rack_count"), t("rack_count_why"), "", { "data-down": down, "data-chips": chips, "data-cash": cash })]] : null), { table, page });
}

/** @param {string} down */
const isStill = (down) => due()?.dataset.down === down;

/** @param {number} down @param {string} chips @param {string} cash @param {boolean} isDrawn */
function begin(down, chips, cash, isDrawn) {
  count = { down, chips: valuesOf(chips), cash: valuesOf(cash), isDrawn, typed: new Map(), at: 0 };
  openDrawn(() => (count && isStill(String(count.down)) ? drawn(count) : null), { table, page });
}

/** @param {string} text */
const valuesOf = (text) => text.split(" ").filter(Boolean).map(Number);

/** @param {string} title @param {HTMLElement[]} rows */
const group = (title, rows) => el("div", { role: "group", "aria-label": t(title) }, el("p.quiet-text", { "aria-hidden": "true" }, t(title)), el("div.rack-values", {}, rows));

/** @param {Count} now @returns {[string, HTMLElement[]]} */
function drawn(now) {
  const rows = [...now.chips, ...now.cash].map((value, index) => {
    const typed = now.typed.get(index);
    const says = { type: "button", "data-do": "rack-value", "data-seat": String(index), "aria-pressed": String(index === now.at) };
    return el("button.button.rack-value", says, el("span.num", {}, money(value)), el("b.num", {}, typed === undefined ? "–" : `${typed || 0} ×`));
  });
  const [chips, cash] = [rows.slice(0, now.chips.length), rows.slice(now.chips.length)];
  const values = cash.length ? el("div.rack-both", {}, group("rack_chips", chips), group("rack_cash", cash)) : el("div.rack-values", {}, rows);
  const key = (/** @type {string} */ label, /** @type {string} */ value, more = {}) => el("button.button", { type: "button", "data-key": value, ...more }, label);
  const keys = [...[..."789456123"].map((digit) => key(digit, digit)), key("⌫", "back", { "aria-label": t("erase") }), key("0", "0"), key(t("rack_next"), "next")];
  const send = el("button.button.primary", { type: "button", "data-do": "rack-send", disabled: !now.typed.size }, el("span", {}, t(now.cash.length ? "rack_send_cash" : "rack_send", { amount: money(sumOf(counted(now, now.chips, 0))), cash: money(sumOf(counted(now, now.cash, now.chips.length))) })), el("small", {}, t("rack_send_why")));
  const title = t(now.isDrawn ? "rack_drawn" : "rack_title");
  return [title, [el("div.rack-count", {}, values, el("div.keypad.rack-keys", {}, keys), send)]];
}

/** How many there are of each of these values, whose places begin at `from`; of what was passed over there is none. @param {Count} now @param {number[]} values @param {number} from */
const counted = ({ typed }, values, from) => values.map((value, index) => ({ value_cents: value, count: Number(typed.get(from + index) || 0) }));

/** @param {{value_cents: number, count: number}[]} pieces */
const sumOf = (pieces) => pieces.reduce((all, { value_cents: value, count: many }) => all + value * many, 0);

/** Type into the count, if one is open; say whether it was. @param {string} key */
export function pressRack(key) {
  if (!count || !sheet.open || !sheet.querySelector(".rack-count")) return false;
  const { at } = count;
  const typed = count.typed.get(at) ?? "";
  if (key === "next") {
    // A value that is passed over has none.
    if (!count.typed.has(at)) count.typed.set(at, "");
    count.at = (at + 1) % (count.chips.length + count.cash.length);
  } else if (key === "back") {
    if (typed) count.typed.set(at, typed.slice(0, -1));
    else count.typed.delete(at);
  } else if (/^\d$/.test(key) && typed.length < PIECES_MAX) {
    count.typed.set(at, (typed + key).replace(/^0+(?=\d)/, ""));
  }
  draw();
  return true;
}

/** @param {RackBody} body */
function send(body) {
  sheet.close();
  taps.give("rack", body);
}

/** @type {Record<string, Act>} */
export const ACTS = {
  rack: openRack,
  "rack-left": (_seat, { down }) => send({ down_id: Number(down) }),
  "rack-count": (_seat, { down, chips = "", cash = "" }) => begin(Number(down), chips, cash, false),
  "rack-value"(_seat, { seat }) {
    if (count) count.at = Number(seat);
    draw();
  },
  "rack-send"() {
    if (!count) return;
    const now = count;
    count = null;
    clear();
    ui.answer = { text: t("rack_counted") };
    // Each value is said.
    const cash = now.cash.length ? { cash: counted(now, now.cash, now.chips.length) } : {};
    send({ down_id: now.down, pieces: counted(now, now.chips, 0), ...cash });
  },
};
