"""Splash pots: bound before by a hash, drawn when due, put into a pot with chips of a drawer, computed again."""

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from casino import chance, clock
from casino.cage.errors import DrawerClosed
from casino.cage.models import DrawerSession
from casino.cage.selectors.blind import held_open, payers_of
from casino.cage.selectors.drawers import drawer_figures
from casino.errors import Malformed, NotFound, NotPermitted
from casino.ledger.proof import problems
from casino.live.render import fragment
from casino.promotions import tasks
from casino.promotions.errors import NoHighHand, SplashIsOver
from casino.promotions.models import Period, Splash
from casino.promotions.rules import splash_moments, splashed_table
from casino.promotions.services import splashes
from casino.promotions.services.splashes import draw_due, note_splash
from casino.rulebooks.promotions import Moments
from tests.cast import command, enrolled
from tests.promotions.running import ACES_FULL, EXAMPLE, SPLASH, Running
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

BEGINS = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
SEED = "00" * 32


@pytest.fixture
def running(house: House) -> Running:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Jo=1, Sara=2)
    return Running.begun(house, code=SPLASH)


def proved(running: Running) -> list[str]:
    return [problem.detail for problem in problems(running.house.room_id)]


def test_anybody_computes_moments_and_table_again():
    def hashed(what: str) -> int:
        return int(hashlib.sha256(f"{SEED}:{what}".encode()).hexdigest(), 16)

    drawn = splash_moments(SEED, begins_at=BEGINS, ends_at=BEGINS + timedelta(hours=4), number=3, moments=Moments.DRAWN)

    assert list(drawn) == sorted(BEGINS + timedelta(seconds=hashed(f"moment {n}") % 14_400) for n in (1, 2, 3))
    assert splashed_table(SEED, splash=2, tables=[1, 4, 7]) == [1, 4, 7][hashed("table 2") % 3]


def test_by_the_clock_moments_part_the_period_evenly():
    timed = splash_moments(SEED, begins_at=BEGINS, ends_at=BEGINS + timedelta(hours=1), number=2, moments=Moments.TIMED)

    assert timed == (BEGINS + timedelta(minutes=20), BEGINS + timedelta(minutes=40))


@given(minutes=integers(1, 1440), number=integers(1, 60), moments=sampled_from(Moments))
def test_every_moment_lies_in_its_period_in_order(minutes: int, number: int, moments: Moments):
    ends = BEGINS + timedelta(minutes=minutes)

    found = splash_moments(chance.new_seed(), begins_at=BEGINS, ends_at=ends, number=number, moments=moments)

    assert len(found) == number
    assert list(found) == sorted(found)
    assert all(BEGINS <= each < ends for each in found)


def test_a_drawn_pot_is_splashed_with_chips_of_a_drawer_and_the_last_one_shows_the_seed(running: Running):
    house = running.house
    period = running.opened(code=SPLASH)
    anybody, shown = Client(), "/promotions/shown/splash/"
    with clock.frozen(house.at):
        before = anybody.get(shown).content.decode()
    assert chance.commitment(period.seed) in before
    assert period.seed not in before
    assert running.figures(SPLASH)["reserved"] == 200_00
    chips, in_play = drawer_figures(house.drawer_id)["chips"], dict(enumerate((house.figures(1), house.figures(2)), 1))

    (splash,) = running.drawn()

    assert splash.tables == [1, 2]
    assert splash.table is not None
    assert splash.table.number == splashed_table(period.seed, splash=1, tables=[1, 2])
    assert f"Table {splash.table.number}: the next pot is splashed" in fragment(house.room_id, "lobby", "en").html
    assert "Splash pot: the next pot is splashed" in fragment(house.room_id, "floor", "en").html
    with clock.frozen(house.at):
        assert (
            "The pot is splashed" in at_desktop(house.cast.frans).get(f"/promotions/funds/{SPLASH}/").content.decode()
        )
    running.splashed(splash)
    assert drawer_figures(house.drawer_id)["chips"] == chips - 50_00
    number = splash.table.number
    assert house.figures(number)["in_play"] == in_play[number]["in_play"] + 50_00
    with pytest.raises(SplashIsOver):
        running.splashed(splash)
    assert proved(running) == []

    for second in running.drawn(at=period.ends_at):
        house.tap(splashes.pass_splash, splash_id=second.pk, reason="table_broke")
    period.refresh_from_db()
    assert (period.status, period.reserved_cents) == ("done", 0)
    held = running.figures(SPLASH)
    assert (held["free"], held["reserved"], held["splashed"]) == (950_00, 0, 50_00)
    assert proved(running) == []
    with clock.frozen(house.at):
        after = anybody.get(shown).content.decode()
    assert period.seed in after
    assert "of the tables 1, 2" in after


