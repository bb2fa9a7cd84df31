// Chips that come and go: buy-ins asked of the cage, stacks that leave, the tip box.

import { ask } from "../confirm.js";
import { money } from "../money.js";
import { t } from "../words.js";
import { isOpen } from "./fold.js";
import { clear, draw, newPad, page, table, taps, ui } from "./screen.js";
import { sheet } from "./sheets.js";

/** @import { BuyIn, Ui } from "./drawn.d.ts" */
/** @import { OpenTable, Seat } from "./table.d.ts" */
/** @import { BuyInBody, SellBody } from "./tapped.d.ts" */

/** @param {string} purpose @param {string} title @param {Partial<Ui>} [more] */
export function openPad(purpose, title, more = {}) {
  sheet.close();
  clear();
  Object.assign(ui, { pad: newPad(purpose, title), ...more });
  draw();
}

/** Say a count, which nobody refuses; of one that cannot be the dealer is asked first. @param {number} cents @param {() => void} give */
async function sayCount(cents, give) {
  const typed = { ...ui };
  clear();
  draw();
  const isAbove = await taps.isAbovePlay(cents);
  const words = { yes: t("above_play_yes"), no: t("above_play_no") };
  if (!isAbove || (await ask(t("above_play", { amount: money(cents) }), words))) {
    give();
  } else {
    Object.assign(ui, typed);
    draw();
  }
}

/** @param {BuyIn["moneyWith"]} [moneyWith] whether the dealer has the cash already, or puts it into the rack */
export function sendPad(moneyWith) {
  if (!ui.pad) return;
  const { purpose, cents } = ui.pad;
  if (purpose === "tips") {
    sayCount(cents, () => taps.give("tips", { counted_cents: cents }));
    return;
  }
  if (!ui.buyIn) return;
  if (purpose === "leave") {
    const { seating } = ui.buyIn.seat;
    sayCount(cents, () => taps.give("leave", { stack_cents: cents }, { seating }));
  } else if (purpose === "stack") {
    askCage({ ...ui.buyIn, stack: cents });
  } else {
    askCage({ ...ui.buyIn, amount: cents, moneyWith });
  }
}

/** A limit hangs on the stack, unless the seat has no chips or any stack would do (H2.14-H2.17). @param {OpenTable} table @param {BuyIn} buyIn */
function needsStack({ offer }, { seat, amount = 0, stack }) {
  const { buy_in_min: least, buy_in_max: most } = offer;
  return seat.has_chips && stack === undefined && (most === null ? amount < least : amount <= most);
}

/** A stack is a count or a word, never a guess. @param {number | "under_blind" | "full"} stack @returns {Pick<BuyInBody, "stack_cents" | "stack">} */
const stackTyped = (stack) => (typeof stack === "number" ? { stack_cents: stack } : { stack });

/** Which request the chips out of the rack are for, as it was when they were decided upon. @param {BuyIn} buyIn @returns {Pick<SellBody, "slip_id" | "slip_version">} */
function slipSeen({ seat, amount = 0, again = false, requested = [] }) {
  const seen = again ? undefined : requested.find((each) => each.seating === seat.seating && each.cents === amount);
  return seen ? { slip_id: seen.slip, slip_version: seen.version } : {};
}

/** @param {BuyIn} buyIn */
export async function askCage(buyIn) {
  ui.buyIn = buyIn;
  ui.note = "";
  if (isOpen(table) && needsStack(table, buyIn)) {
    buyIn.isAskingStack = true;
    draw();
    return;
  }
  const { seat, amount = 0, stack, again = false, moneyWith = "player" } = buyIn;
  const isSold = moneyWith === "rack";
  /** @type {BuyInBody | SellBody} */
  const body = { amount_cents: amount, again, ...(isSold ? slipSeen(buyIn) : { money_with: moneyWith }), ...(seat.has_chips && stack !== undefined ? stackTyped(stack) : {}) };
  const answer = await taps.request(isSold ? "sell" : "buy-in", body, { seating: seat.seating });
  if (ui.buyIn !== buyIn) return;
  if (answer?.isDone) {
    clear();
    ui.answer = { text: t(isSold ? "sold" : "buy_in_sent", { amount: money(amount), seat: seat.number }) };
  } else if (answer?.body.code === "same_buy_in") {
    if (await ask(sentence(answer.body), { yes: t("again_yes"), no: t("again_no") })) {
      askCage({ ...buyIn, again: true });
      return;
    }
    clear();
  } else {
    ui.note = answer ? sentence(answer.body) : t("no_answer");
    // What is tapped after this was decided upon what the felt shows by now.
    if (answer) buyIn.requested = table.requested;
  }
  draw();
}

/** What players may read of a refusal: what the game's rules say, else "see the floor". @param {{code?: string, detail?: string}} problem */
export function sentence(problem) {
  const { code = "", detail = "" } = problem;
  return page.sayable?.split(" ").includes(code) ? detail : t("see_floor");
}

/** @param {Seat} seat */
export async function leaveUncounted(seat) {
  sheet.close();
  const words = { name: seat.name, seat: seat.number };
  if (await ask(t("leave_ask", words), { yes: t("leave_yes"), no: t("stay") })) {
    taps.give("leave", { stack_cents: null }, { seating: seat.seating });
  }
}
