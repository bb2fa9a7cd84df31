"""What the cage pays of a promotion: a slip that waits for whoever won."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from casino.cage.about import About
from casino.cage.deliveries import Destination
from casino.cage.models import Slip
from casino.commands.carrying_out import Command
from casino.ledger.chart import PostingLine
from casino.promotions.chart import of_fund
from casino.promotions.errors import PrizeStays
from casino.promotions.models import Prize
from casino.promotions.push import NEWS
from casino.promotions.terms import name_of
from casino.rooms.selectors import rule_book

DESTINATION = "promotion"


@dataclass(frozen=True, kw_only=True)
class Won(About):
    """A prize: its id, its fund's, the promotion's code, and the version of the rule book that says its name."""

    prize: int
    fund: int
    promotion: str
    book: int | None = None


class Winnings(Destination):
    """What a player won in a promotion."""

    def prize_lines(self, slip: Slip) -> Sequence[PostingLine]:
        """Return the fund's part: from what is to be paid, to what was."""
        fund = Won.from_json(slip.about).fund
        return [of_fund(fund, "pending", -slip.amount_cents), of_fund(fund, "paid", slip.amount_cents)]

    def delivered(self, slip: Slip, command: Command) -> None:
        """Note on the prize by which slip and when it was paid."""
        Prize.objects.filter(id=Won.from_json(slip.about).prize).update(slip_id=slip.pk, paid_at=command.at)

    def taken_back(self, slip: Slip, command: Command) -> None:
        """Have it wait again, under a slip of its own: the voided one keeps its number."""
        # The slip is locked, and nobody writes a prize without the lock of its slip.
        prize = Prize.objects.get(id=Won.from_json(slip.about).prize)
        prize.slip_id, prize.paid_at = wait_for(prize, command).pk, None
        prize.save(update_fields=["slip_id", "paid_at"])

    def check_cancelled(self, slip: Slip) -> None:
        """:raises PrizeStays: what was won is not taken away with a tap."""
        raise PrizeStays

    def audiences(self, slip: Slip) -> Sequence[str]:
        """Return who hears that a prize was paid."""
        return (NEWS,)

    def label(self, slip: Slip) -> str:
        """Return what the cage and the paper call it."""
        won = Won.from_json(slip.about)
        # Slips of before do not say whose name it had.
        books = [] if won.book is None else [rule_book(won.book)]
        return _("Promotion %(promotion)s") % {"promotion": name_of(books, won.promotion)}


def wait_for(prize: Prize, command: Command) -> Slip:
    """Have a prize wait at the cage for its player, under the record by which they are known now."""
    period, player = prize.entry.period, prize.player
    fund = period.fund
    # Two records may have been joined since the hand.
    while player.merged_into is not None:
        player = player.merged_into
    slip = Slip(
        room_id=fund.room_id,
        kind=Slip.Kind.PRIZE,
        player=player,
        amount_cents=prize.cents,
        destination=DESTINATION,
        about=Won(prize=prize.pk, fund=fund.pk, promotion=fund.code, book=period.rule_book_version_id).to_json(),
        requested_at=command.at,
        requested_by_id=command.staff_id,
    )
    slip.save(force_insert=True)
    return slip
