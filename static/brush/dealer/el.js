// Elements of this page, which draws itself.

/** @typedef {Node | string | false | null | undefined} Leaf */
/** @typedef {Leaf | Leaf[] | Leaf[][]} Child */

/**
 * Make an element: `el("p.note", {id: "x"}, "text", child, …)`; falsy children are left out.
 * @param {string} what - tag and classes
 * @param {Record<string, string | number | boolean | null | undefined>} [properties]
 * @param {Child[]} children
 * @returns {HTMLElement}
 */
export function el(what, properties, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("data-") || name.startsWith("aria-") || name === "href") made.setAttribute(name, value === true ? "" : String(value));
    else Object.assign(made, { [name]: value });
  }
  for (const child of /** @type {Leaf[]} */ (children.flat(2))) if (child) made.append(child);
  return made;
}