def test_the_floor_notes_a_splash_on_its_own_tablet_and_nobody_at_a_tables(running: Running):
    running.opened(code=SPLASH)
    (splash,) = running.drawn()
    house = running.house
    frans, arguments = house.cast.frans, {"splash_id": splash.pk, "drawer_id": house.drawer_id}

    with pytest.raises(NotPermitted):
        note_splash(command(frans, device=enrolled(house.cast.room, "table", 7), at=house.at), **arguments)
    note_splash(command(frans, device=enrolled(house.cast.room, "floor", 7), at=house.at), **arguments)

    splash.refresh_from_db()
    assert splash.status == "splashed"
    assert proved(running) == []


def test_where_nobody_plays_it_is_passed_over_and_only_what_is_due_is_drawn(house: House):
    running = Running.begun(house, text=EXAMPLE.replace('"drawn"', '"timed"').replace("splashes = 4", "splashes = 1"),
        code=SPLASH)  # fmt: skip
    period = running.opened(code=SPLASH)
    coming = Splash.objects.get()
    assert coming.due_at == period.begins_at + timedelta(hours=2)
    with clock.frozen(coming.due_at - timedelta(seconds=1)):
        tasks.wake()
    assert Splash.objects.get().status == "coming"
    with pytest.raises(SplashIsOver):
        running.splashed(coming)

    with clock.frozen(coming.due_at):
        tasks.wake()
        tasks.wake()

    assert (Splash.objects.get().status, Splash.objects.get().reason) == ("passed", "no_tables")
    assert (Period.objects.get().status, running.figures(SPLASH)["free"]) == ("done", 1_000_00)
    assert proved(running) == []


def test_what_is_no_high_hand_takes_none_and_can_be_called_off(running: Running):
    house, period = running.house, running.opened(code=SPLASH)
    with pytest.raises(NoHighHand):
        running.entered(period, ACES_FULL)
    with pytest.raises(NoHighHand):
        running.decided(period)
    (splash,) = running.drawn()
    with pytest.raises(Malformed):
        house.tap(splashes.pass_splash, splash_id=splash.pk, reason="felt like it")
    with pytest.raises(NotFound):
        house.tap(splashes.pass_splash, splash_id=splash.pk + 99, reason="trouble")
    house.close_drawer()
    with pytest.raises(DrawerClosed):
        running.splashed(splash)

    running.called_off(period)

    assert set(Splash.objects.values_list("status", flat=True)) == {"called_off"}
    draw_due(at=period.ends_at)
    assert running.figures(SPLASH)["free"] == 1_000_00
    assert proved(running) == []


@pytest.mark.parametrize("is_taken_back", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_who_splashed_out_of_a_drawer_neither_counts_it_nor_reads_what_lies_there(
    running: Running, is_taken_back: bool
) -> None:
    """As little as whoever takes it back."""
    house, period = running.house, running.opened(code=SPLASH)
    (splash, *_), by = running.drawn(at=period.ends_at), house.cast.frans
    assert by.pk not in held_by(house)

    running.splashed(splash)
    if is_taken_back:
        running.unsplashed(splash)

    assert by.pk in held_by(house)
    assert (house.cast.mari.pk in held_by(house)) == is_taken_back
    assert house.drawer_id in held_open(house.room_id, by.pk)


def held_by(house: House) -> set[int]:
    return payers_of(DrawerSession.objects.get(drawer_id=house.drawer_id, closed_at=None))
