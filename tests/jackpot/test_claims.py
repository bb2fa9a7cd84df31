"""Whether a hand wins a jackpot: each criterion of each variant at its line and just below it, and the examples."""

from dataclasses import replace

import msgspec
import pytest

from casino.poker.cards import SameCard, cards_of
from casino.poker.ranking import WrongCards
from casino.poker.variants import Variant
from casino.rulebooks import load
from casino.rulebooks.jackpots import Jackpot, OwnCards, PaysBy
from jackpot.rules.claims import Judged, PlayedHand, Reason, Role, ShownHand, TooManyHands, Verdict, judge

JACKPOT = load("helsinki").jackpots[0]


def claim(variant: Variant | str, board: str, *hands: str, dealt_in: int = 8, **more) -> PlayedHand:
    shown = tuple(ShownHand(cards_of(each)) for each in hands)
    return PlayedHand(Variant(variant), cards_of(board), shown, dealt_in, **more)


def roles(judged: Judged) -> list[Role]:
    return [role for _hand, role in judged.hands]


def unmet(judged: Judged) -> set[Reason]:
    return {point.reason for point in judged.points if not point.is_met}


def clauses_met(judged: Judged) -> set[str]:
    return {point.clause for point in judged.points if point.is_met and point.clause}


@pytest.mark.rule(
    "H7.2", "H7.7", "H7.9", "H7.20", "H7.21", "H7.22", "H7.23", "H7.24", "H7.25", "H7.26", "H7.27", "H7.28", "H7.29",
    "H7.30", "L-P30", "L-P31",
)  # fmt: skip
@pytest.mark.parametrize(
    ("variant", "board", "loser", "winner", "category", "clause"),
    [
        ("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc Qd", 1, "H7.22"),
        ("holdem", "Ah Qd 4s Qh Qs", "As Ad", "Qc 9d", 2, "H7.27"),
        ("holdem", "Ah Jd 4s Jh Js", "As Ad", "Jc 9d", 2, "H7.27"),
        ("holdem", "Ah Td 4s Th Ts", "As Ad", "Tc 9d", 0, ""),
        ("omaha", "Jh Jd Qh Qd 2c", "Js Jc 3s 4s", "Qs Qc 3h 4h", 1, "H7.21"),
        ("omaha", "Th Td Qh Qd 2c", "Ts Tc 3s 4s", "Qs Qc 3h 4h", 2, "H7.26"),
        ("omaha", "2h 2d Qh Qd 3c", "2s 2c 5s 6s", "Qs Qc 5h 6h", 2, "H7.26"),
        ("omaha", "Ah Kd Kh 5c 4s", "As Ad 7s 8s", "Ks Kc 7h 8h", 0, ""),
        ("omaha_5", "Ah Ad 9s 8s 7s", "As Ac 2c 3c 4c", "Ts Js 2d 3d 4d", 1, "H7.20"),
        ("omaha_5", "Kh Kd 9s 8s 7s", "Ks Kc 2c 3c 4c", "Ts Js 2d 3d 4d", 2, "H7.25"),
        ("omaha_5", "9h 9d Qh Qd 2c", "9s 9c 3c 4c 5c", "Qs Qc 3d 4d 5d", 2, "H7.25"),
        ("omaha_5", "8h 8d Qh Qd 2c", "8s 8c 3c 4c 5c", "Qs Qc 3d 4d 5d", 0, ""),
        ("stud", "", "4s 4h 4d 4c 2s 7d Jc", "8s 8h 8d 8c 3s 6d Qc", 1, "H7.23"),
        ("stud", "", "3s 3h 3d 3c 2s 7d Jc", "8s 8h 8d 8c 4s 6d Qc", 2, "H7.28"),
        ("stud", "", "As Ah Ad 2s 2h 7d 9c", "8s 8h 8d 8c 3s 6d Qc", 2, "H7.28"),
        ("stud", "", "Ks Kh Kd As Ah 7d 9c", "8s 8h 8d 8c 3s 6d Qc", 0, ""),
        ("soko", "", "4s 4h 4d 2s 2h", "5s 5h 5d 3s 3h", 1, "H7.24"),
        ("soko", "", "3s 3h 3d As Ah", "5s 5h 5d 2s 2h", 2, "H7.29"),
        ("soko", "", "Kh 5h 4h 3h 2h", "2s 2d 2c 3s 3d", 2, "H7.29"),
        ("soko", "", "Qh Jh Th 9h 7h", "2s 2d 2c 3s 3d", 0, ""),
        ("soko", "", "Ah Kh Qh Jh 9s", "2s 2d 2c 3s 3d", 0, ""),
    ],
)
def test_a_hand_at_the_line_loses_enough_and_one_below_it_does_not(variant, board, loser, winner, category, clause):
    alike = {"omaha": ["omaha_hi_lo"], "omaha_5": ["courchevel"], "stud": ["stud_hi_lo"]}

    for each in [variant, *alike.get(variant, [])]:
        judged = judge(claim(each, board, loser, winner), JACKPOT)

        assert judged.category == category, each
        assert judged.verdict is (Verdict.QUALIFIES if category else Verdict.FAILS)
        assert clauses_met(judged) == ({clause} if clause else set())
        assert roles(judged) == ([Role.LOSER, Role.WINNER] if category else [Role.OTHER, Role.WINNER])
        assert (Reason.HI_LO in {point.reason for point in judged.points}) is (
            bool(category) and each.endswith("hi_lo")
        )


