"""The shipped books, and what a wrong key or value is answered with."""

import hashlib
import re
from pathlib import Path

import pytest

from casino.poker.buyins import BelowBlind, MinimumLimits
from casino.poker.drop import DropPolicy
from casino.poker.rake_ways import StepRake
from casino.rulebooks import RuleBookError, digest, load, parse, setting_clauses, shipped, text_of
from casino.rulebooks.coverage import citations
from casino.rulebooks.schema import Settings

HELSINKI = text_of("helsinki")


def changed(old: str, new: str) -> str:
    assert old in HELSINKI
    return HELSINKI.replace(old, new)


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_book_is_a_rule_book(name):
    assert load(name).house.name


def test_a_version_kept_from_when_there_was_a_section_that_nothing_read_is_still_read():
    assert parse(HELSINKI + "\n[two_persons]\nreversals = true\n", source="kept") == load("helsinki")


def test_a_book_kept_from_before_documents_outlived_a_wish_is_still_read():
    days = parse(HELSINKI + "\n[peoples_data]\nidentity_days = 30\n", source="kept").peoples_data

    assert (days.document_wish_days, load("helsinki").peoples_data.document_wish_days) == (30, 1_826)
    with pytest.raises(RuleBookError, match="identity_wish_days is above"):
        parse(HELSINKI + "\n[peoples_data]\nidentity_wish_days = 1827\n", source="new")


def test_four_books_are_shipped():
    assert shipped() == ("czech", "helsinki", "royal", "unibet")


@pytest.mark.rule("H1.85", "H1.88", "H4.12")
def test_helsinki_says_what_its_source_says():
    book = load("helsinki")

    assert (book.house.currency, book.house.languages) == ("EUR", ("fi", "en"))
    assert (book.timers.call_seconds, book.timers.clock_seconds, book.timers.clock_aloud_seconds) == (180, 30, 10)
    assert book.timers.long_break_minutes == 30
    assert book.game("nlh-2-2").small_blind_cents == book.game("nlh-2-2").big_blind_cents
    for game in book.games:
        assert game.rake_policy is not None
        assert isinstance(game.rake_policy.way, StepRake)
        assert (game.rake_policy.way.block_cents, game.rake_policy.way.charge_cents) == (20_00, 1_00)
        assert game.drop is not None
        assert game.drop.policy() == DropPolicy(charge_cents=1_00, participants_min=6)


@pytest.mark.rule("H1.62", "H2.17")
def test_a_games_buy_in_limits_follow_the_houses_readings():
    book = parse(changed('"out_of_chips"', '"tops_up"'), source="test")

    settings = book.settings

    assert settings.stack_below_big_blind is BelowBlind.TOPS_UP
    assert settings.buy_in_minimum_limits is MinimumLimits.PURCHASE


def test_a_game_that_is_not_offered_is_an_error():
    with pytest.raises(LookupError, match="nlh-1-1"):
        load("helsinki").game("nlh-1-1")


