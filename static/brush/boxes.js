// What the chips of a count come to, while it is typed. Enter goes on to the next value, and signs nothing.

const values = /** @type {HTMLElement | null} */ (document.querySelector("[data-adds-up]"));

function addUp() {
  const sum = document.getElementById(values?.dataset.addsUp ?? "");
  if (!values || !sum) return;
  const fields = [...values.querySelectorAll("input")];
  const cents = fields.reduce((all, each) => all + Number(each.dataset.value) * (parseInt(each.value, 10) || 0), 0);
  const digits = cents % 100 ? 2 : 0;
  const style = { style: "currency", currency: values.dataset.currency, minimumFractionDigits: digits };
  sum.textContent = new Intl.NumberFormat(
    values.dataset.locale,
    /** @type {Intl.NumberFormatOptions} */ ({ ...style, maximumFractionDigits: 2 }),
  ).format(cents / 100);
}

values?.addEventListener("input", addUp);
values?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  const fields = [...values.querySelectorAll("input")];
  (fields[fields.indexOf(event.target) + 1] ?? document.getElementById("box-by"))?.focus();
});
addUp();
