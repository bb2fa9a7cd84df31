"""The room's next rule book: edited, asked for, signed by another, in force at its moment and never before."""

import uuid
from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError

from casino.audit.models import Event
from casino.commands.carrying_out import Answer
from casino.errors import NotPermitted, Stale
from casino.people.errors import SamePerson, SignaturePrepared
from casino.people.models import Staff
from casino.people.services import second_person, set_pin
from casino.rooms.models import NextBook, Room, RuleBookVersion
from casino.rooms.selectors import book_name, known_clauses, rule_book_in_force
from casino.rulebooks import text_of
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.selectors.games import games_on_map
from casino.waiting.selectors.wall import lobby
from casino.waiting.services.lists import call_player, join_list
from tables.api.books import approve_by_two
from tables.errors import BuyInUnderMinimum
from tables.errors_books import (
    AboveVenue,
    BookNeedsAnotherManager,
    BookNotOpen,
    BookNotRequested,
    BookOtherCurrency,
    BookReachesBack,
    BookUnchanged,
    BookWrong,
    TooManySeats,
)
from tables.models import Game
from tables.services.books import (
    NEEDS,
    approve_book,
    ask_for_book,
    discard_book,
    edit_book,
    refuse_book,
    signs,
    withdraw_book,
)
from tables.services.opening import open_table
from tables.services.setup import offer_games
from tables.tasks import wake_books
from tests.cast import command
from tests.conftest import Database
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop, tap


class Office:
    """The managers' office: Mari asks, Petra signs. `pair` is what an edit changes where nothing else is named."""

    def __init__(self, house: House, pair: tuple[str, str] = ("maximum_cents = 10_00", "maximum_cents = 8_00")) -> None:
        self.house, self.pair = house, pair
        self.mari = house.cast.mari
        self.petra = Staff.objects.create(
            room=house.cast.room, username="petra", display_name="Petra", roles=["manager"], created_at=house.at,
            pin=house.cast.mari.pin, is_on_shift=True,
        )  # fmt: skip

    @property
    def text(self) -> str:
        return RuleBookVersion.objects.order_by("-number")[0].text

    @property
    def next(self) -> NextBook:
        return NextBook.objects.order_by("-id")[0]

    def edit(self, *pairs: tuple[str, str], version: int = 0, by: Staff | None = None) -> Answer:
        text = self.text
        for old, new in pairs or [self.pair]:
            assert old in text
            text = text.replace(old, new)
        return self.house.tap(edit_book, by or self.mari, text=text, version=version)

    def ask(self, *, hours: int = 10) -> Answer:
        holds_from = self.house.at + timedelta(hours=hours)
        return self.house.tap(ask_for_book, self.mari, version=self.next.version, holds_from=holds_from)

    def approve(self, by: Staff | None = None) -> Answer:
        return self.house.tap(approve_book, by or self.petra, next_book_id=self.next.pk, version=self.next.version)

    def hours_pass(self, hours: float) -> None:
        self.house.at += timedelta(hours=hours)
        wake_books(at=self.house.at)

    def change(self, *pairs: tuple[str, str]) -> None:
        """Bring a change through all of it."""
        self.edit(*pairs)
        self.ask(hours=1)
        self.approve()
        self.hours_pass(2)


@pytest.fixture
def office(house: House) -> Office:
    return Office(house)


@pytest.mark.rule("L-P23")
def test_a_signed_book_holds_from_its_moment_and_what_has_begun_goes_on_as_it_began(office):
    office.house.open(Lee=1, Kai=2)
    first = office.house.settle(86_00)
    before_id, _ = rule_book_in_force(office.house.room_id, at=office.house.at)

    office.edit()
    office.ask(hours=10)
    office.approve()
    office.hours_pass(9)
    assert rule_book_in_force(office.house.room_id, at=office.house.at)[0] == before_id
    office.hours_pass(2)

    now_id, book = rule_book_in_force(office.house.room_id, at=office.house.at)
    policy = book.game("nlh-2-2").rake_policy
    assert policy is not None
    assert policy.way.maximum_from_cents() == 160_00
    # Never from before: it holds from when it was woken.
    assert RuleBookVersion.objects.get(id=now_id).holds_from == office.house.at
    # The table was opened under the version before, and its hands go on under it.
    old = office.house.settle(400_00)
    assert (first.rule_book_version_id, old.rule_book_version_id, old.taken("rake")) == (before_id, before_id, 10_00)
    table = office.house.table(2)
    office.house.tap(open_table, table_id=table.pk, game_id=office.house.game().pk)
    for nickname, seat in {"Timo": 1, "Mika": 2}.items():
        office.house.seat(nickname, seat, number=2)
    new = office.house.settle(400_00, number=2)
    assert (new.rule_book_version_id, new.taken("rake")) == (now_id, 8_00)


