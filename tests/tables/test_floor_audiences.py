"""
Every service tells the screens that it changes.

A screen that was open before a tap is shown anew when its audience is told. So whatever fragment a
service changes must be among the audiences that its event names: then the open screen equals a fresh page.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db import connection, transaction

from casino.audit.models import Event
from casino.commands.carrying_out import services
from casino.live.render import one_snapshot
from casino.people.models import PlayerPass
from tests.acts import ACTS, QUIET
from tests.doors.routes import import_all_services
from tests.tables.conftest import House
from tests.tables.evening import Evening

pytestmark = pytest.mark.two_houses

SCREENS = (
    "floor", "lobby", "table.1.floor", "table.2.floor", "table.1.dealer", "table.2.dealer", "cage", "dealers",
    "claims", "jackpots", "boxes", "fills", "promotions",
)  # fmt: skip


def shown(house: House, names: Iterable[str] | None = None) -> dict[str, str]:
    """Return what screens show now: all, Mika's phone too, or those named. What several of them read is read once."""
    with one_snapshot(house.room_id) as fragment_of:
        return {name: fragment_of(name, "en").html for name in (screens() if names is None else names)}


def screens() -> list[str]:
    return [*SCREENS, *(held.audience for held in PlayerPass.objects.all())]


@pytest.fixture(autouse=True)
def phones(settings: Any) -> None:
    settings.PHONE_URL = "https://phones.example"


def rows_written() -> int:
    """Return how many rows this transaction has written so far, also those that were taken back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables")
        return int(cursor.fetchone()[0])


def newest_event() -> int:
    return Event.objects.order_by("-id").values_list("id", flat=True)[0]


def audiences_since(newest: int) -> set[str]:
    return {name for event in Event.objects.filter(id__gt=newest) for name in event.audiences}


def changed_untold(house: House, act: Callable[[], Any], before: dict[str, str]) -> tuple[set[str], bool]:
    """Return the screens that an act changed and did not tell, and whether it changed any at all."""
    newest = newest_event()
    act()
    assert newest_event() > newest, "the act was no command"
    audiences = audiences_since(newest)
    untold = {name for name, html in shown(house, before.keys() - audiences).items() if html != before[name]}
    if untold:
        return untold, True
    # Told ones are drawn until one has changed.
    with one_snapshot(house.room_id) as fragment_of:
        return untold, any(fragment_of(each, "en").html != before[each] for each in before.keys() & audiences)


# The quick run does every tenth act.
@pytest.mark.parametrize(
    ("turn", "of"),
    [
        (0, 10),
        *(pytest.param(turn, of, marks=pytest.mark.slow) for turn, of in ((5, 10), (1, 5), (2, 5), (3, 5), (4, 5))),
    ],
)
def test_a_screen_that_was_open_before_equals_a_fresh_page(house: House, turn: int, of: int) -> None:
    evening, wrong = Evening(house), []
    begun, newest, at_first = house.at, newest_event(), shown(house)
    for name in list(ACTS)[turn::of]:
        # One evening for all: what an act did is taken back.
        with transaction.atomic():
            house.at, written = begun, rows_written()
            act = ACTS[name](evening)
            # Commands that set the stage have told whatever they changed, or are found where they are themselves the
            # act; rows that were written without one may be on any screen.
            audiences, is_as_it_was = audiences_since(newest), rows_written() == written
            before = at_first | shown(house, at_first.keys() & audiences if audiences or is_as_it_was else None)
            untold, changes = changed_untold(house, act, before)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            transaction.set_rollback(True)
        if untold:
            wrong.append(f"{name} changes {sorted(untold)} and does not tell them")
        # The stage was set so that something happens: an act that changes no screen would prove nothing.
        if not changes and name not in QUIET:
            wrong.append(f"{name} changes no screen")

    assert wrong == []


def test_whatever_is_done_at_tables_and_lists_is_watched() -> None:
    import_all_services()
    done = {name for name in services() if name.startswith(("tables.", "waiting."))}

    assert done - set(ACTS) == set()
    assert set(ACTS) <= set(services())


def test_a_fragment_does_not_change_while_nothing_happens(house: House) -> None:
    evening = Evening(house)
    evening.requested()
    evening.skipped()

    assert shown(house) == shown(house)