@pytest.mark.parametrize(
    ("old", "new", "key", "nearest"),
    [
        pytest.param("[timers]", "[timer]", "timer", "timers", id="table"),
        pytest.param("seats = 9", "seat = 9", "games[2].seat", "seats", id="in-a-game"),
        pytest.param("charge_cents = 1_00, max", "fee = 1_00, max", "games[0].rake.fee", None, id="nothing-like-it"),
        pytest.param(
            "charge_cents = 1_00, max",
            "charge_cent = 1_00, max",
            "games[0].rake.charge_cent",
            "charge_cents",
            id="deep",
        ),
    ],
)
def test_an_unknown_key_is_named_with_the_file_and_the_nearest_valid_one(old, new, key, nearest):
    with pytest.raises(RuleBookError) as caught:
        parse(changed(old, new), source="mine.toml")

    assert (caught.value.source, caught.value.key, caught.value.nearest) == ("mine.toml", key, nearest)
    assert str(caught.value).startswith(f"mine.toml: {key} is not a key; ")
    assert nearest is None or f"did you mean {nearest}?" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        pytest.param(
            "seats = 9", "seats = 13", "games\\[2\\].seats", id="H2.2-thirteen-seats", marks=pytest.mark.rule("H2.2")
        ),
        pytest.param("seats = 10", "seats = 11", "11 seats are too many", id="A20-eleven-with-a-jackpot"),
        pytest.param("seats = 9", 'seats = "9"', "games\\[2\\].seats", id="text-for-a-number"),
        pytest.param("buy_in_min_cents = 500_00", "", "buy_in_min_cents", id="missing-key"),
        pytest.param('kind = "step", ', "", "games\\[0\\].rake.kind is missing", id="missing-kind"),
        pytest.param('kind = "step"', 'kind = "stairs"', "stairs", id="unknown-kind"),
        pytest.param("block_cents = 20_00", "block_cents = 50", "block", id="charge-above-its-block"),
        pytest.param(
            'kind = "step", block_cents = 20_00, charge_cents = 1_00, maximum_cents = 10_00',
            'kind = "share"',
            "share",
            id="nothing-to-take",
        ),
        pytest.param(
            "seats = 9", "seats = 9\nrake_relief = [{ participants_max = 1 }]", "participants_max", id="nobody"
        ),
        pytest.param("block_cents = 20_00", "block_cents = 20.5", "block_cents", id="no-fractions-of-a-cent"),
        pytest.param(
            "buy_in_max_cents = 400_00",
            "buy_in_max_cents = 99_00",
            "buy_in_max_cents is below",
            id="maximum-below-minimum",
        ),
        pytest.param(
            "big_blind_cents = 4_00",
            "big_blind_cents = 1_00",
            "small_blind_cents is above",
            id="big-blind-below-small",
            marks=pytest.mark.rule("H4.10"),
        ),
        pytest.param("smallest_chip_cents = 5_00", "smallest_chip_cents = 2_00", "chips", id="blind-not-in-chips"),
        pytest.param(
            '"no_limit"', '"limit"', "needs it", id="limit-without-a-big-bet", marks=pytest.mark.rule("H4.11")
        ),
        pytest.param("nlh-2-4", "nlh-2-2", "same code", id="two-games-of-one-code"),
        pytest.param(
            "clock_aloud_seconds = 10",
            "clock_aloud_seconds = 31",
            "clock_aloud_seconds is",
            id="aloud-longer-than-clock",
        ),
        pytest.param(
            "payout_alone_max_cents = 5_000_00",
            "payout_alone_max_cents = -1",
            "payout_alone_max_cents",
            id="less-than-nothing",
        ),
        pytest.param("[cage]", "[cage]\nsame_again_seconds = 601", "same_again_seconds", id="no-double-tap"),
        pytest.param("[house]", "[house", "", id="no-toml"),
    ],
)
def test_what_makes_no_book_is_refused_with_its_place(old, new, problem):
    with pytest.raises(RuleBookError, match=f"^mine.toml: .*{problem}"):
        parse(changed(old, new), source="mine.toml")


@pytest.mark.rule("H1.83", "H2.17")
@pytest.mark.parametrize(
    ("old", "new"), [(", maximum_cents = 10_00", ""), ("maximum_cents = 10_00", "maximum_cents = 0")]
)
def test_a_maximum_left_out_or_nought_is_none(old, new):
    policy = parse(changed(old, new), source="test").games[0].rake_policy

    assert policy is not None
    assert isinstance(policy.way, StepRake)
    assert policy.way.maximum_cents is None


def test_a_book_that_is_not_shipped_is_an_error():
    with pytest.raises(LookupError, match="helsinki"):
        load("../secret")


def test_the_digest_is_that_of_the_bytes():
    assert digest("ä\n") == hashlib.sha256("ä\n".encode()).hexdigest()


def test_every_setting_names_the_clause_it_settles():
    settled = setting_clauses()

    assert settled["jackpot_seats_max"] == ("H7.8", "A20")
    assert set(settled) == set(Settings.__struct_fields__)
    assert all(len(citations(" ".join(named))) for named in settled.values())


@pytest.mark.rule("R-§2-2")
def test_royal_plays_twenty_fifty_hold_em_and_omaha_with_a_thousand_at_least():
    games = load("royal").games
    stakes = {(game.small_blind_cents, game.big_blind_cents, game.buy_in_min_cents) for game in games}

    assert (20_00, 50_00, 1000_00) in stakes
    assert {"holdem", "omaha"} <= {game.variant for game in games}
    assert all(game.straddle == "to_the_button" for game in games)


def test_the_page_of_readings_names_every_setting_and_what_it_settles():
    page = (Path(__file__).resolve().parents[2] / "docs" / "readings.md").read_text(encoding="utf-8")

    for name, ids in setting_clauses().items():
        row = next(line for line in page.splitlines() if f"settings.{name}`" in line)
        assert any(re.search(rf"\b{each}\b", row) for each in ids)
