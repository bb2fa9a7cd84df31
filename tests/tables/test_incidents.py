"""The clock on a player, the incident log with its penalties, and disputed pots."""

from datetime import timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from msgspec.structs import fields

from casino.audit.models import Event
from casino.cage.errors_days import DayNotFinished
from casino.cage.services import close_day
from casino.errors import Malformed, NotFound, Refusal
from casino.ledger.proof import problems
from casino.rooms.models import RuleBookVersion
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks.reading import text_of
from casino.rulebooks.schema import Likely
from tables.errors import AlreadyResolved, ClauseUnknown, PenaltyTooLong, SharesDiffer
from tables.incident_words import KINDS
from tables.models import DisputedPot, Incident, PlayerClock, Seating
from tables.rules.incidents import clauses_first
from tables.selectors.work import table_work
from tables.services.clocks import call_clock, end_clock
from tables.services.corrections import correct_hand, undo_hand
from tables.services.disputes import Share, pay_disputed_pot, put_pot_back, set_pot_aside
from tables.services.incidents import clauses_of_room, end_penalty, write_incident
from tables.services.seating import leave_seat
from tables.tasks import wake_penalties
from tables.views.incidents import CLAUSES_SHOWN
from tests.cast import make_cast
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.two_houses


def seating(house: House, seat: int) -> Seating:
    return Seating.objects.get(table=house.table(), seat_number=seat, left_at=None)


# ---- the clock


def shown_to_the_dealer(house: House) -> str:
    """Return what the table's screen says of a clock."""
    return render_to_string("tables/dealer_work.html", {"work": table_work(house.room_id, 1), "room": house.cast.room})


@pytest.mark.helsinki
@pytest.mark.rule("H1.70", "H1.71", "H1.72")
def test_a_player_has_thirty_seconds_and_what_came_of_it_is_recorded(house: House):
    table = house.open(Lee=1, Kai=2)
    house.deal()
    house.tap(call_clock, house.cast.anna, table_id=table.pk, seating_id=seating(house, 2).pk)

    clock = PlayerClock.objects.get()
    assert clock.ends_at - clock.called_at == timedelta(seconds=30)
    assert clock.hand == house.table().hand
    # Its end: what was no bet is checked, what was one is folded.
    assert "Time is up: check, or fold to a bet." in shown_to_the_dealer(house)

    house.tap(end_clock, house.cast.anna, table_id=table.pk, clock_id=clock.pk, how="ran_out")
    clock.refresh_from_db()
    assert (clock.how, clock.ended_by_id) == ("ran_out", house.cast.anna.pk)
    # Said once: what comes later changes nothing.
    house.tap(end_clock, house.cast.anna, table_id=table.pk, clock_id=clock.pk, how="acted")
    clock.refresh_from_db()
    assert clock.how == "ran_out"


@pytest.mark.rule("R-§18-1", "R-§18-3")
def test_at_royal_a_minute_is_given_and_ten_seconds_are_counted_aloud_then_the_hand_is_dead(house: House):
    version = RuleBookVersion.objects.get(room_id=house.room_id)
    RuleBookVersion.objects.create(
        room_id=house.room_id, book="royal", number=2, text=text_of("royal"), digest="", holds_from=version.holds_from
    )
    table = house.open(Lee=1, Kai=2)
    house.tap(call_clock, table_id=table.pk, seating_id=seating(house, 2).pk)

    clock = PlayerClock.objects.get()
    assert clock.ends_at - clock.called_at == timedelta(seconds=60 + 10)
    running = table_work(house.room_id, 1).clock
    assert running is not None
    assert (running.aloud_seconds, running.is_dead) == (10, True)
    assert "Time is up: the hand is dead." in shown_to_the_dealer(house)

    house.tap(end_clock, table_id=table.pk, clock_id=clock.pk, how="ran_out")
    clock.refresh_from_db()
    assert clock.how == "ran_out"


def test_a_second_clock_ends_the_first_and_the_same_one_is_called_once(house: House):
    table = house.open(Lee=1, Kai=2)
    for _ in range(2):
        house.tap(call_clock, table_id=table.pk, seating_id=seating(house, 2).pk)
    assert PlayerClock.objects.count() == 1

    house.tap(call_clock, table_id=table.pk, seating_id=seating(house, 1).pk)
    first, second = PlayerClock.objects.order_by("id")
    assert (first.ended_at is not None, first.how, second.ended_at) == (True, "", None)


# ---- incidents


