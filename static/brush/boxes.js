// What the chips of a count come to, while it is typed. Enter goes on to the next value, and signs nothing.

import { moneyWriter } from "./money.js";

const values = /** @type {HTMLElement | null} */ (document.querySelector("[data-adds-up]"));

function addUp() {
  const sum = document.getElementById(values?.dataset.addsUp ?? "");
  if (!values || !sum) return;
  const fields = [...values.querySelectorAll("input")];
  const cents = fields.reduce((all, each) => all + Number(each.dataset.value) * (parseInt(each.value, 10) || 0), 0);
  sum.textContent = moneyWriter(values.dataset.currency ?? "", values.dataset.locale ?? "")(cents);
}

values?.addEventListener("input", addUp);
values?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  const fields = [...values.querySelectorAll("input")];
  (fields[fields.indexOf(event.target) + 1] ?? document.getElementById("box-by"))?.focus();
});
addUp();
