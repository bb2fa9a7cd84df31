"""What an editor of a rule book is told: each error with its line, and each change by its name."""

import pytest

from casino.cage.errors import DrawerClosed
from casino.money import NO_ROOM
from casino.rulebooks import load, parse, shipped, text_of
from casino.rulebooks.checking import Wrong, changed_lines, changes, what_is_wrong
from casino.rulebooks.reading import RuleBookError

HELSINKI = text_of("helsinki")


def line_of(text: str, start: str, *, nth: int = 1) -> int:
    found = [number for number, line in enumerate(text.splitlines(), start=1) if line.startswith(start)]
    return found[nth - 1]


def changed(*pairs: tuple[str, str]) -> str:
    text = HELSINKI
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize("name", shipped())
def test_nothing_is_wrong_with_a_shipped_book(name):
    assert what_is_wrong(text_of(name)) == ()


def test_every_unknown_key_is_named_with_its_line_and_the_nearest_valid_one():
    text = changed(("clock_seconds", "clock_second"), ("charge_cents = 1_00, max", "charge_cent = 1_00, max"))

    assert what_is_wrong(text) == (
        Wrong("unknown_key", line_of(text, "clock_second"), "timers.clock_second", nearest="clock_seconds"),
        Wrong("unknown_key", line_of(text, "rake ="), "games[0].rake.charge_cent", nearest="charge_cents"),
    )


def test_wrong_values_of_several_games_are_all_said():
    text = changed(("seats = 10", "seats = 13"), ("seats = 9", 'seats = "9"'))

    found = what_is_wrong(text)

    assert [(each.code, each.key) for each in found] == [("value", "games[0].seats"), ("value", "games[2].seats")]
    assert [each.line for each in found] == [line_of(text, "seats ="), line_of(text, "seats =", nth=3)]
    assert "12" in found[0].says


def test_a_missing_key_is_named_where_its_table_begins():
    text = changed(("buy_in_min_cents = 500_00\n", ""))

    assert what_is_wrong(text) == (
        Wrong("missing_key", line_of(text, "[[games]]", nth=3), "games[2].buy_in_min_cents"),
    )


def test_what_is_wrong_with_the_whole_book_is_said_once_its_parts_are_right():
    (wrong,) = what_is_wrong(changed(("nlh-2-4", "nlh-2-2")))

    assert (wrong.code, "same code" in wrong.says) == ("value", True)


@pytest.mark.parametrize(("old", "new"), [("[house]", "[house"), ('"EUR"', '"EUR')])
def test_what_is_no_toml_is_said_with_its_line(old, new):
    text = changed((old, new))

    (wrong,) = what_is_wrong(text)

    assert (wrong.code, wrong.line) == ("toml", line_of(text, "[house" if "house" in old else "currency"))


@pytest.mark.parametrize("value", ["[" * 5000, "1" + "0" * 5000])
def test_what_no_reader_follows_is_said_and_no_crash(value):
    (wrong,) = what_is_wrong(changed(("call_seconds = 180", f"call_seconds = {value}")))

    assert wrong.code == "toml"
    with pytest.raises(RuleBookError):
        parse(changed(("call_seconds = 180", f"call_seconds = {value}")), source="next")


def test_what_stands_over_several_lines_has_the_line_of_its_key():
    royal = text_of("royal")
    text = royal.replace("[6000_01, 130_00]", "[6000_01, -1]", 1)

    (wrong,) = what_is_wrong(text)

    assert (wrong.line, wrong.key[:13]) == (line_of(text, "rake ="), "games[0].rake")


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("other = 2_857", "oter = 2_857", "jackpots[0].categories[0].rows[3].oter"),
        ("winner = [5_000,", "winner = [500_000,", "jackpots[0].categories[1].rows[0].winner[0]"),
    ],
)
def test_a_list_within_a_list_has_the_line_where_it_stands(old, new, key):
    text = changed((old, new))

    (wrong,) = what_is_wrong(text)

    assert (wrong.key, wrong.line) == (key, line_of(text, new))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("players_max = 10 ", "players_max = 5 ", "participants_min is above players_max"),
        ("loser = 40_000, winner", "loser = 70_000, winner", "more than the whole sum"),
        ("others = 20_000 }", "others = 20_000, other = 1 }", "others is what they share"),
        ('variants = ["soko"], made = "full_house"', 'variants = ["holdem"], made = "full_house"', "has two of them"),
        ("players = [7]", "players = [6]", "has two rows"),
        # What tables print is paid, so it is held to the sum as the law is, for each number of losers and winners.
        ("loser = [40_000, 21_250,", "loser = [80_000, 21_250,", "10 players, 1 of them losers and 1 winners"),
        ("loser = [40_000, 21_250,", "loser = [40_000, 31_251,", "10 players, 2 of them losers and 1 winners"),
        ("winner = [5_000, 3_000,", "winner = [5_000, 41_501,", "10 players, 1 of them losers and 2 winners"),
    ],
)
def test_a_jackpot_that_cannot_be_is_wrong(old, new, says):
    (wrong,) = what_is_wrong(changed((old, new)))

    assert wrong.code == "value"
    assert says in wrong.says


@pytest.mark.rule("L-P1", "L-P5", "L-P93", "L-P48")
@pytest.mark.parametrize(
    ("hall", "expected"),
    [
        (("opening_stake_max_cents = 20_000_00", "opening_stake_max_cents = 2_00"), ["straddle", "big_blind_cents"]),
        (("seats_max = 12", "seats_max = 9"), ["seats", "seats"]),
    ],
)
def test_a_game_above_the_venue_is_wrong(hall, expected):
    found = what_is_wrong(changed(hall))

    assert [each.key.rpartition(".")[2] for each in found[:2]] == expected
    assert {each.code for each in found} == {"venue"}


