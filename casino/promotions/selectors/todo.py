"""What promotions leave to the floor: periods to be decided, and pots whose table is drawn."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.live.todo import ToDoLine
from casino.promotions.models import Fund, Period, Splash
from casino.promotions.terms import name_of, terms_of
from casino.reading import read_once
from casino.rows import read_seldom, relate
from tables.models import Table

# The first of each promotion: they are decided in their order. Splash pots end by themselves.
_UNDECIDED = """FROM promotions_period JOIN promotions_fund ON promotions_fund.id = promotions_period.fund_id
    WHERE promotions_period.room_id = %s AND promotions_period.id IN (
        SELECT DISTINCT ON (first.fund_id) first.id FROM promotions_period first
        WHERE first.room_id = promotions_period.room_id AND first.status = 'open' AND first.seed = ''
        ORDER BY first.fund_id, first.begins_at, first.id)
    ORDER BY promotions_period.begins_at, promotions_period.id"""
_DRAWN = """FROM promotions_splash JOIN promotions_period ON promotions_period.id = promotions_splash.period_id
    JOIN promotions_fund ON promotions_fund.id = promotions_period.fund_id
    JOIN tables_table ON tables_table.id = promotions_splash.table_id
    WHERE promotions_period.room_id = %s AND promotions_splash.status = 'drawn'
    ORDER BY promotions_splash.drawn_at, promotions_splash.id"""


def undecided_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for the first undecided period of each promotion, shown from its end on. One query."""
    for period in _undecided(room_id):
        yield ToDoLine(
            key=f"period.{period.pk}",
            table_number=None,
            urgency=4,
            tone="soon",
            where=_name(period),
            text=_("The period is over: who has won?"),
            reason=_("It pays once the floor has decided it and a manager has signed."),
            at=period.ends_at,
            how="page",
            address=reverse("promotion_desk", args=[period.fund.code]),
            label=_("Decide"),
            shown_from=period.ends_at,
        )


def drawn_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for each pot whose table is drawn and which nobody has noted. One query."""
    for splash in _drawn(room_id):
        assert splash.table is not None, "a drawn splash has its table"
        assert splash.drawn_at is not None, "and its moment"
        yield ToDoLine(
            key=f"splash.{splash.pk}",
            table_number=splash.table.number,
            urgency=1,
            tone="soon",
            where=_("Table %(number)s") % {"number": splash.table.number},
            text=_("%(promotion)s: the next pot is splashed") % {"promotion": _name(splash.period)},
            reason=_("Chips come out of a drawer, and are noted when they are in the pot."),
            at=splash.drawn_at,
            how="page",
            address=reverse("promotion_desk", args=[splash.period.fund.code]),
            label=_("Go on"),
        )


def _name(period: Period) -> str:
    book, _terms = terms_of(period)
    return name_of([book], period.fund.code)


@read_once
def _undecided(room_id: int) -> list[Period]:
    periods = []
    for period, fund in read_seldom((Period, Fund), _UNDECIDED, room_id):
        relate(period, fund=fund)
        periods.append(period)
    return periods


@read_once
def _drawn(room_id: int) -> list[Splash]:
    splashes = []
    for splash, period, fund, table in read_seldom((Splash, Period, Fund, Table), _DRAWN, room_id):
        relate(period, fund=fund)
        relate(splash, period=period, table=table)
        splashes.append(splash)
    return splashes
