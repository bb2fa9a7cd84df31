"""Rooms with a row of every kind that an address can name, and the callers who try them."""

import io
import json
import re
import uuid
import zipfile
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.test import Client

from casino.boxes.models import Box
from casino.cage.about import AtSeat
from casino.cage.demo import house_opening
from casino.cage.models import Doubt, DrawerSession, NotesExchanged, Unclaimed, VaultCount, Voucher
from casino.cage.services import buy_in, request_buy_in
from casino.ledger.models import Account
from casino.paper.services import print_sheets
from casino.people.models import ApiToken, Device, EnrolmentCode, KeptApart, Player, Staff
from casino.people.secrets import digest
from casino.people.services import ban_player, keep_apart, make_enrolment_code, open_inquiry
from casino.promotions.models import Entry, Fund, Period, Splash
from casino.rooms.models import GamingDay, Room
from casino.waiting.services.lists import join_list
from jackpot.models import Claim, ClaimShare, SignedReport
from tables.models import ClosedTips, Down, TimeTaken, ToDo
from tables.services.clocks import call_clock
from tables.services.disputes import set_pot_aside
from tables.services.incidents import write_incident
from tables.services.seating import leave_seat
from tables.services.setup import add_table, offer_games
from tests.cage.counting import closes
from tests.cage.filling import Filling
from tests.cast import LATER_THAN_ANY_TEST, TONIGHT, actor, enrolled, make_cast
from tests.doors.routes import Route, all_routes
from tests.support.kept import kept
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop

NOBODYS = 10**9
PARAMETER = re.compile(r"[<{](?:\w+:)?(\w+)[>}]")
# What names a row by its id, as against a number within the asker's own room or table.
ROWS = {
    "seating_id", "hand_row_id", "todo_id", "slip_id", "account_id", "player_id", "staff_id", "device_id",
    "token_id", "api_token_id", "session_id", "game_id", "waiting_id", "exclusion_id", "apart_id", "inquiry_id",
    "time_id", "incident_id", "clock_id", "pot_id", "doubt_id",
    "claim_id", "share_id", "report_id", "box_id", "period_id", "entry_id", "splash_id",
    "printing_id", "fill_id", "day_id", "voucher_id", "unclaimed_id", "closed_id", "exchange_id",
    "vault_count_id",
}  # fmt: skip
# What says nothing of whose row it is: any address that is none, and a jackpot and a promotion, which every such room
# has.
NAMED = {"rest": "nowhere", "code": "bad-beat", "jackpot": "bad-beat", "promotion": "high-hand"}
NUMBERS = {"number", "seat_number", *NAMED}
# Every field that a form of ours may ask for, so that a tap fails for its row and for nothing else.
FORM = {
    "stack": "100", "amount": "50", "entry": "waits", "is_held": "1", "version": "1",
    "winners_0": "1", "pot_0": "86", "rake_taken": "0", "drop_taken": "0", "roles": "dealer", "pin": "2468",
    "table_number": "1", "list_version": "1", "before": "", "password": "nine tables tonight", "on_shift": "0",
    "nickname": "Newcomer", "username": "frans", "last_day": "2026-12-31", "clause": "", "other_id": "1",
    "minutes": "10", "has_break": "1", "asks": "1", "posts": "", "seat_number": "9", "chips": "100",
    "to": "2/9", "ends": "withdrawn", "game_id": "1", "hands": "3", "dealer_id": "1", "down_id": "", "colour": "red",
    "set_number": "1", "why": "push", "display_name": "Newcomer", "kind": "warning", "how": "acted", "counted": "1",
    "seating_id": "1", "player_ids": "1", "item": "deck", "sum": "100", "is_disputed": "1", "cards_1": "As Ah",
    "drawer_number": "1", "where": "cage", "origin": "promotion", "last_date": "2026-12-31",
    "charge": "rake", "is_empty": "1", "cash_5000": "1", "chips_10000": "1",
}  # fmt: skip