@pytest.mark.helsinki
@pytest.mark.rule("H1.15", "H1.73", "H1.74", "H1.79", "H1.81", "L-P11")
@pytest.mark.parametrize(
    ("kind", "clause", "cents"),
    [
        ("ruling", "H1.81", None),
        ("warning", "H1.15", None),
        ("warning", "H1.73", None),
        ("inspected", "H1.74", None),
        ("returned", "H1.79", 81_00),
        ("passed", "H1.63", 50_00),
        ("ruling", "L-P11", None),
    ],
)
def test_an_incident_names_kind_clause_people_and_hand(house: House, kind: str, clause: str, cents: int | None):
    table = house.open(Lee=1, Kai=2)
    hand = house.settle(86_00, winners=(2,))
    house.tap(
        write_incident,
        kind=kind,
        clause=clause,
        player_ids=[house.player("Kai").pk, house.player("Timo").pk],
        table_id=table.pk,
        hand_row_id=hand.pk,
        text="Kai showed them to Timo",
        cents=cents,
    )

    incident = Incident.objects.get()
    assert (incident.kind, incident.clause, incident.hand, incident.cents) == (kind, clause, hand, cents)
    assert sorted(incident.players.values_list("player__nickname", "seat_number")) == [("Kai", 2), ("Timo", None)]
    # The text is people's data: the log never hears of it.
    assert "showed" not in "".join(Event.objects.values_list("text", flat=True))


@pytest.mark.rule("R26", "R-§1.2", "R-§15-3", "R-§16-1", "R-§16-3", "U-R12", "U-R19", "U-R22", "U52")
@pytest.mark.parametrize(
    ("book", "clauses"),
    [
        ("royal", {"ruling": "R26", "returned": "R-§1.2", "warning": "R-§15-3", "inspected": "R-§20"}),
        ("royal", {"warning": "R-§16-1", "penalty": "R-§16-3", "passed": "R-§20"}),
        ("unibet", {"ruling": "U52", "warning": "U-R12", "penalty": "U-R19", "passed": "U-R22", "inspected": "U-R20"}),
    ],
)
@pytest.mark.django_db
def test_another_houses_incidents_stand_on_its_own_clauses(book: str, clauses: dict[str, str]):
    house = make_house(book=book)
    lee = house.player("Lee").pk
    for kind, clause in clauses.items():
        minutes = 10 if kind == "penalty" else None
        assert clause in clauses_of_room(house.room_id, kind, at=house.at)[0][:CLAUSES_SHOWN]
        house.tap(write_incident, kind=kind, clause=clause, player_ids=[lee], minutes=minutes)

    assert dict(Incident.objects.values_list("kind", "clause")) == clauses
    with pytest.raises(ClauseUnknown):
        house.tap(write_incident, kind="ruling", clause="H1.81", player_ids=[lee])


@pytest.mark.helsinki
@pytest.mark.rule("H1.48")
def test_a_penalty_runs_until_its_end_or_until_somebody_ends_it(house: House):
    table = house.open(Lee=1, Kai=2)
    people: dict[str, Any] = {"kind": "penalty", "clause": "H1.48", "table_id": table.pk, "minutes": 20}
    house.tap(write_incident, player_ids=[house.player("Lee").pk], **people)
    house.tap(write_incident, player_ids=[house.player("Kai").pk], **people)
    lee, kai = Incident.objects.order_by("id")
    house.tap(end_penalty, incident_id=kai.pk)

    assert lee.ends_at == lee.at + timedelta(minutes=20)
    wake_penalties(at=lee.at + timedelta(minutes=19))
    assert Incident.objects.get(id=lee.pk).is_running
    wake_penalties(at=lee.at + timedelta(minutes=20))
    lee.refresh_from_db()
    kai.refresh_from_db()
    assert (lee.is_running, lee.ended_by_id) == (False, None)
    assert (kai.is_running, kai.ended_by_id) == (False, house.cast.frans.pk)


def penalty_minutes_max(house: House) -> int:
    return rule_book_in_force(house.room_id, at=house.at)[1].timers.penalty_minutes_max


def test_a_penalty_runs_for_as_long_as_the_book_has_it(house: House):
    most = penalty_minutes_max(house)

    house.tap(write_incident, kind="penalty", minutes=most)

    incident = Incident.objects.get()
    assert incident.ends_at == incident.at + timedelta(minutes=most)


def test_an_incident_is_refused_that_cannot_be(house: House):
    elsewhere = make_cast(slug="elsewhere")
    cases: list[tuple[dict[str, Any], type[Refusal]]] = [
        ({"kind": "gossip"}, Malformed),
        ({"kind": "penalty"}, Malformed),
        ({"kind": "warning", "minutes": 10}, Malformed),
        ({"kind": "penalty", "minutes": penalty_minutes_max(house) + 1}, PenaltyTooLong),
        ({"kind": "ruling", "clause": "H99.1"}, ClauseUnknown),
        ({"kind": "ruling", "player_ids": [elsewhere.players["Lee"].pk]}, NotFound),
        ({"kind": "ruling", "table_id": 0}, NotFound),
    ]
    for wrong, why in cases:
        with pytest.raises(why):
            house.tap(write_incident, **wrong)
    assert not Incident.objects.exists()


def test_the_likely_clauses_come_first_and_none_is_lost():
    book = ("H1.1", "H1.48", "H1.81", "H4.2")

    assert clauses_first(("H1.81",), book) == ("H1.81", "H1.1", "H1.48", "H4.2")


def test_every_kind_of_incident_has_its_likely_clauses_and_its_words():
    kinds = set(Incident.Kind.values)

    assert {each.name for each in fields(Likely)} == kinds
    assert KINDS.keys() == kinds


# ---- disputed pots


