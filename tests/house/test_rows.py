"""Rows written and read in one statement are the rows that the ORM writes and reads."""

import uuid
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, QuerySet, Sum
from django.db.models.signals import post_save
from django.test.utils import CaptureQueriesContext

from casino.rows import _AS_IT_IS, Insert, Update, changed, insert, read, read_joined, text_made_once, write
from tables.models import Game, Hand, HandPot, HandSeat, Opening, Seating, Table
from tests.support.owner import as_owner
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


@pytest.fixture
def house(db: None) -> House:
    house = make_house()
    house.open(1, Lee=1, Kai=2, Timo=3)
    return house


def settled(house: House) -> Hand:
    """Return a settled hand as a service reads it."""
    (hand,) = read(Hand, "WHERE id = %s", house.settle(86_00).pk)
    return hand


def pot(hand: Hand, index: int) -> HandPot:
    return HandPot(room_id=hand.room_id, hand=hand, index=index, cents=None, winner_seats=[1, index + 2])


def test_what_has_changed_goes_out_in_one_statement(house: House):
    hand = settled(house)
    with as_owner():
        HandSeat.objects.filter(hand=hand).delete()
    hand.reason, hand.before, hand.small_blind_seat = "misdeal", {"last": None, "ä": [1]}, None
    seats = [
        HandSeat(room_id=house.room_id, hand=hand, player=house.player(nickname), seat_number=seat, post="small_blind")
        for seat, nickname in ((1, "Lee"), (2, "Kai"))
    ]

    with as_owner(), CaptureQueriesContext(connection) as sent:
        write(Update(hand), Insert([pot(hand, 1), pot(hand, 2)]), Insert(seats))

    assert len(sent) == 1
    found = Hand.objects.get(pk=hand.pk)
    assert (found.reason, found.before, found.small_blind_seat) == ("misdeal", {"last": None, "ä": [1]}, None)
    pots = HandPot.objects.filter(hand=hand, index__gt=0).order_by("index")
    assert list(pots.values_list("index", "cents", "winner_seats")) == [(1, None, [1, 3]), (2, None, [1, 4])]
    assert list(HandSeat.objects.filter(hand=hand).order_by("seat_number").values_list("player__nickname", "post")) == [
        ("Lee", "small_blind"),
        ("Kai", "small_blind"),
    ]


def test_a_field_without_a_value_is_null_and_no_json(house: House):
    (opening,) = read(Opening, "WHERE closed_at IS NULL")
    opening.last = None

    write(Update(opening))

    assert Opening.objects.filter(last__isnull=True).exists()


def test_what_goes_out_as_it_is_is_what_django_would_send():
    """Nothing, for every field that the house has, and what fields of the types of `_AS_IT_IS` hold."""
    examples = {str: "Lee", bool: True, int: 7, uuid.UUID: uuid.uuid4()}
    looked_at = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            holds = _AS_IT_IS.get(type(field))
            for value in (None, examples[holds]) if holds else (None,):
                assert field.get_db_prep_save(value, connection=connection) == value, (field, value)
            looked_at.add(type(field))
    assert looked_at > set(_AS_IT_IS)


def test_what_differs_from_what_was_read_is_what_is_written(house: House):
    hand = settled(house)
    hand.reason, hand.status = "void", Hand.Status.SETTLED
    assert changed(hand) == ("reason",)
    Hand.objects.filter(pk=hand.pk).update(street="river")

    write(Update(hand))

    assert changed(hand) == ()
    stored = Hand.objects.get(pk=hand.pk)
    assert (stored.reason, stored.street) == ("void", "river")
    with CaptureQueriesContext(connection) as sent:
        write(Update(hand))
    assert len(sent) == 0
    with pytest.raises(AssertionError, match="nobody knows what has changed"):
        write(Update(stored))


def test_a_tracked_row_tells_what_has_changed_however_it_was_read(house: House):
    seating = Seating.objects.select_related("player").get(seat_number=1)
    seating.straddles, seating.chips_in_cents = True, 0
    assert changed(seating) == ("straddles", "chips_in_cents")
    Seating.objects.filter(pk=seating.pk).update(missed="both", entry="waits")

    seating.save_changed()

    assert changed(seating) == ()
    (stored,) = read(Seating, "WHERE id = %s", seating.pk)
    assert (stored.straddles, stored.chips_in_cents, stored.missed) == (True, 0, "both")
    stored.missed = "small"
    stored.save_changed()
    assert Seating.objects.get(pk=seating.pk).missed == "small"
    with CaptureQueriesContext(connection) as sent:
        stored.save_changed()
    assert len(sent) == 0