@pytest.mark.rule("H7.12", "L-P37")
def test_of_several_qualifying_hands_the_two_best_count():
    """E-H7.12a."""
    straight_flush, aces, jacks = "Kh Qh 2c 3c", "As Ac 2d 3d", "Js Jc 4d 5d"

    judged = judge(claim("omaha", "Ah Ad Jh Jd Th", jacks, straight_flush, aces, dealt_in=9), JACKPOT)

    assert judged.category == 1
    assert roles(judged) == [Role.OTHER, Role.WINNER, Role.LOSER]
    assert Reason.TWO_BEST in {point.reason for point in judged.points}


@pytest.mark.rule("H7.2", "H7.6", "H7.13")
def test_equal_hands_split_the_pot_and_nobody_is_beaten():
    """E-H7.13a."""
    judged = judge(claim("holdem", "As Ah Kd 7c 2s", "Ac Kc", "Ad Kh"), JACKPOT)

    assert judged.verdict is Verdict.FAILS
    assert unmet(judged) == {Reason.BEATEN}
    assert roles(judged) == [Role.WINNER, Role.WINNER]


@pytest.mark.rule("H7.13", "H7.22", "L-P38")
def test_players_who_share_the_losing_hand_are_losers_together():
    """E-H7.13b."""
    judged = judge(claim("holdem", "As Ah Kd 7c 7d", "Ac Kc", "Ad Kh", "7h 7s"), JACKPOT)

    assert (judged.verdict, judged.category) == (Verdict.QUALIFIES, 1)
    assert [judged.number_of(role) for role in (Role.LOSER, Role.WINNER)] == [2, 1]
    assert Reason.TIED in {point.reason for point in judged.points}


@pytest.mark.rule("H7.11", "H7.22", "H7.27")
@pytest.mark.parametrize(
    ("board", "loser", "winner", "category", "own_cards"),
    [
        pytest.param("Ah Kd Kh 5c Ks", "As Ad", "Kc 2d", 1, True, id="E-H7.22a"),
        pytest.param("Ah Ad As Kc Kd", "Qh 7c", "Ac 2s", 0, False, id="E-H7.22b"),
        pytest.param("Ah Qd 4s Qh Qs", "Ac Ad", "Qc 9d", 2, True, id="E-H7.27a"),
        # One own card plays, the other is no better than the board's.
        pytest.param("Ah Ad Kc Kd Ks", "As 2c", "Kh 3c", 0, False, id="one-own-card"),
    ],
)
def test_the_losing_player_plays_both_own_cards(board, loser, winner, category, own_cards):
    judged = judge(claim("holdem", board, loser, winner), JACKPOT)

    assert judged.category == category
    assert (Reason.OWN_CARDS not in unmet(judged)) is own_cards


