"""What a settled hand writes: due and taken on its row, its pots, and the postings into the boxes."""

from datetime import datetime

from casino.commands.frame import Command
from casino.ledger.chart import Line
from casino.ledger.services import post
from casino.poker.drop import drop_due
from casino.poker.settlement import Settlement, settle
from casino.rooms.models import GamingDay
from casino.rows import Change, Insert, Update
from tables.collectors import collected
from tables.models import Game, Hand, HandPot, Table
from tables.rules.logged import LoggedHand

# What of a hand's row its settlement says.
SETTLED = (
    "status",
    "dealer_id",
    "beyond_initial_deal_at",
    "settled_at",
    "street",
    "pot_cents",
    "pot_is_at_least",
    "rake_due_cents",
    "rake_taken_cents",
    "drop_due_cents",
    "drop_taken_cents",
    "transfer_id",
)


def settle_row(row: Hand, hand: LoggedHand, *, game: Game, at: datetime, participants: int) -> Settlement | None:
    """
    Note on a hand's row what was due and what was taken; return the settlement, with what was taken.

    None when it was won in the initial deal, or went beyond it and nobody says how large the pot was. Where the house
    takes its rake without a flop too (RA8), a pot is typed and settled also then. Stored is nothing yet: that comes
    with `settled`. Rules: H1.82-H1.90, R-§28.
    """
    settlement = None
    dealt_in = len(hand.dealt_in) or participants
    row.status = Hand.Status.SETTLED
    row.settled_at = at
    row.street = "beyond" if hand.is_beyond_initial_deal else "initial"
    if hand.is_beyond_initial_deal and row.beyond_initial_deal_at is None:
        row.beyond_initial_deal_at = hand.beyond_initial_deal_at or at
    row.pot_cents, row.pot_is_at_least = hand.pot_cents, hand.pot_is_at_least
    if hand.pots:
        settlement = settle(
            pots=hand.pots,
            participants=dealt_in,
            beyond_initial_deal=hand.is_beyond_initial_deal,
            rake=game.rake_policy,
            drop=game.drop_policy,
        )
    row.rake_due_cents = settlement.rake_cents if settlement else 0
    # The drop is due by the players and the flop alone, also where nobody says how large the pot was.
    row.drop_due_cents = (
        settlement.drop_cents
        if settlement
        else drop_due(participants=dealt_in, beyond_initial_deal=hand.is_beyond_initial_deal, policy=game.drop_policy)
    )
    row.rake_taken_cents = row.rake_due_cents if hand.rake_taken_cents is None else hand.rake_taken_cents
    row.drop_taken_cents = row.drop_due_cents if hand.drop_taken_cents is None else hand.drop_taken_cents
    if settlement is None:
        return None
    return settlement.taking(rake_cents=row.rake_taken_cents, drop_cents=row.drop_taken_cents)


def settled(row: Hand, hand: LoggedHand, settlement: Settlement | None) -> list[Change]:
    """Return what is to be stored of a settled hand: its row and its pots."""
    return [Update(row, SETTLED), Insert(_pots(row, hand, settlement))]


def _pots(row: Hand, hand: LoggedHand, settlement: Settlement | None) -> list[HandPot]:
    return [
        HandPot(
            room_id=row.room_id,
            hand=row,
            index=index,
            cents=hand.pots[index] if hand.pots else None,
            rake_cents=settlement.rake_by_pot[index] if settlement else 0,
            drop_cents=settlement.drop_by_pot[index] if settlement else 0,
            winner_seats=list(hand.winners_of(index)),
        )
        for index in range(max(len(hand.pots), 1))
    ]


def post_settlement(row: Hand, *, day: GamingDay, table: Table, command: Command) -> None:
    """
    Post what was taken, and note the transfer on the row. One statement.

    From the chips in play into the rake box and where the collectors say, in one transfer; none when
    nothing was taken. A hand of an earlier day is posted today and names its day.
    """
    into = {"rake_box": row.rake_taken_cents, **collected(row)}
    lines = [Line("table", table.pk, kind, cents) for kind, cents in into.items() if cents]
    if lines:
        about = {"hand": row.pk, "number": row.number}
        if row.opening.day_id != day.pk:
            about["of_day"] = row.opening.day_id
        lines.append(Line("table", table.pk, "in_play", -sum(line.cents for line in lines)))
        row.transfer_id = post(
            room_id=row.room_id,
            day_id=day.pk,
            kind="hand",
            lines=lines,
            key=f"hand.{row.pk}",
            made_by_id=command.by.staff_id,
            at=command.at,
            table_id=table.pk,
            about=about,
        )
