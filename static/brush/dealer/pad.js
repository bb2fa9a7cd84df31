// The keypad over the right third: big digits, quick sums, and below the figure what follows from it.
//
// One pad is open at a time. `pad.cents` is the amount typed; a pot's pad also holds its side pots: the amounts
// typed for the main pot and the first side pots, what is left over being the last one.

import { money } from "../money.js";
import { t } from "../words.js";
import { el } from "./el.js";


const QUICK = [5, 10, 25, 100];
const DIGITS_MAX = 7;

export class Pad {
  /** @param {{purpose: string, title: string, decimals?: boolean}} what */
  constructor({ purpose, title, decimals = false }) {
    this.purpose = purpose;
    this.title = title;
    this.decimals = decimals;
    /** The digits of each amount; the first is the total, the others main pot, side pot 1, … @type {string[]} */
    this.typed = [""];
    this.isAtLeast = false;
    /** It holds what was typed before: the next digit begins a new amount. */
    this.isKept = false;
  }

  get text() {
    return this.typed[this.typed.length - 1];
  }

  set text(digits) {
    this.typed[this.typed.length - 1] = digits;
  }

  get cents() {
    return cents(this.typed[0]);
  }

  /** Main and side pots in the order of formation; one pot while no side pots were typed. */
  get pots() {
    const parts = this.typed.slice(1).map(cents).filter((part) => part > 0);
    const rest = this.cents - parts.reduce((sum, part) => sum + part, 0);
    return rest === 0 ? parts : [...parts, rest];
  }

  get isTooMuch() {
    return this.typed.length > 1 && (this.pots.at(-1) ?? 0) < 0;
  }

  /** @param {string} key - a digit, "00", ",", "back", "+25", or "=20000": that many cents */
  press(key) {
    const isNew = this.isAtLeast || (this.isKept && !key.startsWith("+"));
    if (isNew) [this.typed, this.isAtLeast] = [[""], false];
    this.isKept = false;
    if (key === "back") this.text = this.text.slice(0, -1);
    else if (key.startsWith("=")) this.text = digits(Number(key.slice(1)));
    else if (key.startsWith("+")) this.text = digits(cents(this.text) + Number(key) * 100);
    else if (key === ",") this.text = this.text.includes(",") ? this.text : `${this.text || "0"},`;
    else if (this.text.length < DIGITS_MAX && !/,\d\d$/.test(this.text)) this.text = (this.text + key).replace(/^0+(?=\d)/, "");
    if (this.text === "0" && key !== "0") this.text = "";
  }

  /** Which pot is to be typed next: 0 the main pot, 1 side pot 1; null while none is begun and empty. */
  get partToType() {
    return this.typed.length > 1 && !this.text ? this.typed.length - 2 : null;
  }

  /** Begin to type the next pot; an empty one is not left behind. */
  nextPot() {
    if (this.text) this.typed.push("");
    else if (this.typed.length > 1) this.typed.pop();
  }

  /** Begin with pots that were typed before, in the order of formation. @param {number[]} pots @param {boolean} isAtLeast */
  keep(pots, isAtLeast) {
    const total = pots.reduce((sum, pot) => sum + pot, 0);
    this.typed = [total ? digits(total) : "", ...pots.slice(0, -1).map(digits)];
    Object.assign(this, { isAtLeast, isKept: total > 0 });
  }

  /** @param {number} from - the smallest pot that pays the maximum */
  maximum(from) {
    this.typed = [digits(from)];
    this.isAtLeast = true;
  }
}

/** @param {string} text */
function cents(text) {
  const [whole, part = ""] = text.split(",");
  return Number(whole || 0) * 100 + Number(part.padEnd(2, "0").slice(0, 2));
}

/** @param {number} amount */
function digits(amount) {
  return amount % 100 ? `${Math.floor(amount / 100)},${String(amount % 100).padStart(2, "0")}` : String(amount / 100);
}

/** @param {string} label @param {string} value @param {Record<string, string>} [more] */
const key = (label, value, more = {}) => el("button.button", { type: "button", "data-key": value, ...more }, label);

/** @import { Leaf } from "./el.js" */
/** @typedef {{below?: Leaf[], acts?: Leaf[], limits?: string, isAsking?: boolean, wholes?: number[]}} Parts */

/**
 * Draw the pad. `below` are elements that say what follows from the amount, `acts` its own buttons; while those
 * ask something the keys make room. `wholes` are amounts in cents that one tap puts in, instead of the first quick sums.
 * @param {Pad} pad @param {Parts} parts
 */
export function drawPad(pad, { below = [], acts = [], limits = "", isAsking = false, wholes = [] }) {
  const third = pad.decimals ? key(",", ",") : key("00", "00");
  const entered = el("div.entered", { "data-entered": true }, pad.isAtLeast ? el("small", {}, t("at_least", { amount: "" })) : "", shown(pad));
  return el(
    "section.pad",
    { "data-purpose": pad.purpose, "data-asking": isAsking },
    el("header", {}, el("h2.name", {}, pad.title), limits && el("span.quiet-text", {}, limits), el("button.button.quiet", { type: "button", "data-do": "close-pad" }, t("cancel"))),
    el(
      "div.keypad",
      {},
      entered,
      !isAsking && el("div.quick", {}, wholes.map((sum) => key(money(sum), `=${sum}`)), QUICK.slice(wholes.length).map((sum) => key(`+${sum}`, `+${sum}`))),
      !isAsking && [..."789456123"].map((digit) => key(digit, digit)),
      !isAsking && [third, key("0", "0"), key("⌫", "back", { "aria-label": t("erase") })],
    ),
    el("div.pad-acts", {}, acts),
    el("div.pad-below", {}, below),
  );
}

/** The figure, as it is being typed: a comma without its decimals stays. @param {Pad} pad */
function shown(pad) {
  const amount = cents(pad.text);
  if (!pad.text) return money(0);
  return pad.text.includes(",") ? pad.text : money(amount);
}