@dataclass
class Planted:
    """A room, and the ids of one row of every kind, by the name that addresses give it: two sets, of two tables."""

    house: House
    at_first: dict[str, int]
    at_second: dict[str, int]

    @property
    def room(self) -> Room:
        return self.house.cast.room


@kept
def plant(*, slug: str, mark: str = "") -> Planted:
    """Return a room where everything has happened once at tables 1 and 2. `mark` is put to everybody's name."""
    cast = make_cast(slug=slug, with_secrets=True)
    for number in (1, 2):
        day = TONIGHT - timedelta(days=number)
        GamingDay.objects.create(
            room=cast.room, date=day.date(), opened_at=day, opened_by_id=cast.mari.pk, closed_at=day,
            closed_by_id=cast.mari.pk, counts_wait=True,
        )  # fmt: skip
    for drawer_id in house_opening(by=actor(cast.mari), at=TONIGHT, drawers=3):
        house = House(cast=cast, drawer_id=drawer_id)
    # By two of whom neither keeps the manager and the floor from counting it again.
    closes(cast.carla, cast.mari, drawer_id, at=house.at)
    for number in (1, 2):
        house.tap(add_table, cast.mari, number=number)
    house.tap(offer_games, cast.mari)
    if mark:
        for nickname, player in cast.players.items():
            Player.objects.filter(pk=player.pk).update(nickname=f"{nickname} {mark}", full_name=f"Full {mark}")
        for staff in cast.staff.values():
            with as_owner():
                Staff.objects.filter(pk=staff.pk).update(display_name=f"{staff.username} {mark}")
        with as_owner():
            Room.objects.filter(pk=cast.room.pk).update(name=f"Room {mark}")
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Mika=1, Pekka=2, Jo=3)
    return Planted(house, _happened(house, 1, mark), _happened(house, 2, mark))