@pytest.mark.django_db
@pytest.mark.rule("R-§2-1", "L-P24")
def test_at_royal_two_of_the_management_set_another_limit():
    office = Office(make_house(book="royal"))
    house, game = office.house, "No limit hold'em 20/50"
    limit = ("buy_in_min_cents = 1000_00", "buy_in_min_cents = 1500_00")

    office.edit(limit)
    office.ask(hours=1)
    with pytest.raises(BookNeedsAnotherManager):
        office.approve(office.mari)
    office.approve(office.petra)
    office.hours_pass(2)
    house.tap(open_table, table_id=house.table_id(), game_id=house.game(game).pk)

    with pytest.raises(BuyInUnderMinimum):
        house.seat("Lee", 1, chips=1000_00)
    assert house.seat("Lee", 1, chips=1500_00).chips_in_cents == 1500_00


@pytest.mark.django_db
def test_a_page_and_a_call_refuse_in_the_rooms_own_money():
    house = make_house(book="royal")
    house.tap(open_table, table_id=house.table_id(), game_id=house.game("No limit hold'em 20/50").pk)
    floor, lee = at_desktop(house.cast.frans), house.player("Lee").pk

    page = tap(floor, "/floor/tables/1/seats/1/", player_id=lee, chips="100", source="cage")
    call = floor.post(
        "/api/v1/tables/1/seats/1",
        {"player_id": lee, "chips_cents": 100_00, "chips_from": "cage"},
        "application/json",
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )

    assert "1.000\u00a0kr" in page.content.decode()
    assert "1.000\u00a0kr" in call.json()["detail"]


def test_the_log_says_who_asked_who_signed_and_what_by_its_digest(office):
    office.change()

    events = Event.objects.filter(chain="rule_book", result="done").order_by("id")
    assert [event.name for event in events] == [
        "tables.edit_book", "tables.ask_for_book", "tables.approve_book", "tables.let_book_hold",
    ]  # fmt: skip
    assert [event.staff_id for event in events] == [office.mari.pk, office.mari.pk, office.petra.pk, None]
    assert office.next.became is not None
    assert office.next.became.digest in events[3].text
    assert "two euros" not in events[0].text


def test_who_asks_never_approves(office):
    office.edit()
    office.ask()

    with pytest.raises(BookNeedsAnotherManager):
        office.approve(office.mari)
    with pytest.raises(BookNeedsAnotherManager):
        # An id from whatever caller is no signature.
        office.house.tap(
            approve_book,
            office.mari,
            next_book_id=office.next.pk,
            version=office.next.version,
            approved_by_id=office.petra.pk,
        )
    with pytest.raises(NotPermitted):
        office.approve(office.house.cast.frans)


def test_a_second_manager_signs_at_the_same_screen_by_their_own_pin(office):
    office.edit()
    office.ask()
    signing = command(office.mari, at=office.house.at)
    signed = signs(office.next.pk, office.next.version)

    by_id = second_person(signing, username="petra", pin="1357", needs=NEEDS, signs=signed)
    approve_book(signing, next_book_id=office.next.pk, version=office.next.version, approved_by_id=by_id)

    assert (office.next.status, office.next.requested_by_id, office.next.decided_by_id) == (
        "approved", office.mari.pk, office.petra.pk,
    )  # fmt: skip
    with pytest.raises(SamePerson):
        second_person(command(office.mari), username="mari", pin="1357", needs=NEEDS, signs=signed)


