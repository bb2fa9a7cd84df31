"""What a hand owed is reckoned anew by the auditor's script, under every book, and held against what the log says."""

import tomllib
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from casino import clock
from casino.poker.charged_pots import charge_pots
from casino.reports.pack.script.dues import drop_due, rake_due
from casino.reports.pack.script.tables import Hand
from casino.rooms.models import RuleBookVersion
from casino.rulebooks import digest
from casino.rulebooks.reading import load, text_of
from tables.models import Hand as HandRow
from tables.models import TimeTaken
from tables.services.hands import settle_hand, show_flop
from tables.services.opening import open_table
from tables.services.time_charges import take_back_time
from tests.audit.sealing import seal
from tests.jackpot.books import HELSINKI, put_in_force
from tests.jackpot.test_by_time import by_hand, by_time, take
from tests.jackpot.test_by_time_goes_on import take_of
from tests.reports.packing import (
    FIRST,
    LOG,
    REPORT,
    SIX,
    changed,
    ends,
    first_day_packed,
    packed,
    relogged,
    replaced,
    verified,
)
from tests.support.owner import as_owner
from tests.tables.conftest import House, make_house
from tests.tables.test_playing_on import counts_through

pytestmark = pytest.mark.slow

BOOKS = ("helsinki", "royal", "unibet")
ALL_SIX = tuple(sorted(SIX.values()))
# Also such as cannot bear what is due.
POTS = st.lists(st.integers(0, 3_000_00) | st.integers(0, 3_00), min_size=1, max_size=4)


@pytest.mark.parametrize("book", BOOKS)
@given(pots=POTS, participants=st.integers(2, 10), has_flop=st.booleans())
@example(pots=[86_00], participants=6, has_flop=True)
@example(pots=[20], participants=6, has_flop=True)
def test_the_script_reckons_a_hand_as_the_house_does(
    book: str, pots: list[int], participants: int, has_flop: bool
) -> None:
    as_text = {game["code"]: game for game in tomllib.loads(text_of(book)).get("games", ())}
    hand = Hand(1, 1, "", None, pots=pots, has_flop=has_flop, participants=participants)

    for game in load(book).games:
        charges = {"rake": game.rake_policy, "drop": game.drop.policy() if game.drop else None}
        by = charge_pots(
            pots=pots,
            participants=participants,
            beyond_initial_deal=has_flop,
            charges={kind: policy for kind, policy in charges.items() if policy is not None},
        )
        found = rake_due(as_text[game.code], hand), drop_due(as_text[game.code], hand)
        assert found == (by.of("rake"), by.of("drop")), game.code


def test_a_way_of_reckoning_that_the_script_does_not_know_is_not_reckoned() -> None:
    hand = Hand(1, 1, "", None, pots=[86_00], participants=6)
    unknown = {"rake": {"kind": "by_moonlight"}, "smallest_chip_cents": 1_00}

    assert rake_due(unknown, hand) is None
    assert drop_due(unknown | {"drop": {"charge_cents": 1_00, "participants_min": 6}}, hand) is None


def of_an_evening(house: House, *, game: str = "No limit hold'em 2/2", pot: int = 86_00) -> bytes:
    """Play one hand with six players, and pack its day."""
    played = house.game(game)
    house.tap(open_table, table_id=house.table_id(), game_id=played.pk)
    for nickname, seat in SIX.items():
        house.seat(nickname, seat, chips=played.buy_in_min_cents)
    house.settle(pot, dealt_in=ALL_SIX)
    return day_packed(house)


def day_packed(house: House) -> bytes:
    """Close table 1, the drawer and the day, and return its pack."""
    ends(house)
    house.close_drawer()
    house.close_day()
    return packed(house, FIRST, FIRST)


def goes_over_to_time(house: House) -> None:
    """Have six play a hand that pays its drop, and after they all agreed on it one of a time that is paid."""
    house.open(1, **SIX)
    house.settle(86_00, dealt_in=ALL_SIX)
    by_time(house)
    take(house, 1)
    house.settle(86_00, dealt_in=ALL_SIX)


def wrong_of(pack: bytes) -> list[str]:
    """Return what is wrong, but for seals, which nobody made that evening."""
    return [sentence for sentence in verified(pack).wrong if "is in no seal" not in sentence]


def test_a_drop_that_was_due_otherwise_than_by_the_book_is_found(house: House) -> None:
    pack = of_an_evening(house)
    dearer = {"rule-books/1.toml": replaced('"per_hand", charge_cents = 1_00', '"per_hand", charge_cents = 2_00')}

    assert wrong_of(pack) == []
    found = " · ".join(wrong_of(changed(pack, dearer)))
    assert "a pot of 8600, of the drop is 100 there, and 200 by the rule book" in found


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("book", "game", "pot", "old", "new"),
    [
        ("royal", "No limit hold'em 20/50", 900_00, "[0, 20_00]", "[0, 10_00]"),
        ("unibet", "No limit hold'em 0.02/0.04", 9_60, "rate_bp = 1_00", "rate_bp = 2_00"),
    ],
)
def test_a_rake_by_tiers_or_shares_is_reckoned_too(book: str, game: str, pot: int, old: str, new: str) -> None:
    pack = of_an_evening(make_house(book=book), game=game, pot=pot)

    assert wrong_of(pack) == []
    found = " · ".join(wrong_of(changed(pack, {"rule-books/1.toml": replaced(old, new)})))
    assert "by the rule book" in found


