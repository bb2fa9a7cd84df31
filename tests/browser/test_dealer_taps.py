"""How many taps each kind of hand costs its dealer, and that each of them happens once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from casino.ledger.models import Posting
from casino.people.models import Device
from casino.poker.rake_ways import StepRake
from tables.models import Hand, ToDo
from tests.browser.dealer_tablet import Tablet, at_table, hands, tablet_of
from tests.conftest import Database
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house

# Two hands to seat 2 within no time, and a finger that comes to seat 3.
TWO_HANDS_AT_ONCE = """
  const seat = (number) => `#live [data-seat="${number}"] button`;
  const does = (what) => `[data-do="${what}"]`, key = (digit) => `[data-key="${digit}"]`;
  [seat(2), does("deal"), does("flop"), does("pot"), key(8), key(6), seat(2), seat(3)].forEach(
    (each) => document.querySelector(each).click())"""
SEVEN = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 5, "Pekka": 6, "Jo": 7, "Sara": 8}
# Taps besides the digits. A number may fall; one that grows fails.
TAPS = {
    "no flop": 2,
    "flop": 4,
    "whole hand on an idle table": 2,
    "split": 7,
    "side pot": 6,
    "newcomer posts": 6,
    "heads-up": 4,
    "maximum": 5,
    "undo": 2,
}


@pytest.fixture
def house(committing_db: Database) -> House:
    return make_house()


@pytest.fixture
def seven(house: House, brush_server: BrushServer, chromium: Chromium) -> Tablet:
    """Seven players, two hands behind them: the button is at Kai in seat 2."""
    tablet_of(house, house.cast.anna)
    house.open(**SEVEN)
    house.settle(winners=(1,))
    house.settle(winners=(1,))
    return at_table(chromium, brush_server, house)


@pytest.fixture
def counted(capsys: pytest.CaptureFixture[str]) -> Callable[[str, Tablet], None]:
    def count(kind: str, tablet: Tablet) -> None:
        with capsys.disabled():
            print(  # noqa: T201  # the counts are there to be read
                f"\n  taps · {kind}: {tablet.taps} (and {tablet.digits} digits)", end=""
            )
        assert tablet.taps <= TAPS[kind], f"{kind} grew to {tablet.taps} taps"

    return count


def euros(whole: int) -> str:
    return f"{whole}\N{NO-BREAK SPACE}€"


def newest(house: House) -> Hand:
    return hands(house)[-1]


@pytest.mark.slow
def test_a_hand_without_a_flop_takes_two_taps(seven: Tablet, counted: Callable[[str, Tablet], None]) -> None:
    seven.tap("deal")
    seven.seat(5)

    counted("no flop", seven)
    expect(seven.middle).to_contain_text("to seat 5")
    seven.wait_until_sent()
    hand = newest(seven.house)
    assert (hand.status, hand.pot_cents, hand.taken("rake"), hand.taken("drop")) == ("settled", None, 0, 0)
    assert [pot.winner_seats for pot in hand.pots.all()] == [[5]]


REFUSED = """async () => {
  const { Taps } = await import("/static/brush/dealer/taps.js");
  const taps = new Taps({ api: "/api/v1/tables/1", signIn: "", proof: "" });
  const said = [];
  taps.addEventListener("refused", ({ detail }) => said.push(detail.problem.code));
  taps.list = [{ id: "first", command: "hold" }, { id: "second", command: "flop" }];
  taps.refused({ id: "first", item: {}, status: 409, html: '{"code": "stale"}' });
  return [said, taps.list.map((tap) => tap.id)];
}"""


def test_a_hand_with_a_flop_takes_four_taps_and_one_whose_answer_is_lost_happens_once(
    seven: Tablet, counted: Callable[[str, Tablet], None]
) -> None:
    assert seven.bright() == ["deal"]
    seven.tap("deal")
    assert seven.bright() == ["flop"]
    seven.tap("flop")
    assert seven.bright() == ["pot"]
    seven.tap("pot")
    seven.type("86")
    assert seven.bright() == []
    expect(seven.middle).to_contain_text("take 4 € rake · 1 € jackpot")
    seven.seat(2)

    counted("flop", seven)
    assert seven.bright() == ["deal"]
    expect(seven.middle).to_contain_text("81 €")
    seven.wait_until_sent()
    hand = newest(seven.house)
    assert (hand.pot_cents, hand.taken("rake"), hand.taken("drop")) == (86_00, 4_00, 1_00)
    assert seven.house.figures()["rake_box"] == 4_00
    assert hand.dealt_at is not None
    assert hand.beyond_initial_deal_at is not None
    assert not ToDo.objects.exists()

    # The answer of the next one is lost twice: it is asked for again, by the same id.
    lost: list[str] = []

    def lose(route: Route) -> None:
        if len(lost) < 2:
            lost.append(route.request.headers["idempotency-key"])
            route.fetch()
            route.abort()
        else:
            route.continue_()

    seven.page.route("**/hands/settle", lose)
    seven.tap("deal")
    seven.tap("flop")
    seven.tap("pot")
    seven.type("86")
    # Whoever has shown a flop and typed a pot since means the seat; a finger that rests at the seats does not.
    seven.page.evaluate(f"() => {{{TWO_HANDS_AT_ONCE}}}")
    expect(seven.page.locator("#sheet")).to_be_hidden()
    seven.wait(lambda: seven.bright() == ["deal"])
    seven.wait_until_sent()
    assert len(lost) == 2
    assert lost[0] == lost[1]
    three = hands(seven.house)[2:]
    assert [(hand.status, hand.pots.get().winner_seats) for hand in three] == [("settled", [2])] * 3
    assert seven.house.figures()["rake_box"] == 3 * 4_00

    # Another window goes on: what was to be pushed is not of this hand.
    seven.house.deal()
    expect(seven.middle).to_contain_text("Flop, or tap the winner’s seat")
    # A refusal is said while other taps wait.
    assert seven.page.evaluate(REFUSED) == [["stale"], ["second"]]


@pytest.mark.slow
def test_pot_on_an_idle_table_logs_a_whole_hand(seven: Tablet, counted: Callable[[str, Tablet], None]) -> None:
    seven.tap("pot")
    seven.type("44")
    seven.seat(7)

    counted("whole hand on an idle table", seven)
    seven.wait_until_sent()
    hand = newest(seven.house)
    assert (hand.number, hand.street, hand.pot_cents, hand.taken("rake")) == (3, "beyond", 44_00, 2_00)
    assert not ToDo.objects.exists()


@pytest.mark.slow
def test_a_split_is_said_first(seven: Tablet, counted: Callable[[str, Tablet], None]) -> None:
    seven.tap("deal")
    seven.tap("flop")
    seven.tap("pot")
    seven.type("86")
    seven.tap("split")
    seven.seat(8)
    seven.seat(2)
    seven.tap("split")

    counted("split", seven)
    # 81 € in chips of 1 €: the odd one goes to the first seat after the button (H5.37).
    expect(seven.middle).to_contain_text("41 € to seat 8")
    expect(seven.middle).to_contain_text("40 € to seat 2")
    seven.wait_until_sent()
    assert [pot.winner_seats for pot in newest(seven.house).pots.all()] == [[2, 8]]


@pytest.mark.slow
def test_side_pots_are_typed_where_they_decide_which_pot_pays(
    seven: Tablet, counted: Callable[[str, Tablet], None]
) -> None:
    seven.tap("deal")
    seven.tap("flop")
    seven.tap("pot")
    seven.type("30")
    assert seven.page.locator('[data-do="side-pot"]').count() == 0
    seven.page.locator('[data-key="back"]').tap()
    seven.page.locator('[data-key="back"]').tap()
    seven.type("54")
    seven.tap("side-pot")
    expect(seven.middle).to_contain_text("Type the main pot")
    seven.type("18")
    expect(seven.middle).to_contain_text("Side pot 1, 36 €: who wins it?")
    seven.tap("split")
    expect(seven.middle).to_contain_text("Side pot 1, 36 €: tap all who share it")
    seven.seat(6)
    seven.tap("split")
    seven.taps -= 2
    expect(seven.middle).to_contain_text("Main pot")
    seven.seat(3)

    counted("side pot", seven)
    seven.wait_until_sent()
    hand = newest(seven.house)
    assert [(pot.cents, pot.paid("rake"), pot.winner_seats) for pot in hand.pots.order_by("index")] == [
        (18_00, 1_00, [3]),
        (36_00, 1_00, [6]),
    ]


@pytest.mark.slow
def test_side_pots_may_be_left_out(seven: Tablet) -> None:
    seven.tap("deal")
    seven.tap("pot")
    seven.type("54")
    seven.seat(6)

    seven.wait_until_sent()
    assert [pot.cents for pot in newest(seven.house).pots.all()] == [54_00]


@pytest.mark.slow
def test_a_newcomer_posts(seven: Tablet, counted: Callable[[str, Tablet], None]) -> None:
    seven.house.seat("Ville", 10)
    expect(seven.seat_of(10)).to_contain_text("waits for BB")
    seven.seat(10)
    seven.tap("post")
    expect(seven.seat_of(10)).to_contain_text("posts 2 €")
    seven.tap("deal")
    seven.tap("flop")
    seven.tap("pot")
    seven.type("30")
    seven.seat(10)

    counted("newcomer posts", seven)
    seven.wait_until_sent()
    seat = newest(seven.house).seats.get(seat_number=10)
    assert (seat.post, seat.live_cents) == ("new_player", 2_00)
    assert not ToDo.objects.exists()


@pytest.mark.slow
def test_heads_up(
    house: House, brush_server: BrushServer, chromium: Chromium, counted: Callable[[str, Tablet], None]
) -> None:
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2)
    house.settle(winners=(1,))
    tablet = at_table(chromium, brush_server, house)
    button = tablet.state()["ahead"][0]["button"]
    expect(tablet.seat_of(button)).to_contain_text("BTN")
    expect(tablet.seat_of(button)).to_contain_text("SB")

    tablet.tap("deal")
    tablet.tap("flop")
    tablet.tap("pot")
    tablet.type("40")
    tablet.seat(1)

    counted("heads-up", tablet)
    expect(tablet.middle).to_contain_text("38 €")
    tablet.wait_until_sent()
    assert newest(house).taken("drop") == 0


@pytest.mark.slow
def test_maximum_is_one_key(seven: Tablet, counted: Callable[[str, Tablet], None]) -> None:
    policy = seven.house.game().rake_policy
    assert policy is not None
    assert isinstance(policy.way, StepRake)
    most = policy.way.maximum_cents
    assert most is not None
    seven.tap("deal")
    seven.tap("flop")
    seven.tap("pot")
    seven.tap("maximum")
    seven.seat(2)

    counted("maximum", seven)
    expect(seven.middle).to_contain_text("the rest")
    seven.wait_until_sent()
    hand = newest(seven.house)
    assert (hand.pot_is_at_least, hand.taken("rake")) == (True, most)


@pytest.mark.slow
def test_undo_goes_back_to_the_winner_with_the_pot_kept(seven: Tablet, counted: Callable[[str, Tablet], None]) -> None:
    before = seven.state()["ahead"][0]
    seven.tap("pot")
    seven.type("44")
    seven.seat(7)
    seven.wait_until_sent()
    seven.taps = seven.digits = 0

    seven.tap("undo")
    seven.yes()

    counted("undo", seven)
    expect(seven.middle).to_contain_text("Hand 3 is taken back.")
    expect(seven.middle).to_contain_text(f"already in the box: {euros(2)} rake · {euros(1)} jackpot")
    expect(seven.middle).to_contain_text("Tap the winner’s seat")
    expect(seven.middle.locator(".take")).to_have_count(1)
    seven.wait_until_sent()
    expect(seven.seat_of(before["button"])).to_contain_text("BTN")
    assert seven.state()["ahead"][0] == before
    undone = newest(seven.house)
    assert (undone.status, seven.bright(), seven.house.figures()["rake_box"]) == ("undone", [], 0)
    assert seven.page.locator('[data-do="undo"]').count() == 0

    # The server's word says the same to a page that knows nothing of the undo: the next log takes over what lies there.
    seven.page.reload()
    expect(seven.middle).to_contain_text(f"already in the box: {euros(2)} rake · {euros(1)} jackpot")
    seven.type("86")
    expect(seven.middle).to_contain_text(f"take another {euros(2)} rake")
    seven.page.locator('[data-key="back"]').tap()
    expect(seven.middle).to_contain_text(f"put back into the pot {euros(2)} rake")
    seven.type("6")
    seven.seat(2)
    expect(seven.middle).to_contain_text(f"take another {euros(2)} rake")
    expect(seven.middle).to_contain_text(f"push {euros(81)} to seat 2")
    seven.wait_until_sent()
    hand = newest(seven.house)
    assert (hand.number, hand.status, hand.pot_cents) == (undone.number, "settled", 86_00)
    boxes = seven.house.boxes()
    assert boxes == {"rake": (4_00, 0), "drop": (1_00, 0)}
    assert seven.state()["undone"] is None

    # Once the dealer has put that pot away, what is dealt is another hand: nothing of it lies in the boxes yet.
    seven.tap("undo")
    seven.yes()
    seven.tap("close-pad")
    seven.tap("deal")
    seven.tap("pot")
    seven.type("44")
    expect(seven.middle).to_contain_text(f"take {euros(2)} rake")
    assert "already" not in seven.middle.inner_text()
    seven.seat(7)
    expect(seven.middle).to_contain_text(f"push {euros(41)} to seat 7")
    assert "already" not in seven.middle.inner_text()
    seven.wait_until_sent()
    boxes = seven.house.boxes()
    assert boxes == {"rake": (2_00, 4_00), "drop": (1_00, 1_00)}


@pytest.mark.slow
def test_a_double_tap_happens_once(seven: Tablet) -> None:
    seven.page.locator('[data-do="deal"]').dblclick()
    seven.page.locator('[data-do="flop"]').dblclick()
    seven.page.locator('[data-do="pot"]').dblclick()
    seven.type("44")
    seven.page.locator('#live [data-seat="7"] button').dblclick()

    seven.wait_until_sent()
    assert [(hand.number, hand.status) for hand in hands(seven.house)[2:]] == [(3, "settled")]
    assert not seven.page.locator("#sheet").is_visible()


@pytest.mark.slow
def test_only_the_same_dealer_may_undo(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    tablet_of(house, house.cast.dan)
    house.open(**SEVEN)
    house.settle(winners=(1,), by=house.cast.anna)

    tablet = at_table(chromium, brush_server, house)

    assert tablet.page.locator('[data-do="undo"]').count() == 0
    assert Device.objects.get().signed_in == house.cast.dan
    assert not Posting.objects.filter(transfer__kind="hand").exists()
