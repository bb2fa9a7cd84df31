"""The link between a must-move game and its main game, when one of the two goes on with other stakes."""

from collections.abc import Iterable

from django.db.models import Q

from casino.rows import Update, write
from tables.models import Opening, Table, of_game


def linked(table: Table) -> list[Table]:
    """Return the tables that feed a table's game or are fed by it, by id. One query, none where it runs nothing."""
    if table.opening_id is None:
        return []
    at_an_end = Q(opening__feeds=table.opening_id) | Q(opening__fed_by=table.opening_id)
    return list(Table.objects.filter(at_an_end, room_id=table.room_id).distinct().order_by("id"))


def follow_stakes(old: Opening, new: Opening, others: Iterable[Table]) -> list[int]:
    """
    Carry the link over to what a table goes on with; return the numbers of the tables with which it rests now.

    `others` are the locked tables at its other ends. It holds while both run the same game: where one changes its
    stakes it rests, and goes on once the other follows, or the first comes back.
    """
    Opening.objects.filter(feeds=old, closed_at=None).update(feeds=new)
    others = list(others)
    for other in others:
        other.version += 1
        write(Update(other))
    # Read only once they are locked, as `lock_table` does.
    differ = Opening.objects.filter(table__in=others, closed_at=None).exclude(of_game(new.game, "game"))
    return list(differ.order_by("table__number").values_list("table__number", flat=True))