@pytest.mark.rule("L-P93")
def test_a_hall_may_offer_blinds_of_two_euros_without_a_straddle():
    text = changed(
        ('kind = "casino"', 'kind = "hall"'),
        ("opening_stake_max_cents = 20_000_00", "opening_stake_max_cents = 2_00"),
        ('straddle = "live"', 'straddle = "off"'),
    )

    assert "games[0]" not in {each.key.partition(".")[0] for each in what_is_wrong(text)}


@pytest.mark.rule("L-P93")
def test_straddles_are_opening_stakes():
    royal = load("royal").game("nlh-20-50")

    # Nine seats: seven between the big blind and the button, the button with them.
    assert royal.opening_stake_max_cents == 50_00 * 2**7
    assert load("helsinki").game("nlh-2-2").opening_stake_max_cents == 4_00
    assert load("unibet").game("nlh-nl200").opening_stake_max_cents == 2_00


@pytest.mark.rule("L-P17", "H1.91")
def test_a_game_charges_in_one_way():
    timed = 'time_charge = { per = "player", charge_cents = 6_00, period_minutes = 30 }\n'

    (both,) = what_is_wrong(HELSINKI + timed)
    book = parse(HELSINKI[: HELSINKI.rindex("rake =")] + timed, source="test")

    assert (both.code, "one way of charging" in both.says) == ("value", True)
    # Taken in chips of 5 €, rounded down (A19, L-PQ6).
    policy = book.games[2].time_policy
    assert policy is not None
    assert (policy.due_cents, book.games[2].rake_policy) == (5_00, None)


def test_a_change_is_named_by_the_game_and_not_by_its_place():
    moved = HELSINKI.replace('code = "nlh-2-4"', 'code = "nlh-2-4"  # as before')
    after = moved.replace("maximum_cents = 12_00", "maximum_cents = 14_00").replace(
        "call_seconds = 180", "call_seconds = 240"
    )

    assert [(change.path, change.before, change.after) for change in changes(HELSINKI, after)] == [
        (("timers", "call_seconds"), 180, 240),
        (("games", "nlh-2-4", "rake", "maximum_cents"), 12_00, 14_00),
    ]
    assert "+call_seconds = 240         # H2.6: three minutes to take a seat" in changed_lines(HELSINKI, after)


def test_a_new_game_and_one_that_is_gone_are_changes():
    gone = HELSINKI[: HELSINKI.rindex("[[games]]")]

    assert changes(HELSINKI, gone)[0].path == ("games", "nlh-5-5")
    assert changes(gone, HELSINKI)[0].after is True


@pytest.mark.rule("L-P1")
@pytest.mark.parametrize("switch", ["has_cash_poker = false", "has_jackpot = false", 'charges = ["share", "time"]'])
def test_what_a_venue_does_not_have_no_game_of_its_book_has(switch):
    """L-PQ1."""
    text = changed(('kind = "casino"', f'kind = "casino"\n{switch}'))

    (found,) = what_is_wrong(text)

    assert (found.code, switch.partition(" ")[0] in found.says) == ("value", True)


@pytest.mark.parametrize(
    ("own", "is_fit"),
    [
        ("At least %(minimum)s, and 50 %% of it in hand.", True),
        ("No.", True),
        ("Bara %(minimun)s.", False),
        ("Minst %d", False),
        ("100% ok", False),
        ("Minst 50 % av det.", False),
        ("Minst %(minimum)d.", False),
    ],
)
def test_a_house_s_sentence_fills_in_what_ours_does_and_nothing_else(own, is_fit):
    text = f"{HELSINKI}\n[sentences.en]\nbuy_in_first = '{own}'\n"

    found = what_is_wrong(text)

    wrong = Wrong(
        "sentence", line_of(text, "buy_in_first", nth=2), "sentences.en.buy_in_first", says="%(asked)s, %(minimum)s"
    )
    assert found == (() if is_fit else (wrong,))
    # What a room has kept is read all the same: it says ours in its place.
    assert parse(text, source="kept").sentences["en"] == {"buy_in_first": own}


def test_a_reason_that_nothing_is_refused_by_is_named_with_the_nearest_one():
    text = changed(("buy_in_first", "buy_in_frist")) + '\n[sentences.sv]\nplays_over = "Nej."\n'

    first, second = what_is_wrong(text)

    assert first == Wrong("unknown_key", line_of(text, "buy_in_frist"), "clauses.buy_in_frist", nearest="buy_in_first")
    # A clause leads it on the floor's sheet, but nobody is refused by it: its sentence would never be said.
    assert (second.code, second.key) == ("unknown_key", "sentences.sv.plays_over")


def test_a_house_has_a_sentence_of_its_own_for_banks():
    """A runner's bank is never called a drawer, whatever the house says of drawers."""
    of_drawers = f'{HELSINKI}\n[sentences.en]\ndrawer_closed = "Drawer %(number)s sleeps."\n'
    of_both = f'{of_drawers}bank_closed = "Bank %(number)s sleeps."\n'
    assert (what_is_wrong(of_drawers), what_is_wrong(of_both)) == ((), ())
    refusals = [DrawerClosed(number=1), DrawerClosed(number=11, is_bank=True)]

    first, second = (
        [each.text(NO_ROOM, book=parse(text, source="kept")) for each in refusals] for text in (of_drawers, of_both)
    )

    assert first == ["Drawer 1 sleeps.", "Bank 11 is closed. Open it with its float first."]
    assert second == ["Drawer 1 sleeps.", "Bank 11 sleeps."]
