"""The main screens in the five languages, each at its device's size: nothing is cut off, nothing lies over another."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db.models import F
from playwright.sync_api import Page, expect

from casino import clock
from casino.boxes.models import Box
from casino.cage.about import AtSeat
from casino.cage.models_fills import FillSlip
from casino.cage.services import buy_in, cash_out, request_buy_in
from casino.compliance.services import write_note
from casino.paper.models import Printing
from casino.paper.services import print_sheets
from casino.people.models import Staff
from casino.people.services import open_inquiry, start_shift
from casino.promotions.models import Period, Splash
from casino.promotions.services.high_hands import take_back_hand
from casino.promotions.services.splashes import draw_due
from casino.reports.services import log_pack
from casino.rooms.models import GamingDay
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.lists import call_player, join_list
from jackpot.services.claims import dispute_claim
from tables.models import ClosedTips, Down, Hand, HandCharge, Seating, TipReceipt
from tables.services.absence_limits import set_long_break
from tables.services.corrections import undo_hand
from tables.services.downs import end_down, push_dealer
from tables.services.hands import skip_hand
from tables.services.incidents import write_incident
from tables.services.playing_on import count_through
from tables.services.tip_boxes import close_tips
from tests.boxes.hanging import Hanging
from tests.browser.dealer_tablet import sign_in
from tests.browser.languages import LANGUAGES, Screen, faults, show, speak
from tests.browser.test_floor_lobby import house, shot
from tests.cage.bad_night import bad_night
from tests.cage.banking import adds_bank, gives_bank
from tests.cage.counting import carried
from tests.cage.filling import Filling
from tests.cast import demo_person, enrolled
from tests.compliance.test_documents import forgotten
from tests.doors.ways.reports import DAYS, a_day_was_closed
from tests.jackpot.beats import Beats
from tests.jackpot.books import JACKPOTS_OF_TWO_KINDS, second_pool
from tests.jackpot.test_reports import Signing
from tests.promotions.running import HIGH, QUADS, SPLASH, Running, promotes
from tests.support.browser import Chromium, until
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks
from tests.tables.tipping import hand_on, take

__all__ = ["house"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]
# Whose cookie each device has; the manager's desktop signs in by name.
TOKENS = {"floor": "token-floor-1", "phone": "token-floor-1", "dealer": "token-table-1"}

JACKPOT = "/jackpot/?variant=omaha_hi_lo&dealt_in=8&sum=30000&board=2h+2d+Qh+Qd+3c&hand=2s2c5s6s&hand=QsQc5h6h"


# The height of the head of a window, once a busy night's slips are counted there.
_WINDOW_HEAD = """() => {
  const count = document.querySelector(".window-stands > :last-child");
  count.textContent = count.textContent.replace(/\\d+/, "1 214");
  return document.querySelector(".window-head").offsetHeight;
}"""


@pytest.fixture
def busy(house: House) -> House:
    """An evening with something of everything: a list, a call, a seat held, a penalty, a hand that is missing."""
    house.at = clock.now() - timedelta(minutes=30)
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5)
    house.settle(86_00, winners=(1, 2))
    house.tap(set_long_break, table_id=house.table_id(), seating_id=_seating(3).pk)
    for _ in range(8):
        house.settle(20_00)
    Filling(house.cast, at=house.at).sent(1_000_00, 500_00)
    box = Hanging(house).hang(17)
    house.settle(40_00)
    Hanging(house).hang(18)
    Hanging(house).count(box, 1)
    house.tap(skip_hand, house.cast.anna, table_id=house.table_id(), hand=house.logged())
    people = [house.player("Kai").pk]
    about: dict[str, Any] = {"table_id": house.table_id(), "clause": "H1.48", "minutes": 60, "text": "Threw the cards"}
    house.tap(write_incident, kind="penalty", player_ids=people, **about)
    for nickname in ("Jo", "Sara", "Riku"):
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)
    WaitingList.objects.update(seats_opened=7, measured_minutes=150, measured_at=clock.now())
    house.at = clock.now()
    first = Waiting.objects.earliest("place")
    house.tap(call_player, waiting_id=first.pk, table_id=house.table_id(), seat_number=9)
    house.tap(start_shift, staff_id=house.cast.anna.pk)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    _asks_for_chips(house, 5)
    # Who carries what has a line.
    gives_bank(house.cast.carla, house.cast.mari, adds_bank(house.cast, at=house.at), at=house.at)
    Racking(house).count(20)
    take(house, 15)
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at, wrong_pins=5)
    house.tap(open_inquiry, house.cast.mari, player_id=people[0], reason="Asked for by the authority")
    house.tap(print_sheets)
    for kind, staff in (("floor", house.cast.frans), ("table", house.cast.anna)):
        sign_in(enrolled(house.cast.room, kind), staff)
    return house


def _asks_for_chips(house: House, seat: int) -> None:
    """Have a seat ask the cage for chips; the dealer has the money."""
    sits = _seating(seat)
    about = AtSeat(table=sits.table_id, table_number=1, seating=sits.pk, seat_number=seat, stack=1_00)
    arguments = {"player_id": sits.player_id, "amount_cents": 100_00, "seat": about, "money_with": "dealer"}
    house.tap(request_buy_in, house.cast.anna, **arguments)


def _seating(seat: int) -> Seating:
    return Seating.objects.get(seat_number=seat, left_at=None)


def screens() -> list[Screen]:
    """Return what is looked at: the fullest page of each desk, and the sheets with most to tap."""
    table, waiting = "/floor/tables/1/", Waiting.objects.latest("place")
    card = f"/cage/players/{waiting.player_id}/"
    return [
        Screen("map", "floor", "/floor/"),
        Screen("waiting", "floor", "/floor/", f"/floor/waiting/{waiting.pk}/sheet/"),
        Screen("table", "floor", table),
        Screen("seat", "floor", table, f"{table}seats/1/sheet/"),
        Screen("seat-away", "floor", table, f"{table}seats/3/sheet/"),
        Screen("penalty", "floor", table, f"{table}incident/sheet/?kind=penalty"),
        Screen("dealers", "floor", "/floor/dealers/"),
        Screen("phone-map", "phone", "/floor/"),
        Screen("phone-table", "phone", table),
        Screen("phone-seat", "phone", table, f"{table}seats/3/sheet/"),
        Screen("dealer", "dealer", "/tables/1/"),
        Screen("lobby", "lobby", "/lobby/"),
        Screen("books", "cage", "/rule-books/"),
        Screen("hand", "floor", f"{table}hands/", f"{table}hands/{Hand.objects.latest('id').pk}/sheet/"),
        Screen("incidents", "floor", "/floor/incidents/"),
        Screen("till", "cage", "/cage/1/"),
        Screen("till-card", "cage", "/cage/1/", card, into="#player-card"),
        Screen("identity", "cage", "/cage/1/", f"{card}identity/", into="#identity"),
        Screen("banks", "cage", "/cage/banks/"),
        Screen("bank", "cage", "/cage/banks/11/"),
        Screen("deposits", "cage", "/cage/deposits/"),
        Screen("vouchers", "cage", "/cage/vouchers/"),
        Screen("rates", "cage", "/cage/rates/"),
        Screen("exchanges", "cage", "/cage/exchanges/"),
        Screen("vault", "cage", "/cage/vault/"),
        Screen("slips", "cage", "/cage/slips/"),
        Screen("unclaimed", "cage", "/cage/unclaimed/"),
        Screen("ledger", "cage", "/ledger/"),
        Screen("people", "cage", "/people/"),
        Screen("player", "cage", f"/people/players/{waiting.player_id}/"),
        Screen("staff-data", "cage", f"/people/{Staff.objects.latest('id').pk}/data/"),
        Screen("mine", "cage", "/my-sign-in/"),
        Screen("posted", "cage", "/posted/"),
        Screen("door", "dealer", "/door/"),
        Screen("enrol", "phone", "/enrol/"),
        Screen("tables", "cage", "/tables/"),
        Screen("version", "cage", "/rule-books/1/"),
        Screen("jackpot", "floor", JACKPOT),
        Screen("jackpot-sum", "floor", "/jackpot/sums/bad-beat/"),
        Screen("jackpot-desk", "cage", JACKPOT),
        Screen("jackpot-pool", "cage", "/jackpot/pools/bad-beat/"),
        Screen("jackpot-reports", "cage", "/jackpot/reports/"),
        Screen("players", "cage", "/people/players/"),
        Screen("log", "cage", "/log/"),
        Screen("devices", "cage", "/people/devices/"),
        Screen("day", "cage", "/cage/day/"),
        Screen("day-report", "cage", "/reports/"),
        Screen("exceptions", "cage", "/reports/exceptions/"),
        Screen("packs", "cage", "/reports/packs/"),
        Screen("rack", "floor", f"{table}rack/"),
        Screen("tip-box", "floor", table, f"{table}tips/sheet/"),
        Screen("tips", "cage", "/tips/"),
        Screen("boxes", "cage", "/boxes/"),
        Screen("fills", "cage", "/cage/fills/"),
        Screen("money-of-requests", "floor", "/cage/money/1/"),
        Screen("fill", "cage", f"/cage/fills/{FillSlip.objects.latest('id').pk}/"),
        Screen("boxes-floor", "floor", "/boxes/"),
        Screen("box", "cage", f"/boxes/{Box.objects.latest('id').pk}/"),
        Screen("paper", "floor", "/floor/paper/"),
        Screen("paper-printed", "floor", f"/floor/paper/{Printing.objects.latest('id').pk}/"),
        Screen("kept-data", "cage", "/people/kept/"),
        Screen("time", "floor", table, f"{table}time/sheet/"),
    ]


def page_of(chromium: Chromium, server: BrushServer, device: str) -> Page:
    page = chromium.page(device)
    host = urlsplit(server.url).hostname or ""
    if token := TOKENS.get(device):
        page.context.add_cookies([{"name": "brush_device", "value": token, "domain": host, "path": "/"}])
    if device == "cage":
        page.goto("/sign-in/?next=/rule-books/")
        page.fill("[name=username]", "mari")
        page.fill("[name=password]", demo_person("mari").password)
        page.keyboard.press("Enter")
        expect(page.locator("#book-text")).to_be_visible()
    return page


def faults_of(screens: list[Screen], server: BrushServer, chromium: Chromium) -> list[str]:
    """Return what is wrong on these screens in any language."""
    found = []
    pages: dict[str, Page] = {}
    for screen in screens:
        if screen.device not in pages:
            pages[screen.device] = page_of(chromium, server, screen.device)
        page = pages[screen.device]
        for language in LANGUAGES:
            speak(page, server.url, language)
            show(page, screen)
            shot(page, f"{screen.name}-{language}")
            assert page.locator("html").get_attribute("lang") == language
            found += [f"{screen.name} in {language}: {fault}" for fault in faults(page)]
    return found


def test_nothing_is_cut_off_in_any_language(busy: House, brush_server: BrushServer, chromium: Chromium) -> None:
    found = faults_of(screens(), brush_server, chromium)

    assert not found, "\n".join(found)


def test_the_head_of_a_cashiers_window_is_one_line_however_many_slips_there_are(
    busy: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    page, at = page_of(chromium, brush_server, "cage"), []
    for language in LANGUAGES:
        speak(page, brush_server.url, language)
        page.goto("/cage/1/")
        at.append(page.evaluate(_WINDOW_HEAD))

    # All of it stands beside one another, on the lines of its least height.
    assert at == [56] * len(LANGUAGES)


def test_the_tables_on_a_phone_keep_apart_from_the_links_above_them(
    busy: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    page, found = page_of(chromium, brush_server, "phone"), []
    for language in LANGUAGES:
        speak(page, brush_server.url, language)
        page.goto("/floor/")
        page.check("#show-tables")
        expect(page.locator("#tiles")).to_be_visible()
        shot(page, f"phone-tables-{language}")
        found += [f"in {language}: {fault}" for fault in faults(page)]

    assert not found, "\n".join(found)


def test_nothing_of_a_claim_is_cut_off_at_any_step(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    beats = Beats(house)
    beats.open()
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    claim = beats.entered()
    found = []
    steps = {
        "entered": lambda: claim,
        "verified": lambda: beats.verified(claim),
        "disputed": lambda: beats.step(dispute_claim, claim, reason="cards"),
        "approved": lambda: beats.approved(claim),
    }
    for name, step in steps.items():
        step()
        screen = Screen(f"claim-{name}", "floor", f"/jackpot/claims/{claim.pk}/")
        found += faults_of([screen], brush_server, chromium)
    found += faults_of([Screen("claims", "floor", "/jackpot/claims/")], brush_server, chromium)

    assert not found, "\n".join(found)


def test_nothing_of_a_dealers_own_tips_is_cut_off(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    house.at = clock.now() - timedelta(hours=3)
    keeps_racks(house.room_id, is_kept="false", tips="per_dealer")
    house.open(1, Lee=1, Kai=2, Timo=3)
    racking = Racking(house)
    first = racking.began(house.cast.anna)
    racking.began(house.cast.dan)
    # Who pushed in says it: their own page has it.
    house.tap(close_tips, house.cast.dan, table_id=house.table_id(), down_id=first.pk)
    take(house, 15, house.cast.dan)
    house.tap(end_down, table_id=house.table_id(), down_id=Down.objects.latest("id").pk)
    hand_on(house, 15_00)
    racking.began(house.cast.anna)
    racking.began(house.cast.dan)
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    sign_in(enrolled(house.cast.room, "table"), house.cast.dan)
    table, receipt = "/floor/tables/1/", TipReceipt.objects.latest("id").number
    sheet = f"{table}tips/sheet/"
    screens = [
        Screen("own-tips-todo", "floor", "/floor/"),
        Screen("own-tips-sheet", "floor", table, sheet),
        Screen("own-tips-apart", "floor", table, f"{sheet}?box={ClosedTips.objects.latest('id').pk}"),
        Screen("own-tips-office", "cage", "/tips/"),
        Screen("own-tips-receipt", "cage", f"/tips/receipts/{receipt}/"),
        Screen("own-tips-push", "dealer", "/tables/1/"),
        Screen("own-tips-mine", "dealer", "/tables/mine/"),
    ]

    found = faults_of(screens, brush_server, chromium)

    assert not found, "\n".join(found)
    # Two taps of who has pushed in close them.
    page = page_of(chromium, brush_server, "dealer")
    page.goto("/tables/1/")
    page.locator('[data-do="tips-of"]').click()
    shot(page, "own-tips-asked")
    page.locator('[data-do="tips-along"]').click()
    expect(page.locator('[data-do="tips-of"]:visible')).to_have_count(0)
    until(page, lambda: ClosedTips.objects.count() == 2)


def test_nothing_of_a_promotion_is_cut_off(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    house.at = clock.now() - timedelta(minutes=75)
    running = Running(house)
    promotes(house)
    house.open(1, Lee=1, Kai=2)
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    running.funded(1_000_00)
    won = running.opened(4)
    running.entered(won)
    running.decided(running.ended(won))
    ended = Period.objects.order_by("begins_at")[1]
    wrong = running.entered(ended)
    running.entered(ended, QUADS)
    house.tap(take_back_hand, entry_id=wrong.pk, reason="player")
    house.at = clock.now()
    running.entered(Period.objects.filter(fund__code=HIGH).order_by("begins_at")[2])
    running.funded(1_000_00, code=SPLASH)
    splashed = running.begun_before(running.opened(code=SPLASH), timedelta(minutes=200))
    with as_owner():
        Splash.objects.filter(period=splashed).update(due_at=F("due_at") - timedelta(minutes=200))
    draw_due(at=house.at)
    running.splashed(Splash.objects.filter(status="drawn").earliest("number"))
    begun = Period.objects.filter(fund__code=HIGH).order_by("-begins_at")[0]
    running.called_off(begun, "trouble")
    desk, shown = "/promotions/funds/high-hand/", "/promotions/shown/high-hand/"
    screens = [
        Screen("promotions", "floor", "/promotions/"),
        Screen("promotion-desk", "floor", desk),
        Screen("promotion-fund", "cage", desk),
        Screen("promotion", "floor", shown),
        Screen("splash-desk", "floor", "/promotions/funds/splash/"),
        Screen("splash", "floor", "/promotions/shown/splash/"),
        Screen("promotion-lobby", "lobby", "/lobby/"),
    ]

    found = faults_of(screens, brush_server, chromium)

    assert not found, "\n".join(found)


def test_nothing_of_a_report_is_cut_off_as_it_is_made_or_as_it_was_signed(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    house.at = clock.now() - timedelta(minutes=30)
    beats = Beats(house)
    second_pool(house, JACKPOTS_OF_TWO_KINDS)
    beats.open()
    beats.played()
    beats.corrected(12_345_67, "complaint", code="small")
    beats.approved(beats.verified(beats.entered()), sum_cents=12_345_67)
    day = GamingDay.objects.latest("date").date
    signed = Signing(beats)(first=day, last=day)
    beats.corrected(98_765_43, "authority", code="bad-beat")
    beats.recovered(500_00, code="bad-beat")
    beats.wound_down("bad-beat", "small")
    found = faults_of(
        [
            Screen("reports", "cage", "/jackpot/reports/"),
            Screen("reports-refused", "cage", "/jackpot/reports/?from=2026-02-02&to=2026-02-01"),
            Screen("reports-signed", "cage", f"/jackpot/reports/{signed.pk}/"),
        ],
        brush_server,
        chromium,
    )

    assert not found, "\n".join(found)


def test_nothing_of_a_day_that_closes_in_two_stages_is_cut_off(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    night = bad_night(house, plays_on=True)
    screens = [Screen("day-to-close", "cage", "/cage/day/")]
    found = faults_of(screens, brush_server, chromium)
    there = Seating.objects.filter(table_id=house.table_id(2), left_at=None)
    stacks = [{"seating_id": each.pk, "stack_cents": 200_00} for each in there]
    house.tap(count_through, table_id=house.table_id(2), version=house.table(2).version, stacks=stacks)
    house.close_day()
    screens = [Screen("days-that-wait", "cage", "/cage/day/"), Screen("one-day", "cage", f"/cage/day/{night.day_id}/")]
    found += faults_of(screens, brush_server, chromium)
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])
    screens = [
        Screen("one-day-counted", "cage", f"/cage/day/{night.day_id}/"),
        Screen("report-counted", "cage", f"/reports/?day={night.day.date}"),
    ]
    found += faults_of(screens, brush_server, chromium)

    assert not found, "\n".join(found)


def test_nothing_of_a_days_reports_is_cut_off_nor_of_a_day_that_there_was_none(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    house.at = clock.now() - timedelta(hours=5)
    with as_owner():
        GamingDay.objects.update(opened_at=house.at)
    boxes, lee = Hanging(house), house.player("Lee")
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5, Jo=6)
    rake = boxes.hang(7)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    for _ in range(40):
        house.settle(86_00)
        house.at += timedelta(minutes=5)
    undone = house.settle(86_00)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=undone.hand_id)
    for _ in range(6):
        again = house.settle(86_00, by=house.cast.dan)
        house.tap(undo_hand, house.cast.dan, table_id=house.table_id(), hand_id=again.hand_id)
    house.settle(by=house.cast.dan)
    house.open(2, Sara=1)
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": 1_250_00, "player_id": lee.pk}
    house.tap(buy_in, house.cast.carla, method="cash", **arguments)
    house.tap(cash_out, house.cast.carla, **{**arguments, "player_id": None, "unnamed": "bought_today"})
    for cents in (1_700_00, 1_800_00):
        house.tap(buy_in, house.cast.carla, method="cash", drawer_id=house.drawer_id, amount_cents=cents)
        player_id = house.player("Kai" if cents == 1_700_00 else "Timo").pk
        house.tap(cash_out, house.cast.carla, **{**arguments, "player_id": player_id, "amount_cents": cents})
    boxes.drop()
    boxes.count(rake, 160)
    house.close_drawer(short_cents=5_00)
    house.open_drawer()
    with as_owner():
        HandCharge.objects.filter(hand=Hand.objects.order_by("id")[0], kind="rake").update(taken_cents=3_00)
    roles = [*house.cast.mari.roles, "compliance"]
    Staff.objects.filter(pk=house.cast.mari.pk).update(roles=roles)
    house.cast.mari.refresh_from_db()
    house.tap(write_note, house.cast.mari, player_id=lee.pk, text="Asked from which sum on a document is needed")
    forgotten(house, "Riku")
    a_day_was_closed(house)
    house.tap(log_pack, house.cast.mari, **DAYS, digest="7f3a22c901bd9e44" * 4, days=1, events=17)
    screens = [
        Screen("day", "cage", "/cage/day/"),
        Screen("day-report", "cage", "/reports/"),
        Screen("day-report-none", "cage", "/reports/?day=2025-01-01"),
        Screen("exceptions-people", "cage", "/reports/exceptions/"),
        Screen("exceptions-none", "cage", "/reports/exceptions/?from=2025-01-01&to=2025-01-02"),
        Screen("exception-cases", "cage", f"/reports/exceptions/cases/?kind=no_flop&staff={house.cast.dan.pk}"),
        Screen("packs-made", "cage", "/reports/packs/"),
        Screen("findings", "cage", "/compliance/"),
        Screen("compliance-documents", "cage", "/compliance/documents/"),
        Screen("compliance-notes", "cage", f"/compliance/players/{lee.pk}/"),
    ]
    found = faults_of(screens, brush_server, chromium)

    assert not found, "\n".join(found)