@pytest.mark.parametrize("at_own_screen", [True, False])
def test_who_signs_signs_the_book_that_they_have_read(office, at_own_screen):
    office.edit()
    office.ask()
    read_id = office.next.pk
    office.house.tap(withdraw_book, office.mari, version=office.next.version)
    office.house.tap(discard_book, office.mari, version=office.next.version)
    # Another one; what was read says that it is at the version of this one.
    office.edit(("call_seconds = 180", "call_seconds = 240"))
    office.ask()
    read = {"next_book_id": read_id, "version": office.next.version}
    second = None if at_own_screen else {"username": "petra", "pin": "9999"}

    with pytest.raises(Stale):
        approve_by_two(
            command(office.petra if at_own_screen else office.mari, at=office.house.at), second=second, **read
        )

    office.petra.refresh_from_db()
    assert (office.next.status, office.petra.wrong_pins) == ("requested", 0)


def test_two_managers_who_edit_at_once_hear_of_each_other(office):
    office.edit()
    with pytest.raises(Stale):
        office.edit(("call_seconds = 180", "call_seconds = 240"), by=office.petra)

    answer = office.edit(("call_seconds = 180", "call_seconds = 240"), version=office.next.version, by=office.petra)

    assert answer.version == office.next.version
    assert office.next.edited_by_id == office.petra.pk


def test_what_waits_for_a_signature_stands_still(office):
    office.edit()
    office.ask()
    version = office.next.version

    for again in (
        lambda: office.edit(version=version),
        lambda: office.ask(),
        lambda: office.house.tap(discard_book, office.mari, version=version),
    ):
        with pytest.raises(BookNotOpen):
            again()


def test_refused_or_withdrawn_it_can_be_changed_and_asked_for_again(office):
    office.edit()
    with pytest.raises(BookNotRequested):
        office.approve()
    office.ask()
    with pytest.raises(BookNeedsAnotherManager):
        office.house.tap(refuse_book, office.mari, version=office.next.version)

    office.house.tap(refuse_book, office.petra, version=office.next.version)
    assert (office.next.status, office.next.decided_by_id) == ("edited", office.petra.pk)
    office.ask()
    office.approve()
    office.house.tap(withdraw_book, office.mari, version=office.next.version)
    office.hours_pass(24)

    assert (office.next.status, office.next.holds_from) == ("edited", None)
    assert RuleBookVersion.objects.count() == 1
    office.house.tap(discard_book, office.mari, version=office.next.version)
    assert office.edit().version == office.next.version


@pytest.mark.rule("L-P23")
def test_a_book_never_reaches_back(office):
    office.edit()
    with pytest.raises(BookReachesBack):
        office.ask(hours=0)
    office.ask(hours=1)
    office.house.at += timedelta(hours=2)

    with pytest.raises(BookReachesBack):
        office.approve()


def test_what_says_the_same_or_is_no_book_is_not_asked_for(office):
    office.house.tap(edit_book, office.mari, text=office.text, version=0)
    with pytest.raises(BookUnchanged):
        office.ask()
    version = office.next.version
    with pytest.raises(BookWrong, match=r"Line \d+: .*Did you mean “seats”.*2 more"):
        office.edit(("seats = 9", "seat = 9"), ("seats = 10\nsmallest", "seat = 10\nsmallest"), version=version)
    with pytest.raises(BookOtherCurrency, match="DKK"):
        office.edit(('"EUR"', '"DKK"'), version=version)


