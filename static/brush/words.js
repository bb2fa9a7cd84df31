// Texts for scripts: written by the server in the page's language (templates/includes/texts.html, and on the dealer's
// tablet tables/views/dealer_words.py too), filled in here.

/** The texts of this page, by name. @type {Map<string, string>} */
const texts = new Map();
const place = /** @type {HTMLTemplateElement | null} */ (document.querySelector("template#texts"));
for (const each of place?.content.querySelectorAll("[data-text]") ?? []) texts.set(each.getAttribute("data-text") ?? "", each.textContent ?? "");

/** What stands in for the `%(name)s` of a text, by name. @typedef {Record<string, string | number | null | undefined>} Values */

/** Whether there is such a text. @param {string} name */
export const has = (name) => texts.has(name);

/** Return a text by its name, filled in; the name itself where there is none. @param {string} name @param {Values} [values] */
export const t = (name, values) => fill(texts.get(name) ?? name, values);

/**
 * Fill in each `%(name)s` of a text for which there is a value. In one pass: a nickname may itself be written like that.
 * @param {string} text @param {Values} [values]
 */
export function fill(text, values = {}) {
  return text.replace(/%\((\w+)\)s/g, (whole, /** @type {string} */ name) => (name in values ? String(values[name]) : whole));
}