def test_hands_that_cannot_be_reckoned_are_named_by_table_with_how_many(house: House) -> None:
    house.open(1, **SIX)
    # Won in the initial deal, at least as much as pays the most, and one that is whole: nothing is open of these.
    house.settle(dealt_in=ALL_SIX)
    house.settle(250_00, dealt_in=ALL_SIX, pot_is_at_least=True)
    house.settle(86_00, dealt_in=ALL_SIX)
    # A pot that may be larger, nobody known who was dealt in, and a flop of which nobody counted the pot.
    house.settle(86_00, dealt_in=ALL_SIX, pot_is_at_least=True)
    house.settle(86_00)
    hand = house.deal(dealt_in=ALL_SIX)
    house.tap(show_flop, table_id=house.table_id(), hand_id=hand.hand_id)
    house.tap(settle_hand, house.cast.anna, table_id=house.table_id(), hand=hand)

    pack = day_packed(house)

    assert wrong_of(pack) == []
    (sentence,) = (each for each in verified(pack).unproved if "owed by the rule book" in each)
    assert f"Of {FIRST} what these hands owed" in sentence
    assert sentence.endswith(": 3 at table 1. What was due of them is held against the log alone.")


def test_more_than_a_hand_owes_is_found_though_its_pot_was_at_least_so_much(house: House) -> None:
    house.open(1, **SIX)
    house.settle(86_00, dealt_in=ALL_SIX, pot_is_at_least=True)
    dearer = {LOG: replaced('"rake_due_cents":400', '"rake_due_cents":500')}

    found = wrong_of(changed(day_packed(house), dearer))

    assert any("a pot of 8600, is 500 there, and 400 by the rule book" in each for each in found), found


def test_a_game_that_is_in_no_rule_book_is_found(house: House) -> None:
    pack = of_an_evening(house)
    other = {REPORT: replaced('"game": "No limit hold\'em 2/2"', '"game": "No limit hold\'em 2/3"')}

    assert any("its rule book has no game No limit hold'em 2/3" in each for each in wrong_of(changed(pack, other)))


def test_a_hand_before_its_table_paid_by_the_time_owes_its_drop(house: House) -> None:
    goes_over_to_time(house)
    pack = day_packed(house)
    free = {LOG: replaced('"drop_due_cents":100', '"drop_due_cents":0')}

    assert wrong_of(pack) == []
    assert any("of the drop is 0 there, and 100 by the rule book" in each for each in wrong_of(changed(pack, free)))


def test_what_the_house_takes_by_the_time_is_its_rake(house: House) -> None:
    head, last = HELSINKI.rsplit('rake = { kind = "step"', 1)
    text = f"{head}time_charge = {{ charge_cents = 5_00, period_minutes = 30 }}\n{last[last.index('] }') + 3 :]}"
    put_in_force(house, text)
    with as_owner():
        RuleBookVersion.objects.filter(text=text).update(digest=digest(text))
    house.tap(open_table, table_id=house.table_id(), game_id=house.game("No limit hold'em 5/5").pk)
    house.seat("Lee", 1, chips=500_00)
    house.seat("Kai", 2, chips=500_00)
    house.settle(60_00)
    take(house, 1)
    pack = day_packed(house)
    dearer = {REPORT: replaced('"due_cents": 1000', '"due_cents": 1100')}

    assert wrong_of(pack) == []
    assert any("rake due of opening" in each for each in wrong_of(changed(pack, dearer)))


def test_a_hand_after_its_table_pays_by_the_hand_again_owes_its_drop_once_what_was_paid_has_run_out(
    house: House,
) -> None:
    goes_over_to_time(house)
    by_hand(house)
    house.settle(86_00, dealt_in=ALL_SIX)
    house.at += timedelta(hours=1)
    charged = house.settle(86_00, dealt_in=ALL_SIX)
    pack = day_packed(house)
    free = {LOG: drop_of_nothing(charged)}

    assert wrong_of(pack) == []
    assert owes_its_drop(charged, wrong_of(changed(pack, free)))


def test_a_period_that_comes_late_or_is_taken_back_says_until_when_hands_are_free(house: House) -> None:
    goes_over_to_time(house)
    taken = TimeTaken.objects.get()
    by_hand(house)
    house.tap(take_back_time, table_id=house.table_id(), time_id=taken.pk)
    charged = house.settle(86_00, dealt_in=ALL_SIX)
    take_of(house, taken.opening_id, 1)
    house.settle(86_00, dealt_in=ALL_SIX)
    pack = day_packed(house)
    free = {LOG: drop_of_nothing(charged)}

    assert wrong_of(pack) == []
    assert owes_its_drop(charged, wrong_of(changed(pack, free)))


def drop_of_nothing(hand: HandRow) -> Callable[[str], str]:
    """Have the log say that nothing was due of a hand's drop."""

    def change(event: dict[str, Any]) -> None:
        if (event.get("data") or {}).get("hand") == str(hand.hand_id):
            event["data"]["drop_due_cents"] = 0

    return partial(relogged, change=change)


def owes_its_drop(hand: HandRow, wrong: list[str]) -> bool:
    return any(
        f"hand {hand.number} at table 1" in each and "of the drop is 0 there, and 100 by" in each for each in wrong
    )


def test_a_table_that_pays_by_the_time_owes_no_drop_also_on_the_day_on_which_it_plays_on(
    house: House, tmp_path: Path
) -> None:
    goes_over_to_time(house)
    counts_through(house)
    pack, sealer = first_day_packed(house, tmp_path)
    second = house.at.date()
    house.settle(86_00, dealt_in=ALL_SIX)
    ends(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        after, both = packed(house, second, second), packed(house, FIRST, second)

    assert [verified(each).wrong for each in (pack, after, both)] == [[], [], []]