@pytest.mark.rule("L-P1", "L-P93", "L-P48")
def test_a_table_does_not_open_above_the_venue(office):
    hall = ('kind = "casino"\nopening_stake_max_cents = 20_000_00', 'kind = "hall"\nopening_stake_max_cents = 2_00')
    with pytest.raises(BookWrong, match=r"games\[0\]\.straddle"):
        office.edit(hall)
    version = RuleBookVersion.objects.get()
    text = version.text.replace(*hall)
    RuleBookVersion.objects.create(room_id=version.room_id, number=2, text=text, holds_from=office.house.at)

    with pytest.raises(AboveVenue, match=r"No limit hold'em 2/2 opens with up to 4.¤. The licence allows 2.¤"):
        office.house.open(Lee=1)
    with pytest.raises(AboveVenue):
        office.house.tap(offer_games, office.mari)
    with as_owner():
        Game.objects.filter(name="No limit hold'em 2/2").update(straddle="off")
    office.house.open(Lee=1)
    few = text.replace("seats_max = 12", "seats_max = 9")
    RuleBookVersion.objects.create(room_id=version.room_id, number=3, text=few, holds_from=office.house.at)
    with pytest.raises(TooManySeats, match=r"10 seats.*9 at most"):
        office.house.open(2)


@pytest.mark.rule("H2.3")
def test_with_new_terms_of_the_same_game_its_list_goes_on(office):
    waiting = office.house.tap(join_list, game_id=office.house.game().pk, player_id=office.house.player("Timo").pk)
    office.house.open(Lee=1)

    office.change()

    assert WaitingList.objects.get(entries=waiting.data["waiting"]).game == office.house.game()
    assert not office.house.table().opening.game.is_offered
    # On the floor and on the wall the table of the terms before and the list are one game.
    (on_floor,) = [row for row in games_on_map(office.house.room_id) if row.game.name == office.house.game().name]
    (on_wall,) = lobby(office.house.room_id).games
    assert (len(on_floor.tiles), len(on_floor.waiting.waiting), len(on_wall.waiting.waiting)) == (1, 1, 1)
    # And whoever waits can be called to it, and sits down off the list.
    office.house.tap(call_player, waiting_id=waiting.data["waiting"], table_id=office.house.table_id(), seat_number=4)
    office.house.seat("Timo", 4)
    assert Waiting.objects.get().status == "seated"


def test_signed_by_another_house_s_text_the_room_goes_by_that_house_s_clauses(office):
    helsinki = known_clauses(office.house.room_id, at=office.house.at)

    office.change((office.text, text_of("unibet")))

    version_id, _ = rule_book_in_force(office.house.room_id, at=office.house.at)
    assert book_name(version_id) == "unibet"
    assert known_clauses(office.house.room_id, at=office.house.at) != helsinki
    # A text of the room's own goes on by the clauses that it had.
    office.change(
        ("Unibet poker rules, version 2.0, 27.3.2019", "The room's own"), ("call_seconds = 180", "call_seconds = 90")
    )
    version_id, _ = rule_book_in_force(office.house.room_id, at=office.house.at)
    assert book_name(version_id) == "unibet"


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_of_two_managers_who_begin_a_book_in_the_same_moment_one_does(
    committing_db: Database, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    office = Office(make_house())
    text = office.text.replace("call_seconds = 180", "call_seconds = 240")
    first, second = [
        partial(edit_book, command(staff, at=office.house.at), text=text, version=0)
        for staff in (office.mari, office.petra)
    ]
    if not is_locked:
        without_lock(monkeypatch, Room)

    # The constraint has the last word.
    with pytest.raises(Stale if is_locked else IntegrityError):
        meet(first, second)

    assert NextBook.objects.get().edited_by_id == office.mari.pk


def test_who_was_given_a_pin_by_the_asker_does_not_sign_the_book_by_it(office):
    office.edit()
    office.ask()
    office.house.tap(set_pin, office.mari, staff_id=office.petra.pk, pin="8642")

    with pytest.raises(SignaturePrepared):
        office.approve()


def test_a_page_of_a_book_that_was_thrown_away_names_no_book_that_follows_it(office: Office) -> None:
    office.edit()
    on_maris_page = office.next.version
    office.house.tap(discard_book, office.petra, version=on_maris_page)
    office.house.tap(edit_book, office.petra, text=office.text.replace("180", "240"), version=0)

    with pytest.raises(Stale):
        office.house.tap(ask_for_book, office.mari, version=on_maris_page, holds_from=office.house.at)

    assert not NextBook.objects.exclude(requested_by_id=None).exists()
