"""Packs that are made again and packs of several days: a day stays as it closed, and what came later is said."""

import json
import re
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from casino import clock
from casino.audit.selectors import newest_event_id
from casino.boxes.models import Box
from casino.cage.day_begins import begin_with_day
from casino.cage.models import Doubt
from casino.cage.services import buy_in, cancel_slip, judge_doubt, judge_fill, judge_vault, note_print, request_buy_in
from casino.commands.carrying_out import Command
from casino.ledger.selectors.accounts import house_figures
from casino.people.services import ban_player, check_identity
from casino.reports.selectors.day import day_report
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay, RuleBookVersion
from casino.rooms.selectors import open_day
from casino.rulebooks import digest
from jackpot.selectors.pools import payable_of
from tables.models import Game
from tables.services.corrections import undo_hand
from tables.services.hands import settle_hand
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tables.services.setup import add_table
from tests.audit.sealing import seal
from tests.boxes.hanging import Hanging
from tests.cage.bad_night import bad_night
from tests.cage.counting import carried, counts_vault
from tests.cage.filling import Filling
from tests.cage.finding import finds, gives
from tests.jackpot.beats import SEVEN, Beats, base_sum
from tests.reports.packing import (
    FIRST,
    REPORT,
    changed,
    ends,
    evening,
    first_day_packed,
    more,
    other_opening,
    packed,
    replaced,
    verified,
    void,
)
from tests.support.books import adds_to_book
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_late_hands import tapped
from tests.tables.test_merging_players import Office
from tests.tables.test_playing_on import counts_through
from tests.tables.tipping import dealt, hand_on, take

pytestmark = [pytest.mark.slow, pytest.mark.two_houses]


@pytest.mark.slow
def test_a_pack_that_is_made_again_is_the_same_to_the_byte(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        evening(house, tmp_path)
        first = packed(house, FIRST, FIRST)
    house.open(1, Lee=1, Kai=2)
    with clock.frozen(house.at):
        seal(tmp_path)
        again = packed(house, FIRST, FIRST)

    assert first == again


def test_a_pack_is_the_same_though_what_was_carried_has_ended_since(house: House, tmp_path: Path) -> None:
    night = bad_night(house)
    request = house.tap(request_buy_in, house.cast.anna, player_id=house.player("Lee").pk, amount_cents=100_00)
    lies = house_figures(house.room_id)
    cash, chips = lies["vault_cash"] - 50_00, lies["vault_chips"]
    vault = counts_vault(house.cast.carla, house.cast.frans, cash, chips, at=house.at)
    house.open_drawer()
    filling = Filling(house.cast, at=house.at)
    fill, short = filling.asks(chips=100_00), filling.counts(filling.sent(chips=50_00), chips=40_00)
    house.close_drawer()
    house.close_day()
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])
    with clock.frozen(house.at):
        seal(tmp_path, None)
        pack = packed(house, FIRST, FIRST)
    house.next_day()
    house.tap(cancel_slip, slip_id=request.data["slip_id"])
    house.tap(judge_doubt, doubt_id=Doubt.objects.get(judged_at=None).pk)
    house.tap(judge_vault, house.cast.mari, vault_count_id=vault.pk)
    Filling(house.cast, at=house.at).refuses(fill)
    house.tap(judge_fill, house.cast.mari, fill_id=short.pk)
    Hanging(house).count(night.waits, 3)
    with clock.frozen(house.at):
        again, shown = packed(house, FIRST, FIRST), day_report(house.cast.room, FIRST)

    assert again == pack
    audit = verified(again)
    assert audit.wrong == []
    assert any(sentence.startswith("5 slips, fills, boxes or vault counts were open") for sentence in audit.unproved)
    # The slip that differs is open, and what its runner was given and brought follows from the postings.
    names = ("fills", "chips_cents", "chips_over_short_cents")
    wrong = " · ".join(verified(changed(again, {REPORT: more("runners", *names)})).wrong)
    runner = short.runner_id
    assert f"fills of runner {runner} is 2 there, and 1 by the postings" in wrong
    assert f"chips of runner {runner} is 5001 there, and 5000 by the postings" in wrong
    assert f"chips over or short of runner {runner} is -999 there, and -1000 by the postings" in wrong
    # What the count of the vault found its event says, though it was not judged yet.
    assert "of the vault found" not in " ".join(audit.unproved)
    names = ("counted_by_id", "cash_cents", "after_transfer_id")
    wrong = " · ".join(verified(changed(again, {REPORT: more("vault_counts", *names)})).wrong)
    assert "count 1 of the vault, counted_by_id is" in wrong
    assert "count 1 of the vault, cash over or short is -4999 there, and -5000 by the log" in wrong
    assert "count 1 of the vault, after transfer is" in wrong
    # The house's own report tells what became of them.
    assert {each.item.kind for each in shown.carried if not each.is_open} == {
        "box", "doubt", "fill", "fill_differs", "request", "vault_differs",
    }  # fmt: skip


