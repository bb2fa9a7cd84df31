// Words and money of this page: texts come from the server in the page's language, amounts are written the room's way.

import { moneyWriter } from "../money.js";

/** @import { WayIn } from "./table.d.ts" */
/** @typedef {Node | string | false | null | undefined} Leaf */
/** @typedef {Leaf | Leaf[] | Leaf[][]} Child */

/** @type {Record<string, string>} */
const words = JSON.parse(document.getElementById("dealer-words")?.textContent ?? "{}");
// Of no currency until the first table comes, which names its room's.
let write = moneyWriter("XXX", "en");

/** Return a text by its name in tables/views/dealer_words.py. @param {string} name @param {Record<string, any>} [values] */
export function t(name, values = {}) {
  return (words[name] ?? name).replace(/%\((\w+)\)s/g, (/** @type {string} */ whole, /** @type {string} */ key) => (key in values ? String(values[key]) : whole));
}

/** Whether there is such a text. @param {string} name */
export const has = (name) => name in words;

/** @param {string} currency @param {string} locale - as the room has it, "fi_FI" */
export function writeMoneyLike(currency, locale) {
  write = moneyWriter(currency, locale);
}

/** Write cents the room's way. @param {number} cents */
export const money = (cents) => write(cents);

/** Write what is put in front, live, and what goes straight into the pot, dead (H4.40). @param {WayIn} way */
export function cost({ live, dead }) {
  return dead ? t("live_and_dead", { live: money(live), dead: money(dead) }) : money(live);
}

/**
 * Make an element: `el("p.note", {id: "x"}, "text", child, …)`; falsy children are left out.
 * @param {string} what - tag and classes
 * @param {Record<string, any>} [properties]
 * @param {Child[]} children
 * @returns {HTMLElement}
 */
export function el(what, properties, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("data-") || name.startsWith("aria-") || name === "href") made.setAttribute(name, value === true ? "" : value);
    else Object.assign(made, { [name]: value });
  }
  for (const child of /** @type {Leaf[]} */ (children.flat(2))) if (child) made.append(child);
  return made;
}
