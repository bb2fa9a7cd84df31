"""
Tables that are still open keep the gaming day open, and disputed pots that nobody has decided.

By a manager's word it closes over what the floor has not judged, over stacks that left uncounted, and over chips in
play where nobody sits any more.
"""

from django.utils.translation import gettext_lazy as _

from casino.cage.open_items import OpenItems
from casino.ledger.models import Account
from casino.rooms.selectors import open_day
from tables.models import DisputedPot, Opening, Table, ToDo
from tables.selectors.todo_loose import uncounted


def _open_tables(room_id: int) -> list[int]:
    found = Table.objects.filter(room_id=room_id, opening__isnull=False)
    return list(found.order_by("number").values_list("number", flat=True))


OPEN_TABLES = OpenItems("table", _("table %(number)s"), _open_tables)


def _disputed_pots(room_id: int) -> list[int]:
    found = DisputedPot.objects.filter(room_id=room_id, resolved_at=None)
    return list(found.order_by("hand__number").values_list("hand__number", flat=True))


DISPUTED_POTS = OpenItems("disputed_pot", _("disputed pot of hand %(number)s"), _disputed_pots)


def _to_judge(room_id: int) -> list[int]:
    found = ToDo.objects.filter(room_id=room_id, done_at=None).order_by("table__number")
    return list(found.values_list("table__number", flat=True).distinct())


TO_JUDGE = OpenItems("to_judge", _("what the floor has to judge at table %(number)s"), _to_judge, may_be_left=True)


def _uncounted(room_id: int) -> list[int]:
    return sorted({seating.table.number for seating in uncounted(room_id)})


UNCOUNTED = OpenItems("uncounted", _("a stack that left table %(number)s uncounted"), _uncounted, may_be_left=True)


def _in_play(room_id: int) -> list[int]:
    """Of the tables that ran on the open day and run no more. Three queries."""
    day = open_day(room_id)
    ran = Opening.objects.filter(room_id=room_id, day_id=day.pk, table__opening=None) if day else Opening.objects.none()
    numbers = dict(ran.values_list("table_id", "table__number"))
    chips = Account.objects.filter(owner_kind="table", kind="in_play", owner_id__in=numbers)
    return sorted(numbers[table_id] for table_id in chips.exclude(balance_cents=0).values_list("owner_id", flat=True))


IN_PLAY = OpenItems("in_play", _("chips in play at table %(number)s, where nobody sits"), _in_play, may_be_left=True)