def test_tips_that_go_to_payroll_later_are_none_of_what_the_closed_day_was(house: House) -> None:
    day, dan = open_day(house.room_id), house.cast.dan
    assert day is not None
    house.open(1, Lee=1, Kai=2)
    dealt(house, (dan, 60))
    take(house, 35)
    ends(house)
    with clock.frozen(house.at):
        house.close_drawer()
        house.close_day()
        before = packed(house, FIRST, FIRST)
    house.next_day()
    hand_on(house, 35_00, day)

    with clock.frozen(house.at):
        after, report = packed(house, FIRST, FIRST), day_report(house.cast.room, FIRST)

    assert before == after
    assert [(each.dealer_id, each.handed_cents, each.owed_cents) for each in report.tips] == [(dan.pk, 0, 35_00)]
    since = [(each.dealer_id, each.handed_cents, each.owed_cents) for each in report.tips_since]
    assert since == [(dan.pk, 35_00, -35_00)]
    assert "tips_since" in {sheet.name for sheet in sheets_of(report)}


def test_a_counted_day_is_packed_the_same_though_its_rows_have_changed_since(house: House, tmp_path: Path) -> None:
    office, beats, carla, frans = Office(house), Beats(house), house.cast.carla, house.cast.frans
    beats.open()
    claim = beats.verified()
    house.settle(60_00)
    Hanging(house).hang(7)
    tims = office.at_cage(buy_in, office.tim, 100_00, method="cash")
    slip_id = int(tims.data["slip_id"])
    found = finds(carla, frans, drawer_id=house.drawer_id, at=house.at)
    sits = office.seat(office.tim, 9)
    house.tap(leave_seat, table_id=house.table_id(), seating_id=sits.pk, stack_cents=0)
    counts_through(house)
    pack, sealer = first_day_packed(house, tmp_path)
    second = house.at.date()
    house.open_drawer(5_000_00, 10_000_00)
    house.tap(note_print, carla, slip_id=slip_id)
    void(house, slip_id)
    beats.approved(claim, sum_cents=payable_of(claim))
    office.merge()
    seen = {"full_name": "Timo Testaaja", "document": "passport", "number": "XP1234567"}
    house.tap(check_identity, carla, player_id=office.timo.pk, **seen)
    gives(carla, frans, found, at=house.at, drawer_id=house.drawer_id, player_id=office.timo.pk)
    ends(house)
    Hanging(house).drop()
    house.close_drawer()
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        again, after = packed(house, FIRST, FIRST), packed(house, second, second)
        reports = [day_report(house.cast.room, day) for day in (FIRST, second)]

    assert again == pack
    one, two = verified(again), verified(after)
    assert (one.wrong, two.wrong) == ([], [])
    assert "changed again" not in " ".join(one.unproved)
    # A hit stands where its postings do: on the day that approved it, of the opening whose hand it was.
    hit = [[each.opening for each in report.openings if each.ran.notes.get("jackpot_hits")] for report in reports]
    assert hit == [[], [claim.hand.opening]]
    none = replaced('"jackpot_hits": 1', '"jackpot_hits": 0')
    wrong = verified(changed(after, {f"days/{second}/report.json": none})).wrong
    assert [each for each in wrong if "report.csv" not in each] == [
        f"report of {second}: jackpot_hits of opening {claim.hand.opening_id} is 0 there, and 1 by the log"
    ]
    # The house's own report tells what became of them: of the second record nothing is left by itself.
    assert office.tim.pk not in {each.player_id for each in day_report(house.cast.room, FIRST).players}


