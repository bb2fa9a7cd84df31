"""The dealer's tablet without its server: it goes on, and sends what happened in order, with the times of the taps."""

import json
from typing import Any

import pytest
from django.db.models import Q
from playwright.sync_api import expect

from casino import clock
from casino.audit.models import Event
from casino.ledger.models import Transfer
from casino.people.models import Device, SignIn
from casino.people.services import end_shift
from casino.static_files import files_state
from tables.models import Hand, ToDo
from tests.browser.dealer_tablet import PROOFS, WAITING, Tablet, at_table, hands, tablet_of
from tests.cast import command
from tests.conftest import Database
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house

SEVEN = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 5, "Pekka": 6, "Jo": 7, "Sara": 8}
SERVER_NOW = """async () => {
  const { href } = document.querySelector('link[rel="modulepreload"][href*="brush/clock"]');
  return (await import(href)).serverNow();
}"""
_HANDS = Q(name__in=["tables.deal_hand", "tables.settle_hand"])


@pytest.fixture
def house(committing_db: Database) -> House:
    return make_house()


@pytest.fixture
def tablet(house: House, brush_server: BrushServer, chromium: Chromium) -> Tablet:
    tablet_of(house, house.cast.anna)
    house.open(**SEVEN)
    house.settle(winners=(1,))
    house.settle(winners=(1,))
    return at_table(chromium, brush_server, house)


def flop_hand(tablet: Tablet, pot: str, winner: int) -> None:
    tablet.tap("deal")
    tablet.tap("flop")
    tablet.tap("pot")
    tablet.type(pot)
    tablet.seat(winner)
    # A dealer needs longer than that.
    tablet.wait_until_calm()


def buttons(tablet: Tablet) -> str | None:
    return tablet.page.locator("#live .seat:has(.mark.btn)").get_attribute("data-seat")


@pytest.mark.smoke
@pytest.mark.slow
def test_a_cut_connection_costs_nothing_and_an_ended_sign_in_begins_anew(
    tablet: Tablet, brush_server: BrushServer, settings: Any
) -> None:
    ahead = [start["button"] for start in tablet.state()["ahead"]]
    tablet.page.context.set_offline(True)
    expect(tablet.page.locator("html")).to_have_attribute("data-connection", "gone")

    assert buttons(tablet) == str(ahead[0])
    addresses: list[str] = []
    tablet.page.on("request", lambda request: addresses.append(request.url) if "/counted" in request.url else None)
    flop_hand(tablet, "286", 2)
    # A pot so large is asked about, but not where nobody answers: the hand is over at once.
    expect(tablet.middle).to_contain_text("take 10 € rake · 1 € jackpot push 275 € to seat 2")
    assert addresses == []
    assert buttons(tablet) == str(ahead[1])
    between = clock.now()
    flop_hand(tablet, "44", 7)
    assert buttons(tablet) == str(ahead[2])
    expect(tablet.page.locator("[data-connection-word]").first).to_contain_text("6 taps waiting")
    assert len(hands(tablet.house)) == 2
    back = clock.now()
    tablet.page.context.set_offline(False)
    tablet.wait_until_sent()

    first, second = hands(tablet.house)[2:]
    assert [hand.status for hand in (first, second)] == ["settled", "settled"]
    assert (first.number, first.pot_cents, second.number, second.pot_cents) == (3, 286_00, 4, 44_00)
    assert first.settled_at is not None
    assert second.settled_at is not None
    assert first.settled_at < between < second.settled_at < back
    assert first.dealt_at is not None
    assert first.dealt_at < first.settled_at
    logged = [json.loads(text)["args"]["hand"] for text in Event.objects.filter(_HANDS).values_list("text", flat=True)]
    assert [hand["opening_id"] for hand in logged[-4:]] == [first.opening_id] * 4
    figures = tablet.house.figures()
    assert (figures["rake_box"], figures["jackpot_box"]) == (12_00, 2_00)
    assert Transfer.objects.filter(kind="hand").count() == 2
    assert not ToDo.objects.exists()
    expect(tablet.page.locator("html")).to_have_attribute("data-connection", "live")

    # The notice comes from another process of the room, as from the floor's tablet; nobody touches the page.
    settings.REDIS_PREFIX = brush_server.redis_prefix
    end_shift(command(tablet.house.cast.frans, at=clock.now()), staff_id=tablet.house.cast.anna.pk)

    expect(tablet.page.locator(".pin-prompt a")).to_be_visible()
    assert tablet.page.locator("html").get_attribute("data-sign-in") is None


