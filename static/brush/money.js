// Money on screens: read as people type it, written as the room does (casino/money.py is the same for the server).

/** @param {string} text @returns {number} cents, or NaN */
export function centsOf(text) {
  const tidy = text.replace(/[\s\u00a0\u202f€]/g, "").replace(",", ".");
  return /^\d+(\.\d{1,2})?$/.test(tidy) ? Math.round(Number(tidy) * 100) : NaN;
}

/**
 * Return what writes cents as the server does: the room's figures, without decimals where there are none, and the
 * currency after them, whatever the language puts first.
 * @param {string} currency @param {string} locale - as the room has it, "fi_FI"
 */
export function moneyWriter(currency, locale) {
  const tag = locale.replace("_", "-");
  const parts = new Intl.NumberFormat(tag, { style: "currency", currency }).formatToParts(0);
  const sign = parts.find(({ type }) => type === "currency")?.value ?? currency;
  const [whole, exact] = [0, 2].map((digits) => new Intl.NumberFormat(tag, {
    useGrouping: true, minimumFractionDigits: digits, maximumFractionDigits: digits,
  }));
  return (/** @type {number} */ cents) => `${cents < 0 ? "-" : ""}${(cents % 100 ? exact : whole).format(Math.abs(cents) / 100)}\u00a0${sign}`;
}
