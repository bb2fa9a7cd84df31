// Sentences for scripts: written by the server in the page's language, filled in here.

/**
 * Return a sentence of `templates/includes/says.html`.
 * @param {string} name - what is to be said, as in `data-say`
 * @param {Record<string, string | number>} [values] - for its `%(name)s`
 * @returns {string}
 */
export function say(name, values = {}) {
  const found = document.querySelector(`#says [data-say="${name}"]`);
  const text = found ? found.textContent ?? "" : name;
  return text.replace(/%\((\w+)\)s/g, (whole, key) => (key in values ? String(values[key]) : whole));
}
