"""Trying whether a hand would win: the page and the call say the same, and nothing is written."""

from urllib.parse import urlencode

import pytest
from django.test import Client

from casino import clock
from casino.audit.models import Event
from casino.rooms.models import RuleBookVersion
from casino.rulebooks import text_of
from tests.cast import TONIGHT, Cast, make_cast
from tests.support.owner import as_owner
from tests.support.two_houses import SECOND_BOOK
from tests.taps import at_desktop

BAD_BEAT = {"variant": "holdem", "board": "Ah Kd Kh 5c Ks", "dealt_in": "8"}


@pytest.fixture
def cast(db: None):
    with clock.frozen(TONIGHT):
        yield make_cast()


@pytest.fixture
def floor(cast: Cast) -> Client:
    return at_desktop(cast.mari)


def page(client: Client, *hands: str, **form: str) -> str:
    query = urlencode([*(BAD_BEAT | form).items(), *(("hand", hand) for hand in hands)])
    answer = client.get(f"/jackpot/?{query}", headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode()


def call(client: Client, hands: str, **query: str):
    return client.get("/api/v1/jackpot/check", {**BAD_BEAT, "hands": hands, **query})


@pytest.mark.rule("H7.22", "H7.31", "H7.33")
def test_page_and_call_say_whether_it_qualifies_and_what_each_is_paid(floor: Client):
    events = Event.objects.count()

    html = page(floor, "A♠ A♦", "Kc Qd", sum="30 000")
    answer = call(floor, "AsAd,KcQd", sum_cents="3000000").json()

    assert (answer["verdict"], answer["category"]) == ("qualifies", 1)
    assert [(hand["paid_as"], hand["name"]) for hand in answer["hands"]] == [
        ("loser", "Full house, aces and kings"),
        ("winner", "Four of a kind, kings"),
    ]
    assert answer["hands"][0]["own"] == ["As", "Ad"]
    # E-H7.31a
    paid = answer["payout"]
    assert (paid["each_loser_cents"], paid["each_winner_cents"], paid["each_other_cents"]) == (
        12_000_00,
        6_000_00,
        999_00,
    )
    assert (paid["others"], paid["paid_cents"], paid["stays_cents"]) == (6, 23_994_00, 6_006_00)
    assert (paid["law_cents"], paid["base_cents"], paid["house_cents"]) == (24_000_00, 6_006_00, 0)
    lost = next(point for point in answer["points"] if point["reason"] == "jackpot_strong")
    assert (lost["clause"], lost["is_met"]) == ("H7.22", True)
    for figure in ("12 000 €", "6 000 €", "999 €", "23 994 €", "6 006 €", "H7.22", "H7.31", "It qualifies"):
        assert figure.replace(" ", "\xa0") in html or figure in html, figure
    assert "nothing is paid" in html
    assert Event.objects.count() == events


def test_where_no_coin_is_smaller_than_a_crown_shares_are_whole_crowns(db: None):
    paid = call(at_desktop(make_cast(book=SECOND_BOOK).mari), "AsAd,KcQd", sum_cents="1234567").json()["payout"]

    each = [paid[f"each_{who}_cents"] for who in ("loser", "winner", "other")]
    assert (all(each), [cents for cents in each if cents % 1_00]) == (True, [])


@pytest.mark.rule("H7.3", "H7.27", "L-P45")
@pytest.mark.parametrize(
    ("hands", "query", "verdict", "unmet"),
    [
        ("AsAd,KcQd", {"dealt_in": "5"}, "fails", {"jackpot_players_min": "H7.3"}),
        ("AsAd,KcQd", {"told": "true"}, "decide", {"jackpot_no_talk": "L-P45"}),
        ("AsAd,KcQd", {"is_tournament": "true"}, "fails", {"jackpot_cash_game": "H7.1"}),
        ("AsAd,KcQd", {"thrown_in": "1"}, "fails", {"jackpot_two_hands": "H7.6"}),
        ("AsAd,KcQd", {"variant": "pineapple"}, "fails", {"jackpot_variant": "H7.9"}),
        ("7s7d,KcQd", {}, "fails", {"jackpot_strong": "H7.22"}),
    ],
)
def test_why_not_is_said_with_the_clause(floor: Client, hands, query, verdict, unmet):
    answer = call(floor, hands, **query).json()

    assert answer["verdict"] == verdict
    found = {point["reason"]: point["clause"] for point in reversed(answer["points"]) if not point["is_met"]}
    assert found == unmet
    assert all(point["sentence"] for point in answer["points"])
    assert (answer["payout"] is None) is (verdict == "fails")


@pytest.mark.parametrize(
    ("query", "code", "names"),
    [
        ({"hands": "AsAd,KcQz"}, "not_a_card", "“Qz”"),
        ({"hands": "AsAd,AsQd"}, "card_twice", "As"),
        ({"hands": "AsAd,Kc"}, "hand_not_dealt", "hand 2: 1"),
        ({"board": "Ah"}, "board_not_dealt", "board: 1"),
        ({"dealt_in": "2", "away": "1"}, "more_hands_than_players", "took part: 1"),
        ({"dealt_in": ""}, "malformed", "“Dealt in”"),
        ({"dealt_in": "thirteen"}, "malformed", "“Dealt in”"),
        ({"away": "-1"}, "malformed", "“Of them away”"),
        ({"dealt_in": "6", "away": "7"}, "malformed", "“Of them away”"),
        ({"variant": "whist"}, "malformed", "“Game”"),
        ({"sum_cents": "a lot"}, "malformed", "“Of a sum of”"),
        ({"jackpot": "other"}, "no_jackpot", "no such jackpot"),
    ],
)
def test_what_cannot_be_judged_is_refused_by_name_and_said_on_the_page(floor: Client, query, code, names):
    arguments = {"hands": "AsAd,KcQd", **query}

    answer = call(floor, **arguments)
    form = {"sum" if name == "sum_cents" else name: text for name, text in query.items() if name != "hands"}
    html = page(floor, *arguments["hands"].split(","), **form)

    assert answer.status_code == (404 if code == "no_jackpot" else 400)
    assert answer.json()["code"] == code
    assert "Not yet" in html
    assert names in answer.json()["detail"]
    assert answer.json()["detail"] in html


@pytest.mark.parametrize(
    ("query", "form", "on_the_page"),
    [
        # The page's boxes stand beside its hands, and its sums are typed as the room writes them.
        ({"thrown_in": "3"}, {"thrown_in": "3"}, "It qualifies"),
        ({"sum_cents": "12,50"}, {"sum": "12,50"}, "12,50\xa0€"),
        ({"told": "perhaps"}, {"told": "on"}, "The house decides"),
    ],
)
def test_what_only_a_call_can_say_wrongly_is_refused_there(floor: Client, query, form, on_the_page):
    answer = call(floor, "AsAd,KcQd", **query)

    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert on_the_page in page(floor, "AsAd", "KcQd", **form)


def test_the_page_survives_a_reload_with_all_that_was_entered(floor: Client):
    query = urlencode([*BAD_BEAT.items(), ("hand", "A♠ A♦"), ("hand", ""), ("hand", "Kc Qd"), ("thrown_in", "3")])

    whole = floor.get(f"/jackpot/?{query}").content.decode()

    assert 'value="A♠ A♦"' in whole
    assert "<option selected>8</option>" in whole
    assert 'name="thrown_in" value="3" checked' in whole
    # Of the hands that were entered the second is the one that was thrown in, whichever row it stands in.
    assert "It does not qualify" in whole
    assert whole.count('class="card-key"') == 52


def test_a_book_without_a_jackpot_says_so(floor: Client, cast: Cast):
    # As Helsinki's was kept by a room from before it had one.
    text = text_of("helsinki")
    kept = text[: text.index("[[jackpots]]")] + text[text.index("[[games]]") :]
    with as_owner():
        RuleBookVersion.objects.create(
            room=cast.room, book="helsinki", number=99, text=kept, digest="0" * 64, holds_from=TONIGHT
        )

    assert "No jackpot" in floor.get("/jackpot/").content.decode()
    assert "No jackpot" in floor.get("/jackpot/rules/").content.decode()
    assert call(floor, "AsAd,KcQd").json()["code"] == "no_jackpot"


def test_the_page_opens_empty_and_asks_for_little(floor: Client, django_assert_max_num_queries):
    floor.get("/jackpot/")

    with django_assert_max_num_queries(6):
        page = floor.get("/jackpot/").content.decode()

    assert "Enter the board" in page


def test_what_another_category_asks_is_no_reproach(floor: Client):
    second = page(floor, "As Ad", "Qc 9d", board="Ah Qd 4s Qh Qs")
    fails = page(floor, "As Ad", "Qc 9d", board="Ah Qd 4s Qh Qs", dealt_in="5")

    assert 'class="beside"' in second
    assert 'class="unmet"' not in second
    assert "It qualifies · category 2" in second
    assert "Category 1: full house, aces and kings or better has to lose." in second
    assert 'class="unmet"' in fails
    assert "It does not qualify</h2>" in fails


@pytest.mark.rule("L-P31", "L-P32")
def test_the_rules_are_announced_to_everybody_as_the_book_has_them(cast: Cast):
    page = Client().get("/jackpot/rules/").content.decode()

    for clause in (f"H7.{number}" for number in (*range(20, 30), 31, 32)):
        assert f">{clause}<" in page, clause
    for shown in ("6–10", "1 000 €", "Full house, aces and kings", "Flush, king high", "11,439", "3,33<", "16,667"):
        assert shown in page.replace("\xa0", " "), shown


@pytest.mark.rule("L-P31")
def test_who_pays_by_the_formula_announces_it(cast: Cast):
    by_formula = text_of("helsinki").replace('pays_by = "printed"', 'pays_by = "formula"')
    with as_owner():
        RuleBookVersion.objects.create(
            room=cast.room, book="helsinki", number=99, text=by_formula, digest="1" * 64, holds_from=TONIGHT
        )

    page = Client().get("/jackpot/rules/").content.decode()

    assert "11,429" in page
    assert "11,439" not in page
    assert "3,333<" in page