def test_a_tracked_row_tells_what_has_changed_since_it_was_made(house: House):
    seating = Seating.objects.create(
        room_id=house.room_id, table=house.table(), opening=Opening.objects.get(), player=house.player("Mika"),
        seat_number=8, entry="in", sat_down_at=house.at,
    )  # fmt: skip
    assert changed(seating) == ()
    seating.seat_number, seating.left_at = 9, house.at

    # What is saved by its name leaves all else as it was: changed, and not stored.
    seating.save(update_fields=["left_at"])

    assert "seat_number" in changed(seating)
    seating.save_changed()
    assert Seating.objects.get(pk=seating.pk).seat_number == 9
    with pytest.raises(AssertionError, match="nobody knows what has changed"):
        Seating.objects.only("seat_number").get(pk=seating.pk).save_changed()


def test_a_tracked_row_that_is_saved_by_names_or_read_again_tells_what_differs_since(house: House):
    seating = Seating.objects.get(seat_number=1)
    was = seating.version
    seating.version, seating.straddles = was + 1, True

    seating.save(update_fields=["version"])
    assert changed(seating) == ("straddles",)
    seating.version = was
    assert changed(seating) == ("straddles", "version")

    seating.refresh_from_db(fields=["version"])
    assert changed(seating) == ("straddles",)
    seating.refresh_from_db()
    assert changed(seating) == ()


def test_whoever_hears_of_what_is_saved_hears_of_what_is_written(house: House):
    heard = []

    def hears(instance: Seating, *, created: bool, update_fields: frozenset[str] | None, **_: object) -> None:
        heard.append((instance.seat_number, created, update_fields))

    (first, *_others) = read(Seating, "WHERE left_at IS NULL ORDER BY seat_number")
    first.straddles = True
    post_save.connect(hears, sender=Seating)
    try:
        write(Update(first))
        write(Update(first))
        with pytest.raises(AssertionError, match="Seating"):
            write(Insert([first]))
    finally:
        post_save.disconnect(hears, sender=Seating)

    assert heard == [(1, False, frozenset({"straddles"}))]


def test_a_text_made_once_finds_what_the_orm_finds(house: House):
    def query(room_id: int, day_before: int) -> QuerySet[Any, Any]:
        there = Seating.objects.filter(room=room_id, table__room=room_id, opening__day__lt=day_before)
        return there.values_list("entry").annotate(Count("id"), Sum("chips_in_cents")).order_by("entry")

    rows = text_made_once(query)
    day_id = Opening.objects.get(closed_at=None).day_id

    assert rows(house.room_id, day_id + 1) == list(query(house.room_id, day_id + 1)) != []
    assert rows(house.room_id, day_id) == rows(house.room_id + 1, day_id + 1) == []


def test_a_text_made_once_refuses_what_would_stay_as_it_was_at_first(house: House):
    rows = text_made_once(lambda cents: Seating.objects.filter(chips_in_cents=cents, room=cents).values_list("id"))

    with pytest.raises(AssertionError, match="wrapped"):
        rows(1)


def test_a_row_that_is_not_there_is_no_row_changed(house: House):
    seating = read(Seating, "LIMIT 1")[0]
    seating.pk, seating.is_held = 10**9, True

    with pytest.raises(AssertionError, match="1 of 1 rows"):
        write(Update(seating))


def test_what_the_database_refuses_changes_nothing(house: House):
    hand = settled(house)
    hand.reason = "void"

    with pytest.raises(IntegrityError, match="hand_pot_formed_once"), transaction.atomic():
        write(Update(hand), Insert([pot(hand, 0)]))

    assert Hand.objects.get(pk=hand.pk).reason == ""


def test_rows_are_read_as_the_orm_reads_them(house: House):
    house.settle(86_00)

    (hand,) = read(Hand, "WHERE table_id = %s FOR NO KEY UPDATE", house.table_id())
    ((opening, game, none),) = read_joined(
        (Opening, Game, Hand),
        "FROM tables_opening JOIN tables_game ON tables_game.id = tables_opening.game_id"
        " LEFT JOIN tables_hand ON tables_hand.id = %s",
        None,
    )

    for mine, orm in ((hand, Hand.objects.get()), (opening, Opening.objects.get()), (game, house.game())):
        fields = [field.attname for field in type(orm)._meta.concrete_fields]
        assert [getattr(mine, name) for name in fields] == [getattr(orm, name) for name in fields]
    assert none is None
    assert read(Table, "WHERE id = %s", 0) == []


def test_a_new_row_has_its_id_and_can_be_saved_again(house: House):
    dealt = house.settle(86_00)
    hand = Hand(
        **{field.attname: getattr(dealt, field.attname) for field in Hand._meta.concrete_fields if field.name != "id"}
    )
    hand.hand_id, hand.number = uuid.uuid4(), 7

    insert(hand)
    hand.number = 8
    with as_owner():
        hand.save(update_fields=["number"])

    assert Hand.objects.get(pk=hand.pk).number == 8
