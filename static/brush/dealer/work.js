// Beside the game: the clock on a player, the deck in play, a disputed pot. What of it goes on, the server draws into
// the fragment (templates/tables/dealer_work.html); here is what its taps do.

import { ask } from "../confirm.js";
import { t } from "../words.js";
import { clear, page, region, table, taps, ui } from "./screen.js";
import { act, canSetAside, openDrawn, sheet } from "./sheets.js";

/** @import { Seat } from "./table.d.ts" */
/** @import { ClockEndBody } from "./tapped.d.ts" */
/** What a tap does: the seat that it is about, and the data of its button. @typedef {(seat: Seat, data: DOMStringMap) => unknown} Act */

/** For what the floor is called, by code, the likeliest first. @type {Record<string, string>} */
const FLOOR_CALLS = JSON.parse(document.getElementById("dealer-floor-calls")?.textContent ?? "{}");

/** The calls of other apps' acts, by code. @type {Record<string, string>} */
const ADDRESSES = JSON.parse(document.getElementById("dealer-acts")?.textContent ?? "{}");

/** @param {ClockEndBody["how"]} how @returns {Act} */
const endClock = (how) => (_seat, { clock }) => taps.give("clock-end", { clock_id: Number(clock), how });

/** @type {Record<string, Act>} */
export const WORK = {
  clock(seat) {
    sheet.close();
    taps.give("clock", {}, { seating: seat.seating });
  },
  "clock-acted": endClock("acted"),
  "clock-out": endClock("ran_out"),
  "clock-back": endClock("taken_back"),
  deck: (_seat, { colour = "", set }) => taps.give("deck", { colour, set_number: Number(set) }),
  floor: () => openDrawn(() => [t("floor_call"), Object.entries(FLOOR_CALLS).map(([reason, words]) => act("floor-call", words, "", "", { "data-reason": reason }))], { table, page }),
  "floor-call"(_seat, { reason = "" }) {
    sheet.close();
    taps.give("floor-call", { reason });
  },
  // Whoever pushes in says it for who leaves: it holds nobody up, and left alone it is the floor's.
  "tips-of": (_seat, { down = "", name = "" }) => openDrawn(() => [t("tips_of", { name }), [act("tips-along", t("tips_along"), t("tips_along_why"), ".primary", { "data-down": down }), act("tips-stay", t("tips_stay"), t("tips_stay_why"))]], { table, page }),
  "tips-along"(_seat, { down }) {
    sheet.close();
    // Until the server shows the table without it.
    region.querySelector('[data-do="tips-of"]')?.setAttribute("hidden", "");
    taps.give("tips-close", { down_id: Number(down) });
  },
  "tips-stay": () => sheet.close(),
  async "table-act"(_seat, { act: code, hand: handId = "", number }) {
    sheet.close();
    const [yes, no] = [t(`act_${code}_yes`), t(`act_${code}_no`)];
    if (!(await ask(t(`act_${code}_ask`, { number }), { yes, no }))) return;
    if (!table.hand) clear();
    ui.answer = table.hand ? ui.answer : { text: t(`act_${code}_after`), isHeld: table.is_held };
    taps.give("table-act", { hand_id: handId }, { url: ADDRESSES[code ?? ""] });
  },
  aside() {
    sheet.close();
    if (!canSetAside(table) || !table.last) return;
    const { hand_id: handId, number } = table.last;
    clear();
    ui.answer = { text: t("aside_done", { number }) };
    taps.give("aside", { hand_id: handId });
  },
};