@pytest.mark.slow
def test_a_server_that_was_killed_and_came_back_hears_every_hand(tablet: Tablet, brush_server: BrushServer) -> None:
    flop_hand(tablet, "30", 3)
    brush_server.kill()

    flop_hand(tablet, "86", 2)
    tablet.tap("deal")
    tablet.seat(5)
    expect(tablet.page.locator("html")).to_have_attribute("data-connection", "gone")
    brush_server.start()
    tablet.wait_until_sent()

    assert [(hand.number, hand.pot_cents) for hand in hands(tablet.house)[2:]] == [(3, 30_00), (4, 86_00), (5, None)]
    assert tablet.house.figures()["rake_box"] == 1_00 + 4_00


@pytest.mark.slow
def test_waiting_taps_survive_that_the_page_is_closed(
    tablet: Tablet, brush_server: BrushServer, chromium: Chromium
) -> None:
    brush_server.kill()
    flop_hand(tablet, "86", 2)
    tablet.tap("deal")
    tablet.wait(lambda: tablet.page.evaluate(WAITING) == 4)
    context = tablet.page.context
    tablet.page.close()
    brush_server.start()

    tablet.page = context.new_page()
    tablet.page.goto(f"{brush_server.url}/tables/1/")
    tablet.wait(lambda: Hand.objects.filter(number=4, status="dealt").exists())
    tablet.wait_until_sent()

    assert [(hand.number, hand.status) for hand in hands(tablet.house)[2:]] == [(3, "settled"), (4, "dealt")]
    assert tablet.bright() == ["flop"]


@pytest.mark.slow
def test_a_misdeal_and_an_undo_alone_are_foreseen_as_the_server_does_them(
    tablet: Tablet, brush_server: BrushServer
) -> None:
    tablet.house.seat("Ville", 10)
    tablet.seat(10)
    tablet.tap("post")
    tablet.wait_until_sent()
    before = tablet.ring()
    brush_server.kill()

    tablet.tap("deal")
    tablet.tap("menu")
    tablet.tap("misdeal")
    tablet.yes()
    tablet.wait(lambda: tablet.ring() == before)
    flop_hand(tablet, "86", 10)
    expect(tablet.seat_of(10)).not_to_contain_text("posts")
    tablet.tap("undo")
    tablet.yes()
    tablet.wait(lambda: tablet.ring() == before)
    flop_hand(tablet, "60", 10)
    tablet.tap("menu")
    tablet.tap("skip")
    tablet.yes()
    brush_server.start()
    tablet.wait_until_sent()

    logged = [(hand.number, hand.status) for hand in hands(tablet.house)[2:]]
    assert logged == [(3, "void"), (3, "undone"), (3, "settled"), (4, "not_logged")]
    settled = hands(tablet.house)[4]
    assert settled.seats.get(seat_number=10).post == "new_player"
    # The rake of 86 € lay in the box when the hand was undone; of 60 € it is less.
    assert sorted(ToDo.objects.values_list("kind", flat=True)) == ["box_differs", "hand_not_logged"]


@pytest.mark.slow
def test_a_fragment_does_not_move_what_waiting_taps_have_moved(tablet: Tablet) -> None:
    """Somebody sits down while this tablet's hand is still on its way: both are seen at once."""
    tablet.page.route("**/hands/*", lambda route: route.abort())
    flop_hand(tablet, "86", 2)
    shown = buttons(tablet)

    tablet.house.seat("Ville", 10)
    expect(tablet.seat_of(10)).to_contain_text("Ville")

    assert buttons(tablet) == shown
    tablet.page.unroute("**/hands/*")
    tablet.wait_until_sent()
    assert buttons(tablet) == shown


@pytest.mark.slow
def test_a_pot_half_typed_survives_a_reload(tablet: Tablet) -> None:
    tablet.tap("deal")
    tablet.tap("pot")
    tablet.type("54")
    tablet.tap("side-pot")
    tablet.type("18")
    tablet.wait_until_sent()

    tablet.page.reload()

    expect(tablet.middle).to_contain_text("Side pot 1, 36 €: who wins it?")

    # An upgrade: the page's scripts are others than those of the server that is back.
    tablet.page.evaluate("document.documentElement.dataset.files = 'before'")
    expect(tablet.page.locator("html")).to_have_attribute("data-files", files_state())
    expect(tablet.middle).to_contain_text("Side pot 1, 36 €: who wins it?")


