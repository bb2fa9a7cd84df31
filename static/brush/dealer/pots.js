// What to take from which pot and what to push, without a connection. Amounts are whole cents.
//
// The same answers as casino/poker/{rake,rake_ways,charges,drop,charged_pots,split}.py: tests/tables/test_dealer_ladder.py
// holds them against each other. Every kind of charge is reckoned by its ladder and no other way (tables/charges.py).
//
// The shapes: table.d.ts.

/** @import { Charge, Ladder, Offer, Share, Step } from "./table.d.ts" */

/** The steps up to this pot. @param {Ladder} ladder @param {number} total @returns {Generator<Step>} */
function* stepsUpTo(ladder, total) {
  /** @type {Step} */
  let last = [0, 0];
  for (const step of ladder.steps) {
    if (step[0] > total) return;
    yield (last = step);
  }
  if (!ladder.then) return;
  const [every, more] = ladder.then;
  for (let [pot, rake] = last; (pot += every) <= total; ) yield [pot, (rake += more)];
}

/** Return the ladder by which a hand pays that began with so many players, if it pays (H1.88, U95). @param {Charge} charge @param {number} participants */
export function ladderFor({ by }, participants) {
  return by.findLast(([least]) => participants >= least)?.[1] ?? null;
}

/** What a hand pays that is dealt then: nothing of what was paid by the time (H7.18). @param {Offer} offer @param {number} at @returns {Charge[]} */
export const chargesAt = ({ charges }, at) =>
  charges.map((charge) => (charge.free_until && at < Date.parse(charge.free_until) ? { ...charge, by: [], is_by_time: true } : charge));

/** Whether something is due of hands without a flop too: then every pot is typed (RA8). @param {Offer} offer */
export const isEveryPotTyped = (offer) => offer.charges.some((charge) => charge.is_due_without_flop);

/** The pot from which more of it changes nothing that is due of so many players; null where there is no such pot. @param {Charge[]} charges @param {number} participants */
export function maximumFrom(charges, participants) {
  const ladders = charges.map((charge) => ladderFor(charge, participants)).filter((ladder) => ladder !== null);
  if (ladders.some(({ maximum_from: from, then, share }) => from === null && (then || share))) return null;
  const found = ladders.map((ladder) => ladder.maximum_from).filter((from) => from !== null);
  return found.length ? Math.max(...found) : null;
}

/** Return a share of all pots, to the nearest cent and then down to the chip (L-P18-L-P20, U94). @param {Share} share @param {number} total */
function shareOf({ rate_bp, fixed_cents, minimum_cents, maximum_cents, chip_cents }, total) {
  const cents = Math.floor((total * rate_bp + 5000) / 10000) + fixed_cents;
  const due = Math.min(Math.max(cents - (cents % chip_cents), minimum_cents), maximum_cents ?? Infinity);
  return due <= total ? due : 0;
}

/** Return the rake of a hand whose pots hold `total` together (H1.84, H1.85). @param {Ladder} ladder @param {number} total */
export function rakeOf(ladder, total) {
  if (ladder.share) return shareOf(ladder.share, total);
  let due = 0;
  for (const [, rake] of stepsUpTo(ladder, total)) due = rake;
  return due;
}

/**
 * Return the amount above which the main pot pays the whole rake; 0 while side pots decide nothing (H1.86).
 * @param {Ladder | null} ladder @param {number} total
 */
export function mainPaysAllAbove(ladder, total) {
  if (!ladder?.is_by_block) return 0;
  let above = 0;
  let begins = 0;
  for (const [pot, rake] of stepsUpTo(ladder, total)) {
    if (rake > 0) above = begins;
    begins = pot;
  }
  return above;
}

/** The pot in which an offset lies when all pots are laid end to end; between two pots it is the later one (A15). @param {number[]} pots @param {number} offset */
function potAt(pots, offset) {
  let end = 0;
  return pots.findIndex((pot) => offset < (end += pot));
}

/** Take charges [pot, cents] out of pots that may be too small for them; return what each pot pays (A15). @param {[number, number][]} charges @param {number[]} pots */
function spread(charges, pots) {
  const left = [...pots];
  for (const [pot, cents] of charges) {
    if (cents > sum(left)) continue;
    const bearer = left.findIndex((each, index) => index >= pot && each >= cents);
    if (bearer >= 0) {
      left[bearer] -= cents;
      continue;
    }
    let due = cents;
    for (const index of [...left.keys()].slice(pot).concat([...left.keys()].slice(0, pot))) {
      const part = Math.min(due, left[index]);
      left[index] -= part;
      due -= part;
    }
  }
  return pots.map((pot, index) => pot - left[index]);
}

/** Return what each pot pays by a ladder, in order of formation (H1.86, UA19, A16). @param {Ladder} ladder @param {number[]} pots */
function byPot(ladder, pots) {
  const total = sum(pots);
  if (!ladder.is_by_block) return spread([[0, rakeOf(ladder, total)]], pots);
  /** @type {[number, number][]} */
  const charges = [];
  let [begins, before] = [0, 0];
  for (const [pot, rake] of stepsUpTo(ladder, total)) {
    if (rake > before) charges.push([potAt(pots, begins), rake - before]);
    [begins, before] = [pot, rake];
  }
  return spread(charges, pots);
}

/**
 * Return {taken: {kind: by pot}, push: by pot}: charge after charge, each from what those before it left (H1.82-H1.90,
 * A16). A hand that did not go beyond the initial deal pays only what is due without a flop (RA8).
 * @param {{pots: number[], participants: number, isFlop?: boolean, charges: Charge[]}} hand
 */
export function chargePots({ pots, participants, charges, isFlop = true }) {
  /** @type {Record<string, number[]>} */
  const taken = {};
  let left = pots;
  for (const charge of charges) {
    const ladder = isFlop || charge.is_due_without_flop ? ladderFor(charge, participants) : null;
    const due = ladder ? byPot(ladder, left) : left.map(() => 0);
    taken[charge.kind] = due;
    left = left.map((pot, index) => pot - due[index]);
  }
  return { taken, push: left };
}

/** Return seats clockwise, beginning after a seat. @param {number[]} seats @param {number | null} after - null: the lowest first */
export function clockwise(seats, after) {
  const isPast = (/** @type {number} */ seat) => Number(after !== null && seat <= after);
  return [...seats].sort((a, b) => isPast(a) - isPast(b) || a - b);
}

/**
 * Return [seat, share] of a pot: odd chips one each, beginning next to the button (H5.36, H5.37).
 * @param {number} cents @param {number[]} seats @param {number | null} button @param {number} chip @returns {[number, number][]}
 */
export function shares(cents, seats, button, chip) {
  const winners = clockwise(seats, button);
  const chips = Math.floor(cents / chip);
  const each = Math.floor(chips / winners.length);
  const odd = chips % winners.length;
  /** @type {[number, number][]} */
  const found = winners.map((seat, index) => [seat, (each + (index < odd ? 1 : 0)) * chip]);
  found[odd][1] += cents % chip;
  return found;
}

/** @param {number[]} amounts */
export const sum = (amounts) => amounts.reduce((total, each) => total + each, 0);