def dispute(house: House) -> DisputedPot:
    table = house.open(Lee=1, Kai=2, Timo=3)
    house.settle(86_00, winners=(1, 2))
    house.tap(set_pot_aside, house.cast.anna, table_id=table.pk)
    return DisputedPot.objects.select_related("hand").get()


@pytest.mark.helsinki
@pytest.mark.rule("L-P11")
def test_a_disputed_pot_lies_apart_under_its_hands_name_and_the_next_hand_deals(house: House):
    pot = dispute(house)

    # 86 € less 4 € rake; three players pay no drop.
    assert (pot.cents, pot.hand.number) == (82_00, 1)
    assert (house.figures()["set_aside"], house.figures()["in_play"]) == (82_00, 514_00)
    assert house.settle(40_00, winners=(3,)).number == 2
    house.tap(set_pot_aside, table_id=house.table_id(), hand_row_id=pot.hand.pk)
    assert DisputedPot.objects.count() == 1
    with pytest.raises(DayNotFinished) as refused:
        house.tap(close_day, house.cast.mari)
    assert ["pot_aside", pot.pk] in refused.value.data["still_open"]
    assert "disputed pot (table 1, hand 1)" in refused.value.text(house.cast.room.money_format)
    # What the log has of before named hands, whatever pot has such an id now.
    before = DayNotFinished(still_open=[["disputed_pot", pot.pk]]).text(house.cast.room.money_format)
    assert f"Still open: disputed pot of hand {pot.pk}." in before


@pytest.mark.helsinki
@pytest.mark.rule("L-P11")
def test_the_floor_pays_it_to_seats_and_to_whoever_has_left(house: House):
    pot = dispute(house)
    table = house.table()
    house.tap(leave_seat, table_id=table.pk, seating_id=seating(house, 2).pk, stack_cents=100_00)
    hands = house.figures()["hands"]
    shares = [Share(house.player("Lee").pk, 41_00), Share(house.player("Kai").pk, 41_00)]
    house.tap(pay_disputed_pot, table_id=table.pk, pot_id=pot.pk, shares=shares)

    assert (house.figures()["set_aside"], house.figures()["hands"] - hands) == (0, 41_00)
    assert sorted(pot.shares.values_list("player__nickname", "cents", "seating__seat_number")) == [
        ("Kai", 41_00, None),
        ("Lee", 41_00, 1),
    ]
    assert list(problems(house.room_id)) == []
    with pytest.raises(AlreadyResolved):
        house.tap(put_pot_back, table_id=table.pk, pot_id=pot.pk)


@pytest.mark.helsinki
def test_the_whole_pot_is_paid_and_to_nobody_else(house: House):
    pot = dispute(house)
    lee, kai = house.player("Lee").pk, house.player("Kai").pk
    for shares in ([Share(lee, 81_00)], [Share(lee, 41_00), Share(lee, 41_00)], [Share(lee, 90_00), Share(kai, -8_00)]):
        with pytest.raises(SharesDiffer):
            house.tap(pay_disputed_pot, table_id=house.table_id(), pot_id=pot.pk, shares=shares)
    stranger = Share(house.player("Sara").pk, 82_00)
    with pytest.raises(NotFound):
        house.tap(pay_disputed_pot, table_id=house.table_id(), pot_id=pot.pk, shares=[stranger])

    assert house.figures()["set_aside"] == 82_00


@pytest.mark.helsinki
def test_a_pot_set_aside_by_mistake_is_put_back(house: House):
    pot = dispute(house)
    house.tap(put_pot_back, table_id=house.table_id(), pot_id=pot.pk)

    assert (house.figures()["set_aside"], house.figures()["in_play"]) == (0, 596_00)
    assert list(problems(house.room_id)) == []


@pytest.mark.helsinki
@pytest.mark.rule("L-P11")
@pytest.mark.parametrize("how", ["logged_again", "corrected"])
def test_a_hand_that_got_another_row_has_the_same_pot(house: House, how: str):
    pot, table = dispute(house), house.table()
    if how == "logged_again":
        house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=pot.hand.hand_id)
        house.settle(86_00, winners=(1, 2))
    else:
        right = house.logged(86_00, winners=(1, 3))
        house.tap(correct_hand, table_id=table.pk, hand_row_id=pot.hand.pk, hand=right, reason="wrong_winner")

    answer = house.tap(set_pot_aside, house.cast.anna, table_id=table.pk)

    assert (answer.data["pot"], answer.data["known"]) == (pot.pk, True)
    assert house.figures()["set_aside"] == 82_00
    assert house.settle(40_00, winners=(3,)).number == 2
    house.tap(set_pot_aside, house.cast.anna, table_id=table.pk)
    assert DisputedPot.objects.count() == 2


def test_a_pot_that_nobody_counted_has_to_be_typed(house: House):
    table = house.open(Lee=1, Kai=2, Timo=3)
    house.settle(winners=(1,))
    with pytest.raises(Malformed):
        house.tap(set_pot_aside, table_id=table.pk)

    house.tap(set_pot_aside, table_id=table.pk, cents=6_00)
    assert house.figures()["set_aside"] == 6_00
