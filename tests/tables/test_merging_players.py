"""Two records of one person become one: by two managers, and with nothing lost."""

from datetime import timedelta
from typing import Any

import pytest

from casino.cage.errors import OverOwnBuyInLimit
from casino.cage.selectors.identity import crossed
from casino.cage.services import buy_in, cash_out, deposit, request_buy_in, take_money, withdraw
from casino.commands.carrying_out import Answer
from casino.errors import NotFound
from casino.ledger.models import Posting, Transfer
from casino.ledger.selectors.accounts import deposit_cents
from casino.people.errors import NeedsSecondSignature, PlayerBanned, SamePlayer
from casino.people.models import KeptApart, Player, Staff
from casino.people.secrets import pin_hash
from casino.people.selectors import find_players
from casino.people.services import add_player, ban_player, keep_apart, merge_players, second_person, set_own_limit
from casino.rooms.selectors import open_day
from casino.waiting.errors import BothRecordsWait
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from tables.errors_people import BothRecordsSit, HoursUsedUp, PlayersKeptApart, RecordStillSits
from tables.models import Seating
from tables.services.seating import leave_seat
from tests.cast import TONIGHT, command
from tests.tables.conftest import House

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]
PIN = "8642"


def second_manager(house: House) -> Staff:
    return Staff.objects.create(
        room=house.cast.room,
        username="miro",
        display_name="Miro",
        roles=["manager"],
        pin=pin_hash(PIN),
        is_on_shift=True,
        created_at=TONIGHT,
    )


