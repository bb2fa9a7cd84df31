// Money on screens: read as people type it, written as the room does (casino/money.py is the same for the server).

/** What writes cents, by currency and locale: to make one is slow. @type {Map<string, (cents: number) => string>} */
const writers = new Map();

/** @param {string} text @returns {number} cents, or NaN */
export function centsOf(text) {
  const tidy = text.replace(/[\s\u00a0\u202f€]/g, "").replace(",", ".");
  return /^\d+(\.\d{1,2})?$/.test(tidy) ? Math.round(Number(tidy) * 100) : NaN;
}

/** Write cents as the room of this page does. @param {number} cents @param {string} [currency] foreign notes have one of their own */
export function money(cents, currency) {
  const { currency: own = "", locale = "" } = document.documentElement.dataset;
  const key = `${currency ?? own} ${locale}`;
  const write = writers.get(key) ?? writerOf(currency ?? own, locale);
  writers.set(key, write);
  return write(cents);
}

/**
 * Return what writes cents the room's way, without decimals where there are none; as the server, it has the currency
 * behind the figure in each language.
 * @param {string} currency @param {string} locale - as the room has it, "fi_FI"
 */
function writerOf(currency, locale) {
  const tag = locale.replace("_", "-");
  const [sign] = new Intl.NumberFormat(tag, { style: "currency", currency }).formatToParts(0).filter(({ type }) => type === "currency");
  const [whole, exact] = [0, 2].map((digits) => new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  return (/** @type {number} */ cents) => `${cents < 0 ? "−" : ""}${(cents % 100 ? exact : whole).format(Math.abs(cents) / 100)}\u00a0${sign.value}`;
}