@pytest.mark.slow
def test_a_dealer_who_was_signed_out_elsewhere_is_led_to_the_pin_pad(tablet: Tablet) -> None:
    device = Device.objects.get()
    SignIn.objects.filter(device=device).update(ended_at=tablet.house.at)
    Device.objects.filter(pk=device.pk).update(signed_in=None, signed_in_at=None, sign_in_id=None)

    tablet.tap("deal")

    expect(tablet.page.locator(".pin-prompt a")).to_be_visible()
    expect(tablet.page.locator("#live .mark.btn")).to_be_visible()
    assert len(hands(tablet.house)) == 2


@pytest.mark.slow
def test_what_the_server_would_not_take_is_said_until_it_is_read(tablet: Tablet) -> None:
    settled = str(Hand.objects.order_by("-id")[0].hand_id)
    tablet.house.deal()
    expect(tablet.middle).to_contain_text("Flop")
    tablet.page.evaluate(
        """async ([handId, signIn]) => {
          const { openQueue } = await import("/static/brush/queue.js");
          const queue = await openQueue();
          await queue.add({ url: "/api/v1/tables/1/hands/undo", body: { hand_id: handId }, kind: "fact", signIn });
        }""",
        [settled, tablet.page.locator("html").get_attribute("data-sign-in")],
    )
    tablet.page.reload()

    refusal = tablet.page.locator("#refusal")
    expect(refusal).to_contain_text("The next hand has begun")
    refusal.get_by_role("button").tap()
    expect(refusal).to_be_empty()
    tablet.page.reload()
    expect(tablet.page.locator("html")).to_have_attribute("data-connection", "live")
    expect(refusal).to_be_empty()


@pytest.mark.slow
def test_the_next_dealer_takes_over_with_a_pin(tablet: Tablet) -> None:
    dan = tablet.house.cast.dan
    tablet.tap("deal")
    tablet.tap("menu")
    tablet.page.locator("#sheet a[href='/door/']").tap()
    tablet.sign_in("dan")

    expect(tablet.page.locator(".strip-person")).to_contain_text("Dan")
    tablet.wait(lambda: tablet.bright() == ["flop"])
    tablet.seat(5)
    tablet.wait_until_sent()
    assert hands(tablet.house)[-1].dealer_id == dan.pk


@pytest.mark.slow
def test_taps_of_a_night_alone_are_their_dealers_until_her_shift_ended(tablet: Tablet) -> None:
    """What she tapped before is hers, though nobody is signed in any more; what came after waits for the floor."""
    house = tablet.house
    tablet.page.goto("/door/")
    tablet.sign_in("anna")
    expect(tablet.page.locator("html")).to_have_attribute("data-connection", "live")
    sign_in = SignIn.objects.get(device__signed_in=house.cast.anna, ended_at=None)
    assert len(sign_in.proof_hash) == 64

    tablet.page.context.set_offline(True)
    flop_hand(tablet, "86", 2)
    ended_at = clock.now()
    end_shift(command(house.cast.frans, at=ended_at), staff_id=house.cast.anna.pk)
    # The tablet takes the house's time from the ticks, which may be late.
    tablet.wait(lambda: bool(tablet.page.evaluate(SERVER_NOW) > 1000 * ended_at.timestamp()))
    flop_hand(tablet, "44", 7)
    tablet.page.context.set_offline(False)

    # The page finds its sign-in ended as soon as the server is back, and its taps go all the same.
    expect(tablet.page.locator(".pin-prompt a")).to_be_visible()
    tablet.wait(lambda: tablet.page.evaluate(WAITING) == 0)
    hers = Hand.objects.get(number=3)
    assert (hers.status, hers.pot_cents, hers.dealer_id) == ("settled", 86_00, house.cast.anna.pk)
    assert not Hand.objects.filter(number=4).exists()
    (kept,) = ToDo.objects.filter(done_at=None)
    assert (kept.kind, kept.data["doubt"], kept.data["staff"]) == ("tap_kept", "after_its_end", house.cast.anna.pk)
    assert kept.data["arguments"]["hand"]["pots"] == [44_00]
    # Its last tap is answered: the secret is gone, and was in no page.
    assert tablet.page.evaluate(PROOFS) == []
