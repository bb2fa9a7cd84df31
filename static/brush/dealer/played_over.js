// Seats in which somebody plays while their holder is away (H4.48-H4.50, A40), without a connection.
//
// The same as tables/selectors/played_over.py, tables/services/playing_over.py and casino/poker/blinds.py say: tests/tables/test_fold.py holds
// it to that.

import { between } from "./placed.js";

/** @import { Away, Hand, Held, Holder, OpenTable, Seat } from "./table.d.ts" */

/** The markers that a holder owes where the other one has paid a big blind there; null: none was paid. @param {Holder} holder @param {Seat} seat */
const owed = ({ paid }, { missed }) => (paid === null ? null : Math.max(paid, missed));

/** For what each holder would choose a way in on coming back. @param {Seat[]} seats @returns {Seat[]} */
export function withChoices(seats) {
  return seats.map((seat) => {
    const { holder } = seat;
    if (!holder) return seat;
    const due = owed(holder, seat);
    const missed = holder.entry === "in" || due === 0 ? null : (due ?? holder.markers);
    return { ...seat, holder: { ...holder, missed } };
  });
}

/** The seats once a hand is over: the turn that the other one pays is the holder's too. @param {Seat[]} seats @param {Hand} hand @param {Held | null} last @param {boolean} hasTurns */
export function holdersAfter(seats, hand, last, hasTurns) {
  const { big_blind: big } = hand.start;
  return seats.map((seat) => {
    const { holder } = seat;
    if (!holder || big === null) return seat;
    const markers = hasTurns && last ? missedWhilePlayedOver(holder, seat.number, last, big, seats.length) : holder.markers;
    const hasPaid = big === seat.number && hand.seatings.includes(seat.seating ?? 0);
    const was = hand.before?.entries.find(({ seating }) => seating === holder.seating)?.entry;
    // Who waited when it was dealt and is there again has chosen a way since.
    const keeps = markers === holder.markers || (was === "waits" && !holder.is_held);
    return { ...seat, holder: { ...holder, markers, entry: keeps ? holder.entry : "waits", paid: hasPaid ? holder.markers : holder.paid } };
  });
}

/** @param {Holder} holder @param {number} number @param {Held} last @param {number} big @param {number} seats */
function missedWhilePlayedOver({ seating, entry, markers }, number, last, big, seats) {
  if (entry !== "in" && !markers) return markers;
  // Who paid the big blind has the small one next.
  if (last.big_blind === number && last.big_blind_seating === seating) return markers || 1;
  return [...between(last.big_blind, big, seats), big].includes(number) ? 2 : markers;
}

/** A seat that is its holder's alone again. @param {Seat} seat @param {Holder} holder @returns {Seat} */
export function heldAlone(seat, { missed: _, paid: __, markers, ...holder }) {
  return { ...seat, away_at: null, ...holder, missed: markers, wants_seat_change: false, holder: null, joins_hand: null };
}

/** Give a seat back to a holder who is there again, who owes nothing of what the other one has paid. @param {OpenTable} table @param {Seat} seat @returns {OpenTable} */
export function givenBack(table, seat) {
  const { holder, seating } = seat;
  if (!holder) return table;
  const due = holder.is_held ? null : owed(holder, seat);
  const alone = heldAlone(seat, holder);
  const back = due === null ? alone : { ...alone, missed: due, entry: due ? alone.entry : /** @type {const} */ ("in") };
  const seats = table.seats.map((each) => (each === seat ? back : each));
  const { last } = table.places;
  // As if the holder had posted what was paid.
  const places = last && due === 0 ? { ...table.places, last: postedBy(last, seating ?? 0, holder.seating) } : table.places;
  return { ...table, seats, places };
}

/** @param {Held} last @param {number} over @param {number} holder @returns {Held} */
function postedBy(last, over, holder) {
  const by = (/** @type {number} */ seating) => (seating === over ? holder : seating);
  const [button, small, big] = [last.button_seating, last.small_blind_seating, last.big_blind_seating].map(by);
  return { ...last, button_seating: button, small_blind_seating: small, big_blind_seating: big };
}