def _happened(house: House, number: int, mark: str) -> dict[str, int]:
    cast, table = house.cast, house.table(number)
    hand = house.settle(86_00, number=number, taken={"rake": 0})
    sits, leaves, *_ = table.seating_set.filter(left_at=None).order_by("seat_number")
    seat = AtSeat(
        table=table.pk,
        table_number=number,
        seating=sits.pk,
        seat_number=sits.seat_number,
        stack=10_00,
    )
    request = house.tap(request_buy_in, cast.anna, player_id=sits.player_id, amount_cents=50_00, seat=seat)
    drawer_id = house.drawer_id - 3 + number
    paid = house.tap(buy_in, cast.carla, drawer_id=drawer_id, amount_cents=20_00, method="cash", player_id=None)
    house.tap(leave_seat, table_id=table.pk, seating_id=leaves.pk, stack_cents=None)
    device = enrolled(cast.room, "table", number + 6, token=f"lost {cast.room.slug} {number}")
    with as_owner():
        Device.objects.filter(pk=device.pk).update(name=f"Tablet {mark}")
    token = ApiToken.objects.create(
        room=cast.room, name=f"token {mark}", roles=["floor"], token_hash=digest(str(uuid.uuid4())), staff=cast.frans,
        made_by_id=cast.mari.pk, made_at=TONIGHT, ends_at=LATER_THAN_ANY_TEST,
    )  # fmt: skip
    guest = "Sara" if number == 1 else "Riku"
    waits = house.tap(join_list, game_id=house.game().pk, player_id=house.player(guest).pk)
    called = house.tap(call_clock, table_id=table.pk, seating_id=sits.pk)
    apart = house.tap(set_pot_aside, table_id=table.pk, hand_row_id=hand.pk)
    runs = house.tap(
        write_incident,
        kind="penalty",
        minutes=30,
        table_id=table.pk,
        player_ids=[sits.player_id],
        text=f"Reply {mark}",
    )
    made = house.tap(make_enrolment_code, cast.mari, kind="floor", number=number, device_name=f"New {mark}")
    excluded = house.tap(ban_player, player_id=house.player("Aino" if number == 1 else "Ville").pk)
    pair = [house.player(name).pk for name in (("Aino", "Noora") if number == 1 else ("Ville", "Otto"))]
    house.tap(keep_apart, player_ids=pair)
    doubt = Doubt.objects.create(
        room=cast.room, kind="more_than_sold", drawer_id=drawer_id, slip_id=paid.data["slip_id"], cents=5_00,
        raised_at=TONIGHT,
    )  # fmt: skip
    voucher = Voucher.objects.create(
        room=cast.room, number=number, check_letters="RW4K", amount_cents=50_00, origin="promotion",
        last_date=LATER_THAN_ANY_TEST.date(), issued_at=TONIGHT, issued_by=cast.mari, approved_by=cast.frans,
        transfer_id=number,
    )  # fmt: skip
    found = Unclaimed.objects.create(
        room=cast.room, number=number, what="chips", amount_cents=5_00, where="cage", found_at=TONIGHT,
        drawer_id=drawer_id, taken_in_at=TONIGHT, taken_in_by=cast.mari, approved_by=cast.frans, transfer_id=number,
    )  # fmt: skip
    exchange = NotesExchanged.objects.create(
        room=cast.room, number=number, currency="SEK", pieces=[[500_00, 1]], face_cents=500_00, worth_cents=43_50,
        got_cents=43_00, exchanged_at=TONIGHT, exchanged_by=cast.mari, approved_by=cast.frans, transfer_id=number,
        reversed_at=TONIGHT, reversed_by=cast.mari, reversal_approved_by=cast.frans, reversal_reason="not_taken",
        reversal_transfer_id=number,
    )  # fmt: skip
    counted = VaultCount.objects.create(
        room=cast.room, number=number, counted_at=TONIGHT, counted_by=cast.carla, counted_with=cast.frans,
        day=GamingDay.objects.get(room=cast.room, date=TONIGHT.date()), cash_pieces=[], chip_pieces=[],
        cash_cents=0, chips_cents=0, card_slips_cents=0, foreign_cents=0, expected_cash_cents=5_00,
        expected_chips_cents=0, expected_card_slips_cents=0, expected_foreign_cents=0, after_transfer_id=0,
        unjudged=True,
    )  # fmt: skip
    claim = Claim.objects.create(
        room=cast.room, table=table, hand=hand, code=NAMED["code"], rule_book_version_id=hand.rule_book_version_id,
        called_at=house.at,
    )  # fmt: skip
    share = ClaimShare.objects.create(
        claim=claim, player_id=sits.player_id, seat_number=sits.seat_number, role="other", cents=40_00
    )
    report = SignedReport.objects.create(
        room=cast.room, first_date=TONIGHT.date(), last_date=TONIGHT.date(), agrees=True, seen="", at=house.at,
        figures={"days": 1, "has_open_day": True, "pools": []}, made_by_id=cast.mari.pk, approved_by_id=cast.olavi.pk,
    )  # fmt: skip
    box = Box.objects.create(
        room=cast.room, table=table, charge="rake", account="rake_box", number=number, hung_after=0, hung_at=house.at,
        hung_by_id=cast.frans.pk, dropped_after=0, dropped_at=house.at, dropped_by_id=cast.frans.pk,
    )  # fmt: skip
    fund, _is_new = Fund.objects.get_or_create(
        room=cast.room, code=NAMED["promotion"], defaults={"made_at": house.at, "version": 1}
    )
    period = Period.objects.create(
        room=cast.room, fund=fund, begins_at=TONIGHT, ends_at=LATER_THAN_ANY_TEST, amount_cents=1, reserved_cents=1,
        rule_book_version_id=hand.rule_book_version_id, opened_at=house.at, opened_by_id=cast.mari.pk,
    )  # fmt: skip
    entry = Entry.objects.create(
        period=period, table=table, seat_number=1, player_id=sits.player_id, variant="holdem", cards="Ad As", five="",
        made="pair", ranks=[14], shown_at=house.at, entered_at=house.at, entered_by=cast.frans,
    )  # fmt: skip
    return {
        "box_id": box.pk,
        "day_id": GamingDay.objects.get(room=cast.room, date=TONIGHT.date() - timedelta(days=number)).pk,
        "printing_id": house.tap(print_sheets).data["printing"],
        "period_id": period.pk,
        "entry_id": entry.pk,
        "splash_id": Splash.objects.create(period=period, number=1, cents=1, due_at=LATER_THAN_ANY_TEST).pk,
        "claim_id": claim.pk,
        "report_id": report.pk,
        "share_id": share.pk,
        "doubt_id": doubt.pk,
        "fill_id": Filling(cast).asks(0, 5_00, kind="credit", at=("table", number)).pk,
        "voucher_id": voucher.pk,
        "closed_id": _closed_tips(house, number).pk,
        "unclaimed_id": found.pk,
        "exchange_id": exchange.pk,
        "vault_count_id": counted.pk,
        "exclusion_id": excluded.data["exclusion"],
        "inquiry_id": house.tap(open_inquiry, cast.mari, player_id=sits.player_id).data["inquiry"],
        "apart_id": KeptApart.objects.get(one_id=min(pair), other_id=max(pair)).pk,
        "seating_id": sits.pk,
        "left_seating_id": leaves.pk,
        "hand_row_id": hand.pk,
        "todo_id": ToDo.objects.filter(table=table).order_by("id")[0].pk,
        "slip_id": request.data["slip_id"],
        "paid_slip_id": paid.data["slip_id"],
        "account_id": Account.objects.filter(room=cast.room, owner_kind="table", owner_id=table.pk)[0].pk,
        "player_id": sits.player_id,
        "staff_id": cast.dan.pk,
        "device_id": device.pk,
        "token_id": token.pk,
        "api_token_id": token.pk,
        "session_id": DrawerSession.objects.filter(drawer_id=house.drawer_id).order_by("id")[0].pk,
        "game_id": house.game().pk,
        "waiting_id": waits.data["waiting"],
        "time_id": _time_taken(house, number).pk,
        "clock_id": called.data["clock"],
        "pot_id": apart.data["pot"],
        "incident_id": runs.data["incident"],
        "enrolment_code_id": EnrolmentCode.objects.get(pk=made.data["enrolment_code_id"]).pk,
    }


