"""What tables played on with over an earlier day's end, over or short, and nobody has stated yet."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino import seldom
from casino.live.todo import ToDoLine
from casino.money import format_difference
from casino.reading import read_once
from casino.rooms.models import Room
from tables.models import CountedThrough, Table
from tables.open_items import left_unstated
from tables.selectors.todo import table_name

# At which tables it was carried and not stated since: in most rooms at none, and only these are looked at closely.
# Where a table has closed since and nothing is left in play, it was found.
_CARRIED = """SELECT DISTINCT count.table_id FROM cage_carrieditem item
    CROSS JOIN LATERAL jsonb_array_elements_text(item.rows) AS carried (id)
    JOIN tables_countedthrough count ON count.id = carried.id::bigint
    WHERE item.room_id = %s AND item.stage = 'operations' AND item.kind = 'over_short' AND NOT EXISTS (
        SELECT FROM tables_tabledifference stated
        WHERE stated.table_id = count.table_id AND stated.day_id > count.day_id
    ) AND NOT EXISTS (
        SELECT FROM tables_countedthrough later
        WHERE later.table_id = count.table_id AND later.day_id > count.day_id AND later.cents = later.in_play_cents
    ) AND NOT EXISTS (
        SELECT FROM tables_table closed
        JOIN ledger_account lies ON lies.room_id = closed.room_id AND lies.owner_kind = 'table'
            AND lies.owner_id = closed.id AND lies.kind = 'in_play'
        WHERE closed.id = count.table_id AND closed.opening_id IS NULL AND lies.balance_cents = 0 AND (
            SELECT transfer.day_id FROM ledger_posting posting
            JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
            WHERE posting.account_id = lies.id ORDER BY posting.id DESC LIMIT 1
        ) > count.day_id)
    ORDER BY count.table_id"""


def carried_lines(room: Room) -> Iterator[ToDoLine]:
    """Yield a line for each table that has such a difference. One query, and those of `left_unstated` for each."""
    ids = _carried_at(room.pk)
    for table in Table.objects.filter(id__in=ids).order_by("number") if ids else ():
        if left := left_unstated(table):
            yield _not_stated(room, table, *left)


@read_once
def _carried_at(room_id: int) -> list[int]:
    return [table_id for (table_id,) in seldom.rows(_CARRIED, room_id)]


def _not_stated(room: Room, table: Table, count: CountedThrough, cents: int) -> ToDoLine:
    return ToDoLine(
        key=f"over_short.{table.number}",
        table_number=table.number,
        urgency=6,
        tone="wrong",
        where=table_name(table.number),
        text=_("Over/short of %(date)s: %(money)s, not stated yet")
        % {
            "date": date_format(count.day.date, "j.n."),
            "money": format_difference(cents, currency=room.currency, locale=room.locale),
        },
        reason=_("It can be stated once the table was counted through again, or closed."),
        at=count.at,
        how="page",
        address=reverse("floor_table", args=[table.number]),
        label=_("Open"),
    )
