// Money on screens: read as people type it, written as the room does (casino/money.py is the same for the server).

/** @param {string} text @returns {number} cents, or NaN */
export function centsOf(text) {
  const tidy = text.replace(/[\s\u00a0\u202f€]/g, "").replace(",", ".");
  return /^\d+(\.\d{1,2})?$/.test(tidy) ? Math.round(Number(tidy) * 100) : NaN;
}

/**
 * Return what writes cents the room's way, without decimals where there are none; as the server, it has the currency
 * behind the figure in each language.
 * @param {string} currency @param {string} locale - as the room has it, "fi_FI"
 */
export function moneyWriter(currency, locale) {
  const tag = locale.replace("_", "-");
  const [sign] = new Intl.NumberFormat(tag, { style: "currency", currency }).formatToParts(0).filter(({ type }) => type === "currency");
  const [whole, exact] = [0, 2].map((digits) => new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  return (/** @type {number} */ cents) => `${cents < 0 ? "−" : ""}${(cents % 100 ? exact : whole).format(Math.abs(cents) / 100)}\u00a0${sign.value}`;
}