def _time_taken(house: House, number: int) -> TimeTaken:
    opening = house.table(number).opening
    assert opening is not None
    return TimeTaken.objects.create(
        room=house.cast.room, table=opening.table, opening=opening, day=opening.day, number=1, began_at=house.at,
        rule_book_version_id=opening.rule_book_version_id, charge={}, taken_at=house.at, is_let_go=True,
    )  # fmt: skip


def _closed_tips(house: House, number: int) -> ClosedTips:
    table, dealer_id = house.table(number), house.cast.dan.pk
    assert table.opening is not None
    down = Down.objects.create(
        room=house.cast.room, table=table, opening=table.opening, day=table.opening.day, dealer_id=dealer_id,
        how="floor", began_at=house.at, ended_at=house.at,
    )  # fmt: skip
    return ClosedTips.objects.create(
        room=house.cast.room, table=table, number=1, day=table.opening.day, down=down, until=house.at, at=house.at,
        by_id=dealer_id, seconds={dealer_id: 0}, noted_cents=0,
    )  # fmt: skip


def variants(ids: dict[str, int]) -> list[dict[str, int]]:
    """Return the ids with the seating that goes on and the slip that waits; then with those that are done."""
    return [ids, ids | {"seating_id": ids["left_seating_id"], "slip_id": ids["paid_slip_id"]}]


def parameters(pattern: str) -> list[str]:
    """Return the names that an address holds: `tables/<int:number>/` or `tables/{number}`."""
    return PARAMETER.findall(pattern)


def filled(pattern: str, values: dict[str, Any]) -> str:
    """Return the address with these values in it, and with what is `NAMED`."""
    return PARAMETER.sub(lambda found: str((NAMED | values)[found[1]]), pattern)


def pages() -> list[Route]:
    """Return every HTML route but the machines' own."""
    return [route for route in all_routes() if route.api_view is None and route.pattern not in ("healthz", "readyz")]


