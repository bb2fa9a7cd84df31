// A count by denomination: what its pieces come to is said beside them while they are typed. Enter goes on to the next
// field, and signs nothing; on a page of its own Esc leads back.

import { money } from "./money.js";

const GOES_ON = "[data-adds-up] input, [data-goes-on]";

/** @param {HTMLElement} values - the fields for how many of each */
function addUp(values) {
  const { addsUp = "", currency } = values.dataset;
  const sum = document.getElementById(addsUp);
  const fields = [...values.querySelectorAll("input")];
  const cents = fields.reduce((all, each) => all + Number(each.dataset.value) * (parseInt(each.value, 10) || 0), 0);
  if (sum) sum.textContent = money(cents, currency);
}

document.addEventListener("input", (event) => {
  const values = event.target instanceof Element ? event.target.closest("[data-adds-up]") : null;
  if (values instanceof HTMLElement) addUp(values);
});
document.addEventListener("keydown", (event) => {
  const field = event.target;
  const back = document.querySelector("a[data-back-out]");
  if (event.key === "Escape" && back instanceof HTMLElement) back.click();
  if (event.key !== "Enter" || !(field instanceof HTMLElement) || !field.matches(GOES_ON)) return;
  event.preventDefault();
  const fields = /** @type {HTMLElement[]} */ ([...(field.closest("form")?.querySelectorAll(`${GOES_ON}, [name=pin]`) ?? [])]);
  fields[fields.indexOf(field) + 1]?.focus();
});
for (const values of document.querySelectorAll("[data-adds-up]")) addUp(/** @type {HTMLElement} */ (values));
