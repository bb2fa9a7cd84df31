// Words and money of this page: texts come from the server in the page's language, amounts are written the room's way.

const words = JSON.parse(document.getElementById("dealer-words")?.textContent ?? "{}");
const formats = new Map();
let room = { currency: "EUR", locale: "fi-FI" };

/** Return a text by its name in tables/views/dealer_words.py. @param {string} name @param {Record<string, any>} [values] */
export function t(name, values = {}) {
  return (words[name] ?? name).replace(/%\((\w+)\)s/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/** Whether there is such a text. */
export const has = (name) => name in words;

/** @param {string} currency @param {string} locale - as the room has it, "fi_FI" */
export function writeMoneyLike(currency, locale) {
  room = { currency, locale: locale.replace("_", "-") };
  formats.clear();
}

/** Write cents the room's way, without decimals where there are none. @param {number} cents */
export function money(cents) {
  const digits = cents % 100 ? 2 : 0;
  if (!formats.has(digits)) {
    const look = { style: "currency", currency: room.currency, minimumFractionDigits: digits, maximumFractionDigits: digits };
    formats.set(digits, new Intl.NumberFormat(room.locale, look));
  }
  return formats.get(digits).format(cents / 100);
}

/** Write what is put in front, live, and what goes straight into the pot, dead (H4.40). */
export function cost(live, dead) {
  return dead ? t("live_and_dead", { live: money(live), dead: money(dead) }) : money(live);
}

/** Make an element: `el("p.note", {id: "x"}, "text", child, …)`; falsy children are left out. */
export function el(what, properties, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("data-") || name.startsWith("aria-") || name === "href") made.setAttribute(name, value === true ? "" : value);
    else made[name] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return made;
}
