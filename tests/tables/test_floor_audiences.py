"""
Every service tells the screens that it changes.

A screen that was open before a tap is shown anew when its audience is told. So whatever fragment a
service changes must be among the audiences that its event names: then the open screen equals a fresh page.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from casino.audit.models import Event
from casino.commands.carrying_out import services
from casino.live.render import fragment
from casino.people.models import PlayerPass
from tests.acts import ACTS, QUIET
from tests.doors.routes import import_all_services
from tests.tables.conftest import House
from tests.tables.evening import Evening

SCREENS = (
    "floor", "lobby", "table.1.floor", "table.2.floor", "table.1.dealer", "table.2.dealer", "cage", "dealers",
    "claims", "jackpots", "boxes", "promotions",
)  # fmt: skip


def shown(house: House) -> dict[str, str]:
    """Return what every screen shows now, Mika's phone too."""
    return {screen: shows(house, screen) for screen in screens()}


def shows(house: House, screen: str) -> str:
    return fragment(house.room_id, screen, "en").html


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


def changed_untold(house: House, act: Callable[[], Any], before: dict[str, str]) -> tuple[set[str], bool]:
    """Return the screens that an act changed and did not tell, and whether it changed any at all."""
    newest = Event.objects.order_by("-id").values_list("id", flat=True)[0]
    act()
    events = Event.objects.filter(id__gt=newest)
    assert events, "the act was no command"
    told = {name for event in events for name in event.audiences}
    untold = {each for each in before.keys() - told if shows(house, each) != before[each]}
    return untold, bool(untold) or any(shows(house, each) != before[each] for each in before.keys() & told)


def test_a_screen_that_was_open_before_equals_a_fresh_page(house: House) -> None:
    evening, wrong = Evening(house), []
    begun, at_first = house.at, shown(house)
    for name in ACTS:
        # One evening for all: what an act did is taken back.
        with transaction.atomic():
            house.at = begun
            written = rows_written()
            act = ACTS[name](evening)
            before = at_first if rows_written() == written else shown(house)
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
    evening.asked()
    evening.skipped()

    assert shown(house) == shown(house)