def test_a_counted_day_is_packed_the_same_though_who_played_on_left_uncounted_and_was_joined(
    house: House, tmp_path: Path
) -> None:
    office = Office(house)
    house.open(1, Lee=1, Kai=2)
    sits = office.seat(office.tim, 9)
    house.settle(60_00)
    counts_through(house)
    pack, sealer = first_day_packed(house, tmp_path)
    second = house.at.date()
    house.tap(leave_seat, table_id=house.table_id(), seating_id=sits.pk, stack_cents=None)
    office.merge()
    ends(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        again, *others = (packed(house, *of) for of in ((FIRST, FIRST), (second, second), (FIRST, second)))

    assert again == pack
    # In the pack of both days the seating has gone to the record that was kept: on the first it was still Tim's.
    assert [verified(each).wrong for each in (pack, *others)] == [[], [], []]
    assert "changed again" not in " ".join(verified(again).unproved)


def test_a_counted_day_is_packed_the_same_though_its_prizes_were_paid_since(house: House, tmp_path: Path) -> None:
    office, beats = Office(house), Beats(house)
    house.cast.players["Timo"] = office.tim
    beats.open()
    claim = beats.verified()
    beats.approved(claim, sum_cents=payable_of(claim))
    lees, tims = (claim.shares.get(player=house.player(name)) for name in ("Lee", "Timo"))
    house.settle(60_00)
    ends(house)
    pack, sealer = first_day_packed(house, tmp_path)
    second = house.at.date()
    house.open_drawer(5_000_00, 10_000_00)
    office.merge()
    beats.pay(tims)
    void(house, beats.pay(lees).pk)
    house.close_drawer()
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        again, after = packed(house, FIRST, FIRST), packed(house, second, second)

    assert again == pack
    assert [verified(each).wrong for each in (pack, after)] == [[], []]
    assert "changed again" not in " ".join(verified(again).unproved)


@pytest.mark.parametrize("names_openings", [True, pytest.param(False, id="a log of before it named openings")])
def test_an_opening_whose_table_plays_on_is_held_on_both_days(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names_openings: bool
) -> None:
    if not names_openings:
        monkeypatch.setattr("casino.cage.services.days.begin_with_day", without_openings)
    house.open(1, Lee=1, Kai=2)
    counts_through(house)
    pack, sealer = first_day_packed(house, tmp_path)
    second = house.at.date()
    house.settle(60_00)
    ends(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        after, both = packed(house, second, second), packed(house, FIRST, second)
    later = "2026-11-30T18:00:00Z"

    assert [verified(each).wrong for each in (pack, after, both)] == [[], [], []]
    closed = other_opening(pack, FIRST, closed_at=later)
    assert any(f"closed at is {later[:10]} 18:00:00+00:00 there, and None by the log" in each for each in closed)
    by_none = "opened in these days, and by no event here"
    began = other_opening(both, second, opened_at="2026-11-21T00:00:00Z")
    assert any(("opened at is 2026-11-21 00:00" if names_openings else by_none) in found for found in began)
    for each in (after, both):
        for name, value, says in (
            ("opened_by_id", 999, "opened by is 999 there, and "),
            ("rule_book_version", 2, "rule book is 2 there, and 1 by the log"),
            ("closed_at", later, "closed at is 2026-11-30 18:00:00+00:00 there, and 2026-11-21"),
            ("table", 2, "table is 2 there, and 1 by the log" if names_openings else by_none),
        ):
            assert any(says in found for found in other_opening(each, second, **{name: value})), (name, says)


def without_openings(command: Command, day_id: int) -> tuple[dict[str, list[int]], tuple[str, ...]]:
    begun, audiences = begin_with_day(command, day_id)
    return {name: ids for name, ids in begun.items() if name != "openings"}, audiences


def test_packs_of_following_days_meet_though_a_box_was_counted_later(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = evening(house, tmp_path)
    second, left = house.at.date(), base_sum(house.room_id, "bad-beat")
    assert left is not None
    Hanging(house).count(Box.objects.get(charge="drop", is_counted=False), 3)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    one, two, both = (packed(house, *of) for of in ((FIRST, FIRST), (second, second), (FIRST, second)))
    before = tmp_path / "before.zip"
    before.write_bytes(one)

    # The box of the drop was counted on the second day.
    assert [verified(pack).wrong for pack in (one, two, both)] == [[], [], []]
    assert "changed again" not in " ".join(verified(one).unproved)
    after = verified(two, before=before)
    assert (after.wrong, after.proved["packs that meet"]) == ([], 1)
    assert "the pack before does not end where this one begins" in verified(both, before=before).wrong
    before.write_bytes(changed(one, {"accounts.csv": replaced(f",0,{left}", f",0,{left + 100}")}))
    (differs,) = verified(two, before=before).wrong
    assert re.fullmatch(rf"account \d+ was left with {left + 100} by the pack before, and begins with {left}", differs)


def test_a_table_that_played_on_holds_though_a_hand_of_the_day_before_comes_with_the_second(
    house: House, tmp_path: Path
) -> None:
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
    house.open(1, **SEVEN)
    old = house.table().opening_id
    house.settle(60_00, dealt_in=tuple(SEVEN.values()))
    kept, at = house.deal(), house.at + timedelta(seconds=20)
    house.at += timedelta(minutes=1)
    # Another tablet deals on, so this one is not logged until its own is back.
    house.settle(86_00)
    house.close_drawer()
    counts_through(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        one = packed(house, FIRST, FIRST)
    house.next_day()
    second = house.at.date()
    tapped(house, settle_hand, at, hand=replace(kept, pots=(40_00,)))
    house.settle(40_00)
    never_seen = house.logged(20_00, opening_id=old, dealt_in=tuple(SEVEN.values()))
    tapped(house, settle_hand, at + timedelta(seconds=20), hand=never_seen)
    ends(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)

    assert packed(house, FIRST, FIRST) == one
    packs = [packed(house, *of) for of in ((FIRST, FIRST), (second, second), (FIRST, second))]
    assert [verified(pack).wrong for pack in packs] == [[], [], []]


def test_what_is_done_while_a_day_closes_is_of_that_day(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.close_drawer()
    house.tap(ban_player, house.cast.mari, player_id=house.player("Jo").pk, reason="Took a chip")
    # The ban's event is there already, and not yet for whoever closes the day.
    seen = newest_event_id() - 1
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("casino.cage.services.days.newest_event_id", lambda: seen)
        house.close_day()
    house.next_day()
    second = house.at.date()
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path)
        packs = [packed(house, day, day) for day in (FIRST, second)]
        banned = [day_report(house.cast.room, day).elsewhere for day in (FIRST, second)]

    assert banned == [{"restrictions": 1}, {}]
    assert [verified(pack).wrong for pack in packs] == [[], []]


def test_a_day_may_close_before_its_own_tables_and_drawers_did_where_the_clock_was_set_back(
    house: House, tmp_path: Path
) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(60_00)
    house.at += timedelta(hours=3)
    # Both that were dealt within the hour stand as they were when the day closed, and so does a rule book of that hour.
    house.settle(60_00)
    undone = house.settle(60_00)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=undone.hand_id)
    adds_to_book(house.room_id, "", holds_from=house.at)
    house.open(2)
    house.tap(close_table, table_id=house.table_id(2))
    ends(house)
    house.close_drawer(short_cents=5_00)
    request = house.tap(request_buy_in, house.cast.anna, player_id=house.player("Lee").pk, amount_cents=100_00)
    house.at -= timedelta(hours=1)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, None)
        pack = packed(house, FIRST, FIRST)
    house.at += timedelta(minutes=5)
    house.tap(cancel_slip, slip_id=request.data["slip_id"])
    with clock.frozen(house.at):
        again = packed(house, FIRST, FIRST)

    audit = verified(pack)
    assert (audit.wrong, again == pack) == ([], True)
    assert audit.proved["figures of reports by the log"] > 30


def test_a_game_may_be_called_what_a_spreadsheet_takes_for_a_formula(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "=NL · 2/2"
    book = RuleBookVersion.objects.get(room_id=house.room_id)
    text = book.text.replace(f'name = "{house.game().name}"', f'name = "{name}"', 1)
    with as_owner():
        Game.objects.filter(pk=house.game().pk).update(name=name)
        RuleBookVersion.objects.filter(pk=book.pk).update(text=text, digest=digest(text))
    monkeypatch.setattr(House, "game", lambda _house: Game.objects.get(name=name))
    house.open(1, Lee=1, Kai=2)
    ends(house)
    house.close_drawer()
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path)
        audit = verified(packed(house, FIRST, FIRST))

    assert audit.wrong == []


def test_what_is_done_between_two_days_is_sealed_in_the_pack_of_the_second(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = evening(house, tmp_path)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    house.at += timedelta(hours=5)
    house.tap(add_table, house.cast.mari, number=9)
    house.tap(ban_player, house.cast.mari, player_id=house.player("Jo").pk, reason="Took a chip")
    with clock.frozen(house.at):
        seal(tmp_path, sealer, times=3)
    house.next_day()
    third = GamingDay.objects.latest("id").date
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer, times=3)

    pack, before = packed(house, third, third), tmp_path / "before.zip"
    audit = verified(pack)
    before.write_bytes(packed(house, FIRST, FIRST))
    begins = json.loads(zipfile.ZipFile(before).read("manifest.json"))["days"][0]["log_until"]

    def follows(content: str) -> str:
        """Have the pack say that it follows the one of the first day, as if there had been no second."""
        about = json.loads(content)
        about["days"][0]["log_after"] = begins
        return json.dumps(about)

    assert audit.wrong == []
    assert day_report(house.cast.room, third).elsewhere == {"restrictions": 1}
    wrong = verified(changed(pack, {"manifest.json": follows}), before=before).wrong
    assert "the log of day does not go on where the pack before ends" in wrong
    assert "the pack before does not end where this one begins" not in wrong
    # From the one before the day before closed, up to the first that knows all; the last two know nothing new.
    assert audit.proved["signatures"] == 6
