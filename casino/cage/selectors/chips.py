"""Chips that were paid and have not come to their seat, in words and on the floor's to-do."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.cage import deliveries
from casino.cage.labels import MONEY_WITH
from casino.cage.models import PaidChips, Slip
from casino.cage.selectors.money import of_seats
from casino.live.todo import ToDoLine
from casino.money import format_cents
from casino.patience import REQUEST_TAKES
from casino.people.selectors import staff_names
from casino.rooms.selectors import room_of
from casino.text import isolated

# For how long the table's page offers to take back that chips came.
LATELY = timedelta(minutes=15)


def chips_of(slip: Slip) -> PaidChips | None:
    """Return where the chips of a slip are; None where nobody notes it. No query, if read."""
    chips: PaidChips | None = getattr(slip, "chips", None)
    return chips


def words(chips: PaidChips, name: str) -> str:
    """Return with whom chips on their way are, in the active language; `name` is of whoever has them."""
    return f"{MONEY_WITH[chips.chips_with]}: {isolated(name)}"


def on_way(room_id: int) -> list[Slip]:
    """Return the paid slips whose chips have not come to their seats, oldest first. One query, as `for_seats`."""
    return [slip for slip in of_seats(room_id) if slip.status == Slip.Status.PAID]


def on_way_named(room_id: int) -> list[tuple[Slip, PaidChips, str]]:
    """Return the slips of `on_way`, each with its chips and where these are, in words. One query more if any."""
    slips = [(slip, chips) for slip in on_way(room_id) if (chips := chips_of(slip)) is not None]
    names = staff_names({chips.staff_id for _slip, chips in slips}) if slips else {}
    return [(slip, chips, words(chips, names.get(chips.staff_id, ""))) for slip, chips in slips]


def came_lately(room_id: int, *, at: datetime) -> list[Slip]:
    """Return the slips whose chips came to their seats a short while ago, the newest first. One query."""
    slips = Slip.objects.filter(room_id=room_id, status=Slip.Status.PAID, chips__delivered_at__gte=at - LATELY)
    newest = slips.select_related("player", "chips").order_by("-chips__delivered_at", "-id")
    return [slip.where_player_sits() for slip in newest]


def lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line of the floor's to-do for each paid request whose chips take long. Queries as `on_way_named`."""
    for slip, chips, where in on_way_named(room_id):
        room = room_of(room_id)
        amount = format_cents(slip.amount_cents, currency=room.currency, locale=room.locale)
        yield ToDoLine(
            key=f"on_way.{slip.pk}",
            table_number=slip.seat.table_number if slip.seat else None,
            urgency=1,
            tone="soon",
            where=deliveries.of(slip).label(slip),
            text=_("%(money)s of %(player)s are paid and not delivered")
            % {"money": amount, "player": isolated(str(slip.player))},
            reason=_("The chips are %(where)s. Whoever brings them or gets them says that they came.")
            % {"where": where},
            at=chips.since,
            how="post",
            address=reverse("cage_chips", args=[slip.pk]),
            values=(("chips_with", "player"),),
            label=_("They came"),
            shown_from=chips.since + REQUEST_TAKES,
        )