@pytest.mark.rule("H7.22")
def test_whether_equal_cards_of_the_board_stand_in_for_an_own_one_is_the_books():
    """A-H7.4: with three kings to choose two from, the own one may play and need not."""
    found = claim("holdem", "As Ah Ks Kd Qs", "Ad Kh", "Js Ts")
    strict = msgspec.structs.replace(JACKPOT, own_cards=OwnCards.MUST_PLAY)

    assert judge(found, JACKPOT).category == 1
    assert unmet(judge(found, strict)) == {Reason.OWN_CARDS}
    # Both aces of the hand are needed.
    assert judge(claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc 2d"), strict).category == 1


@pytest.mark.rule("H7.22")
def test_of_two_equal_losing_hands_only_the_one_of_both_own_cards_is_the_loser():
    judged = judge(claim("holdem", "As Ah Ks Kd Qs", "Ac 2c", "Ad Kh", "Js Ts"), JACKPOT)

    assert (judged.verdict, judged.category) == (Verdict.QUALIFIES, 1)
    assert roles(judged) == [Role.OTHER, Role.LOSER, Role.WINNER]


@pytest.mark.rule("H7.23")
@pytest.mark.parametrize(("loser", "category"), [("3", 2), ("4", 1)], ids=["E-H7.23a-threes", "E-H7.23a-fours"])
def test_of_stud_between_aces_full_and_four_fours_it_is_the_second_category(loser, category):
    losing = " ".join(f"{loser}{suit}" for suit in "shdc") + " 2s 7d Jc"

    judged = judge(claim("stud", "", losing, "8s 8h 8d 8c 5s 6d Qc"), JACKPOT)

    assert judged.category == category


@pytest.mark.rule("H7.29")
@pytest.mark.parametrize(
    ("loser", "category"),
    [("Kh 9h 7h 4h 2h", 2), ("Qh 9h 7h 4h 2h", 0), ("Kh 9h 7h 4h 2s", 0)],
    ids=["E-H7.29a-king", "E-H7.29a-queen", "E-H7.29a-four-card"],
)
def test_of_soko_a_king_high_flush_is_the_least(loser, category):
    assert judge(claim("soko", "", loser, "2d 2c 3c 3s 3d"), JACKPOT).category == category


@pytest.mark.rule("H7.3", "H7.4", "H7.8", "H1.89", "L-P32", "L-P34")
@pytest.mark.parametrize(
    ("dealt_in", "away", "reason"),
    [
        (6, 0, None),
        (5, 0, Reason.PLAYERS_MIN),
        (7, 1, None),
        (6, 1, Reason.PLAYERS_MIN),
        (10, 0, None),
        (11, 0, Reason.PLAYERS_MAX),
        (11, 1, None),
    ],
)
def test_who_got_cards_at_their_seat_took_part(dealt_in, away, reason):
    found = claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc Qd", dealt_in=dealt_in, away=away)

    judged = judge(found, JACKPOT)

    assert unmet(judged) == ({reason} if reason else set())
    assert judged.verdict is (Verdict.FAILS if reason else Verdict.QUALIFIES)


@pytest.mark.rule("H7.1", "L-P29")
def test_no_tournament_wins_it():
    found = claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc Qd", is_tournament=True)

    assert unmet(judge(found, JACKPOT)) == {Reason.CASH_GAME}
    assert judge(found, JACKPOT).verdict is Verdict.FAILS


@pytest.mark.rule("H7.9")
@pytest.mark.parametrize("variant", [Variant.PINEAPPLE, Variant.CRAZY_PINEAPPLE, Variant.AVIATION])
def test_a_variant_without_criteria_wins_nothing(variant):
    """A-H7.1."""
    judged = judge(claim(variant, "Ah Kd Kh 5c Ks", "As Ad", "Kc Qd"), JACKPOT)

    assert unmet(judged) == {Reason.VARIANT}
    assert judged.verdict is Verdict.FAILS


@pytest.mark.rule("H7.5", "H7.6", "H7.14")
def test_a_hand_that_was_thrown_in_counts_where_the_book_says_so():
    """A-H7.5."""
    found = claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc Qd", "2c 3c")
    thrown_in = replace(found, hands=(replace(found.hands[0], is_shown=False), *found.hands[1:]))
    lenient = msgspec.structs.replace(JACKPOT, hands_must_be_shown=False)

    assert judge(found, JACKPOT).category == 1
    assert judge(thrown_in, JACKPOT).verdict is Verdict.FAILS
    assert judge(thrown_in, lenient).category == 1
    alone = replace(thrown_in, hands=thrown_in.hands[:2])
    assert unmet(judge(alone, JACKPOT)) == {Reason.TWO_HANDS}


@pytest.mark.rule("L-P45")
def test_after_talk_of_the_cards_the_house_decides():
    judged = judge(claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc Qd", was_talked_about=True), JACKPOT)

    assert (judged.verdict, judged.category) == (Verdict.DECIDE, 1)
    assert unmet(judged) == {Reason.NO_TALK}


@pytest.mark.rule("H7.13")
def test_what_no_table_prints_is_for_the_house_to_decide():
    """A-H7.11: the tables end at four who share a hand; here they are made to end at one."""
    categories = tuple(
        msgspec.structs.replace(
            each, rows=tuple(msgspec.structs.replace(row, loser=row.loser[:1]) for row in each.rows)
        )
        for each in JACKPOT.categories
    )
    short = msgspec.structs.replace(JACKPOT, categories=categories)
    two = claim("holdem", "As Ah Kd 7c 7d", "Ac Kc", "Ad Kh", "7h 7s")

    assert judge(two, JACKPOT).verdict is Verdict.QUALIFIES
    assert judge(two, short).verdict is Verdict.DECIDE
    # However the shares are paid, more than the tables know is the house's to decide.
    assert judge(two, msgspec.structs.replace(short, pays_by=PaysBy.FORMULA)).verdict is Verdict.DECIDE


@pytest.mark.rule("H7.7")
def test_who_pays_by_the_formula_needs_no_tables():
    """A-H7.10, A-H7.11."""
    without = tuple(msgspec.structs.replace(each, rows=()) for each in JACKPOT.categories)
    found = claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc Qd")

    for pays_by, verdict in ((PaysBy.FORMULA, Verdict.QUALIFIES), (PaysBy.PRINTED, Verdict.DECIDE)):
        jackpot = msgspec.structs.replace(JACKPOT, categories=without, pays_by=pays_by)
        assert judge(found, jackpot).verdict is verdict


@pytest.mark.rule("H7.22")
def test_whether_the_winner_plays_both_own_cards_too_is_the_books():
    """A-H7.3."""
    found = claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc 2d")

    assert judge(found, JACKPOT).verdict is Verdict.QUALIFIES
    judged = judge(found, _winner_plays(JACKPOT, 2))
    assert judged.verdict is Verdict.FAILS
    assert Reason.WINNER_OWN_CARDS in unmet(judged)
    # A kicker that plays counts as used (A-H7.4).
    with_kicker = claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc Ac")
    assert judge(with_kicker, _winner_plays(JACKPOT, 2)).verdict is Verdict.QUALIFIES


def _winner_plays(jackpot: Jackpot, number: int) -> Jackpot:
    def stricter(criterion):
        return msgspec.structs.replace(criterion, winner_own_cards_min=number)

    categories = tuple(
        msgspec.structs.replace(each, criteria=tuple(map(stricter, each.criteria))) for each in jackpot.categories
    )
    return msgspec.structs.replace(jackpot, categories=categories)


@pytest.mark.parametrize(
    ("found", "error"),
    [
        (claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "As Qd"), SameCard),
        (claim("holdem", "Ah Kd Kh 5c Ks", "As Ah", "Kc Qd"), SameCard),
        (claim("holdem", "Ah Kd Kh 5c", "As Ad", "Kc Qd"), WrongCards),
        (claim("holdem", "Ah Kd Kh 5c Ks", "As", "Kc Qd"), WrongCards),
        (claim("holdem", "Ah Kd Kh 5c Ks", "As Ad", "Kc Qd", dealt_in=1), TooManyHands),
    ],
)
def test_what_cannot_have_been_is_no_claim(found, error):
    with pytest.raises(error):
        judge(found, JACKPOT)