@dataclass(frozen=True)
class Reply:
    """What an answer amounts to: its status, the refusal's code, and whether a browser reads its text as a page."""

    status: int
    code: str
    text: str
    is_html: bool = False

    @property
    def what(self) -> tuple[int, str]:
        return self.status, self.code


def read(answer: Any) -> Reply:
    """Read an answer of either kind."""
    text = _text(answer)
    if "json" in answer.headers.get("Content-Type", ""):
        body = json.loads(text)
        return Reply(answer.status_code, body.get("code", "") if isinstance(body, dict) else "", text)
    code = re.search(r'data-code="(\w+)"', text)
    is_html = "html" in answer.headers.get("Content-Type", "html")
    return Reply(answer.status_code, code[1] if code else "", text, is_html)


def _text(answer: Any) -> str:
    """Return what an answer says; of a workbook all its parts, one behind the other."""
    if "spreadsheetml" not in answer.headers.get("Content-Type", ""):
        return str(answer.content.decode())
    with zipfile.ZipFile(io.BytesIO(answer.content)) as parts:
        return "".join(parts.read(name).decode() for name in parts.namelist())


def browse(client: Client, path: str, verb: str, **fields: Any) -> Reply:
    """Open a page, or tap as htmx does."""
    if verb == "GET":
        return read(client.get(path, fields))
    headers = {"HX-Request": "true", "Idempotency-Key": str(uuid.uuid4())}
    wrong = "wrong_order" if "/move/" in path else "wrong_pot"
    wrong = "cards" if "/dispute/" in path else "talk" if path.startswith("/jackpot/") else wrong
    at_cage = "no_money" if "/refuse/" in path else "lost" if "/vouchers/" in path else "wrong_amount"
    reason = {"reason": at_cage if path.startswith("/cage/") else "void" if "/void/" in path else wrong}
    return read(client.post(path, FORM | reason | fields, headers=headers))


def methods_of(route: Route, client: Client, values: dict[str, Any]) -> list[str]:
    """Return which of GET and POST an HTML route answers."""
    path = "/" + filled(route.pattern, values)
    return [
        name
        for name in ("GET", "POST")
        if client.generic(name, path, headers={"HX-Request": "true"}).status_code != 405
    ]


def call(client: Client, path: str, method: str, body: Any, **headers: str) -> Reply:
    """Call the REST interface; the version is one that no row has had for long."""
    sent = {"Idempotency-Key": str(uuid.uuid4()), "If-Match": '"1"'} | headers
    if method == "get":
        return read(client.get(path, headers=sent))
    return read(client.post(path, json.dumps(body or {}), content_type="application/json", headers=sent))


def by_token(staff: Staff | None, device: Device | None = None) -> dict[str, str]:
    """Return the header of a new token with every role."""
    secret = uuid.uuid4().hex
    room_id = staff.room_id if staff else device.room_id if device else 0
    # It lives no longer than its maker is a manager.
    maker = Staff.objects.filter(room_id=room_id, roles__contains=["manager"]).first()
    ApiToken.objects.create(
        room_id=room_id, name="hostile", roles=["manager", "floor", "dealer", "cashier", "auditor"],
        token_hash=digest(secret), staff=staff, device=device, made_by_id=maker.pk if maker else 0, made_at=TONIGHT,
        ends_at=LATER_THAN_ANY_TEST,
    )  # fmt: skip
    return {"Authorization": f"Bearer {secret}"}


def signed_in_at(room: Room, kind: str, number: int, staff: Staff | None, *, token: str = "") -> tuple[Client, Device]:
    """Return the browser of a device at a place, with somebody signed in there."""
    token = token or f"{room.slug}-{kind}-{number}"
    device = enrolled(room, kind, number, token=token)
    if staff is not None:
        Device.objects.filter(pk=device.pk).update(signed_in=staff, signed_in_at=TONIGHT, sign_in_id=uuid.uuid4())
    client = at_desktop()
    client.cookies["brush_device"] = token
    return client, device
