"""What each is paid of a jackpot, to the smallest coin, and what stays (H7.31-H7.33)."""

from dataclasses import dataclass
from fractions import Fraction

from casino.rulebooks.jackpots import WHOLE, Category, Jackpot, Law, PaysBy
from jackpot.rules.claims import Judged, PlayedHand, Role, Verdict


@dataclass(frozen=True)
class Payout:
    """
    What each loser, each winner and each other participant is paid, in cents, and how many there are of each.

    `is_printed`: by the printed table, else by the law behind it. `law_cents` is what the law comes to in all, rounded
    down: what the printed percentages leave or take beside it is shown to who verifies (A-H7.10).
    """

    sum_cents: int
    losers: int
    winners: int
    others: int
    loser_cents: int
    winner_cents: int
    other_cents: int
    is_printed: bool
    law_cents: int

    @property
    def paid_cents(self) -> int:
        """What is paid in all."""
        return self.losers * self.loser_cents + self.winners * self.winner_cents + self.others * self.other_cents

    @property
    def stays_cents(self) -> int:
        """What stays in the pool, what rounding leaves with it."""
        return self.sum_cents - self.paid_cents

    @property
    def beside_law_cents(self) -> int:
        """What stays beyond what the law leaves; negative where the printed shares pay more (A-H7.10)."""
        return self.law_cents - self.paid_cents


@dataclass(frozen=True)
class Base:
    """The new sum after a payout, and what of it the house puts in, in cents (H7.33)."""

    base_cents: int
    house_cents: int


def payout_of(
    played: PlayedHand, judged: Judged, jackpot: Jackpot, *, sum_cents: int, coin_cents: int
) -> tuple[Payout, Base] | None:
    """Return what a judged claim pays of a sum and the base after it; None where it fails."""
    if judged.verdict is Verdict.FAILS:
        return None
    paid = payout(
        jackpot.categories[judged.category - 1],
        pays_by=jackpot.pays_by,
        participants=played.participants,
        losers=judged.number_of(Role.LOSER),
        winners=judged.number_of(Role.WINNER),
        sum_cents=sum_cents,
        coin_cents=coin_cents,
    )
    return paid, base_after(paid.stays_cents, seed_cents=jackpot.seed_cents)


def payout(
    category: Category,
    *,
    pays_by: PaysBy,
    participants: int,
    losers: int,
    winners: int,
    sum_cents: int,
    coin_cents: int,
) -> Payout:
    """
    Return what is paid of a sum, each share rounded down to the smallest coin: in euros to the cent (A-H7.10).

    What the table does not print goes by the law behind it, and the house decides on it (A-H7.11).

    :raises ValueError: no loser or no winner, or more of them than participants.
    Rules: H7.7, H7.13, H7.31, H7.32, L-P42.
    """
    others = participants - losers - winners
    if losers < 1 or winners < 1 or others < 0:
        raise ValueError(f"{losers} losers and {winners} winners of {participants} participants")
    row = category.row(participants) if pays_by is PaysBy.PRINTED else None
    each = law_shares(category.law, participants=participants, losers=losers, winners=winners)
    in_all = losers * each[0] + winners * each[1] + others * each[2]
    is_printed = row is not None and losers <= len(row.loser) and winners <= len(row.winner)
    if row is not None and is_printed:
        each = (Fraction(row.loser[losers - 1]), Fraction(row.winner[winners - 1]), Fraction(row.other))
    loser, winner, other = (int(sum_cents * share / WHOLE) // coin_cents * coin_cents for share in each)
    return Payout(
        sum_cents=sum_cents,
        losers=losers,
        winners=winners,
        others=others,
        loser_cents=loser,
        winner_cents=winner,
        other_cents=other if others else 0,
        is_printed=is_printed,
        law_cents=int(sum_cents * in_all / WHOLE),
    )


def law_shares(law: Law, *, participants: int, losers: int, winners: int) -> tuple[Fraction, Fraction, Fraction]:
    """
    Return what each loser, winner and other gets by the law behind the tables, in 100,000ths of the sum.

    Players who share a hand divide its part, and one share of the others' for each of them beyond the first.
    """
    other = Fraction(law.other) or (Fraction(law.others, participants - 2) if participants > 2 else Fraction(0))
    return (law.loser + (losers - 1) * other) / losers, (law.winner + (winners - 1) * other) / winners, other


def base_after(left_cents: int, *, seed_cents: int) -> Base:
    """
    Return the new base sum: what is left, or what the house guarantees if that is more (H7.33, L-P43).

    The guarantee is judged by what is left alone; the day's takings are added on top of it (A-H7.15).
    """
    base = max(left_cents, seed_cents)
    return Base(base, base - left_cents)
