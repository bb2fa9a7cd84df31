"""A jackpot's public page: the sum that the ledger proves, what is about to join it, its history as line and file."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from casino import clock
from casino.ledger.models import Account
from casino.ledger.templatetags.money import money
from casino.rooms.selectors import rule_book_in_force
from jackpot.graph import HEIGHT, WIDTH, graph_of
from jackpot.models import Pool
from jackpot.push import wall_foot
from tests.jackpot.test_takings import SIX
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = [pytest.mark.two_houses, pytest.mark.usefixtures("contexts")]

AT = datetime(2026, 11, 20, 18, tzinfo=UTC)


@pytest.mark.rule("L-P44", "L-P41", "L-P31", "L-O44")
def test_everybody_reads_the_sum_where_it_came_from_and_every_change(house: House):
    house.open(1, **SIX)
    drops = sum(house.settle(20_00).taken("drop") for _ in range(3))
    with clock.frozen(house.at):
        page = Client().get("/jackpot/sums/bad-beat/")
        file = Client().get("/jackpot/sums/bad-beat/history.csv").content.decode().splitlines()
        (foot,) = wall_foot(room_id=house.room_id)
        unknown = Client().get("/jackpot/sums/another/").status_code
    html, seed = page.content.decode(), rule_book_in_force(house.room_id, at=house.at)[1].jackpots[0].seed_cents

    assert page.context["proof"].agrees
    assert (page.context["today_cents"], page.context["proof"].sum_cents) == (drops, seed)
    assert "The ledger says the same." in html
    assert file[0] == "number,at,gaming_day,kind,cents,sum_after_cents,transfer,what"
    assert [line.split(",")[3:6] for line in file[1:]] == [["seed", str(seed), str(seed)]]
    assert file[1].endswith(",Put in by the house")
    assert (money(seed, house.cast.room) in foot.html, "/jackpot/sums/bad-beat/" in foot.html, unknown) == (
        True,
        True,
        404,
    )
    # Somebody who changes the account past the ledger is seen at once.
    with as_owner():
        Account.objects.filter(owner_kind="jackpot", owner_id=Pool.objects.get().pk, kind="sum").update(
            balance_cents=999_00
        )
        assert "The ledger says something else." in Client().get("/jackpot/sums/bad-beat/").content.decode()


def test_the_line_runs_level_between_changes_and_marks_each_fall():
    steps = [(AT, 100), (AT + timedelta(hours=1), 200), (AT + timedelta(hours=2), 50)]
    graph = graph_of(steps, until=AT + timedelta(hours=4))

    assert graph is not None
    assert graph.path == "M0.0 120.0 H240.0 V0.0 H480.0 V180.0 H960"
    assert (len(graph.falls), graph.most_cents) == (1, 200)
    assert graph_of([], until=AT) is None
    # A year of days, each with a fall in it: every fall is there, and the line stays short enough to send.
    year = [(AT + timedelta(hours=hour), 1_000_00 + hour if hour % 500 else 5_00) for hour in range(9_000)]
    long = graph_of(year, until=year[-1][0])
    assert long is not None
    assert len(long.falls) == 17
    assert len(long.path) < 20_000
    assert all(0 <= float(part[1:]) <= max(WIDTH, HEIGHT) for part in long.path.split()[2:])