class Office:
    """Mari's office: Timo came back as "Tim", and nobody noticed."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.miro = second_manager(house)
        added = house.tap(add_player, house.cast.carla, nickname="Tim", full_name="Timo Testaaja")
        self.timo, self.tim = house.player("Timo"), Player.objects.get(id=added.data["player_id"])

    def merge(self, kept: Player | None = None, gone: Player | None = None) -> Answer:
        kept, gone = kept or self.timo, gone or self.tim
        self.house.at += timedelta(seconds=1)
        tap = command(self.house.cast.mari, at=self.house.at)
        signs = f"merge.{kept.pk}.{gone.pk}"
        signed = second_person(tap, username="miro", pin=PIN, needs="people.approve_merge", signs=signs)
        return merge_players(tap, player_id=kept.pk, gone_id=gone.pk, approved_by_id=signed)

    def at_cage(self, service: Any, player: Player, cents: int, **more: Any) -> Answer:
        house = self.house
        return house.tap(
            service, house.cast.carla, drawer_id=house.drawer_id, player_id=player.pk, amount_cents=cents, **more
        )

    def join(self, player: Player, game: str = "No limit hold'em 2/2") -> int:
        answer = self.house.tap(join_list, game_id=self.house.game(game).pk, player_id=player.pk)
        return int(answer.data["waiting"])

    def seat(self, player: Player, seat: int) -> Seating:
        self.house.cast.players[player.nickname] = player
        return self.house.seat(player.nickname, seat)


@pytest.fixture
def office(house: House) -> Office:
    return Office(house)


def test_a_deposit_moves_by_a_transfer_that_both_managers_sign(office):
    office.at_cage(deposit, office.timo, 100_00)
    office.at_cage(deposit, office.tim, 250_00)

    office.merge()

    assert (deposit_cents(office.timo.pk), deposit_cents(office.tim.pk)) == (350_00, 0)
    moved = Transfer.objects.get(kind="deposit_joined")
    assert (moved.made_by_id, moved.approved_by_id) == (office.house.cast.mari.pk, office.miro.pk)
    assert sorted(Posting.objects.filter(transfer=moved).values_list("cents", flat=True)) == [-250_00, 250_00]
    office.at_cage(withdraw, office.timo, 350_00)
    with pytest.raises(NotFound):
        office.at_cage(deposit, office.tim, 10_00)


def test_sums_of_the_day_follow_though_slips_stay_as_they_were(office):
    office.at_cage(buy_in, office.timo, 100_00, method="cash")
    office.at_cage(buy_in, office.tim, 150_00, method="cash")
    office.at_cage(cash_out, office.tim, 40_00)

    office.merge()

    today = crossed(office.timo.pk, open_day(office.house.room_id))
    assert (today.bought_cents, today.paid_cents) == (250_00, 40_00)
    office.house.tap(set_own_limit, player_id=office.timo.pk, kind="buy_in", amount=260_00)
    with pytest.raises(OverOwnBuyInLimit):
        office.at_cage(buy_in, office.timo, 11_00, method="cash")


def test_bans_pairs_and_the_stricter_limits_hold_for_the_kept_record(office):
    house = office.house
    house.open(Lee=1, Kai=2)
    tap = house.tap
    tap(keep_apart, player_ids=[office.tim.pk, house.player("Lee").pk, office.timo.pk])
    tap(set_own_limit, player_id=office.timo.pk, kind="buy_in", amount=300_00)
    tap(set_own_limit, player_id=office.tim.pk, kind="buy_in", amount=200_00)
    tap(set_own_limit, player_id=office.tim.pk, kind="hours", amount=0)

    office.merge()

    with pytest.raises(OverOwnBuyInLimit):
        office.at_cage(buy_in, office.timo, 201_00, method="cash")
    with pytest.raises(HoursUsedUp):
        office.seat(office.timo, 5)
    pairs = KeptApart.objects.filter(ended_at=None)
    assert [{pair.one_id, pair.other_id} for pair in pairs] == [{office.timo.pk, house.player("Lee").pk}]


def test_a_ban_of_the_other_record_catches_the_kept_one_at_the_table(office):
    office.house.open(Lee=1, Kai=2)
    seating = office.seat(office.timo, 3)
    office.house.tap(ban_player, player_id=office.tim.pk)

    office.merge()

    seating.refresh_from_db()
    assert seating.barred_since is not None
    with pytest.raises(PlayerBanned):
        office.join(office.timo)


@pytest.mark.rule("H1.75")
def test_who_was_kept_apart_from_the_other_record_is_apart_from_the_kept_one(office):
    office.house.open(Lee=1, Kai=2)
    office.house.tap(keep_apart, player_ids=[office.tim.pk, office.house.player("Lee").pk])

    office.merge()

    with pytest.raises(PlayersKeptApart):
        office.seat(office.timo, 4)


def test_the_kept_record_waits_where_the_other_one_did(office):
    office.join(office.house.player("Mika"))
    waits = office.join(office.tim)
    office.join(office.house.player("Pekka"))
    also = office.join(office.timo, "No limit hold'em 5/5")

    office.merge()

    live = Waiting.objects.filter(player=office.timo, status="waiting").order_by("id")
    assert [entry.pk for entry in live] == [waits, also]
    order = Waiting.objects.filter(waiting_list=live[0].waiting_list).order_by("place")
    assert [entry.player.nickname for entry in order] == ["Mika", "Timo", "Pekka"]


def test_what_waits_at_the_cage_and_an_uncounted_stack_are_the_kept_records(office):
    house = office.house
    house.open(Lee=1, Kai=2)
    left = office.seat(office.tim, 3)
    house.tap(leave_seat, table_id=left.table_id, seating_id=left.pk, stack_cents=None)
    slip = house.tap(request_buy_in, player_id=office.tim.pk, amount_cents=50_00).data["slip_id"]

    office.merge()

    house.tap(take_money, house.cast.carla, slip_id=slip, drawer_id=house.drawer_id, method="cash")
    assert crossed(office.timo.pk, open_day(house.room_id)).bought_cents == 50_00
    office.at_cage(cash_out, office.timo, 180_00)
    left.refresh_from_db()
    assert left.left_stack_cents == 180_00


def test_records_that_both_sit_or_both_wait_for_one_game_are_not_merged(office):
    office.house.open(Lee=1, Kai=2)
    waits = office.join(office.timo)
    office.join(office.tim)
    with pytest.raises(BothRecordsWait):
        office.merge()
    Waiting.objects.filter(id=waits).update(status="struck", ended_at=office.house.at + timedelta(hours=1))

    seating = office.seat(office.tim, 3)
    with pytest.raises(RecordStillSits) as refused:
        office.merge()
    assert refused.value.data == {"table_number": 1, "seat_number": 3}
    office.seat(office.timo, 4)
    with pytest.raises(BothRecordsSit):
        office.merge()
    office.house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=0)
    office.merge()


def test_a_merged_record_is_nobodys_and_its_name_is_free(office):
    office.merge()

    assert [player.nickname for player in find_players(office.house.room_id, "Tim")] == ["Timo"]
    assert Player.objects.get(pk=office.timo.pk).full_name == "Timo Testaaja"
    for attempt in (lambda: office.join(office.tim), office.merge, lambda: office.merge(office.tim, office.timo)):
        with pytest.raises(NotFound):
            attempt()
    third = office.house.tap(add_player, nickname="Tim").data["player_id"]
    office.merge(Player.objects.get(id=third), office.timo)
    assert set(Player.objects.filter(merged_into_id=third)) == {office.tim, office.timo}


def test_a_merge_takes_two_managers_and_two_records(office):
    tap = command(office.house.cast.mari, at=office.house.at)

    with pytest.raises(NeedsSecondSignature):
        merge_players(tap, player_id=office.timo.pk, gone_id=office.tim.pk, approved_by_id=office.miro.pk)
    with pytest.raises(SamePlayer):
        office.merge(office.timo, office.timo)
