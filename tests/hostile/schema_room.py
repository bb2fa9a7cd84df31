"""
A room in the middle of its evening, and everybody who may come to the REST interface with a request.

Of each thing that an address or a body can name there is a real one in every state that matters: a hand in
progress, settled, not logged; a seat taken, left uncounted, left counted; a slip waiting, paid, void; a claim to a
jackpot approved, verified, entered.
"""

import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import F

from casino.boxes.models import Box
from casino.cage.about import AtSeat
from casino.cage.models import (
    Doubt,
    Drawer,
    DrawerCount,
    DrawerSession,
    NotesExchanged,
    Slip,
    Unclaimed,
    VaultCount,
    Voucher,
)
from casino.cage.models_fills import FillSlip
from casino.cage.services import add_drawer, buy_in, cancel_slip, deposit, request_buy_in
from casino.ledger.models import Account
from casino.people.models import ApiToken, Device, Exclusion, Inquiry, KeptApart, Player, Staff
from casino.people.permissions import NEVER_BY_TOKEN, STAFF_ROLES, Role, may_of
from casino.people.secrets import digest
from casino.people.services import add_player, ban_player, keep_apart, make_enrolment_code
from casino.promotions.models import Entry, Fund, Period, Splash
from casino.rooms.models import GamingDay, Place
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from jackpot.models import Claim, ClaimCheck, ClaimShare, Pool, SignedReport
from tables.models import ClosedTips, DisputedPot, Game, Hand, Incident, Seating, Table, TimeTaken, ToDo
from tables.services.hands import skip_hand
from tables.services.seating import hold_seat, leave_seat
from tables.services.setup import add_table
from tests.api.stage import sign_in
from tests.boxes.hanging import Hanging
from tests.cage.filling import Filling
from tests.cast import LATER_THAN_ANY_TEST, TONIGHT, demo_person, enrolled
from tests.jackpot.beats import BEAT, BOARD, Beats
from tests.promotions.running import HIGH, Running
from tests.tables.conftest import House, make_house


@dataclass(frozen=True)
class Visitor:
    """Somebody who asks: what opens the door to them, and what they may do behind it."""

    name: str
    may: frozenset[str] = field(repr=False)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    cookies: dict[str, str] = field(default_factory=dict, repr=False)
    # The number of the only table that a table's tablet stands for.
    table_number: int | None = None

    @property
    def is_known(self) -> bool:
        return bool(self.cookies) or ("dead" not in self.name and bool(self.headers))

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Evening:
    """The room, everybody who asks, and what a path, a body or If-Match can really name, by its name there."""

    house: House
    visitors: tuple[Visitor, ...]
    real: dict[str, list[Any]]

    def version_of(self, path: str, ids: dict[str, Any]) -> Any:
        """Return the version on which a call of this address decides, None where there is no such row."""
        rows: Any
        if "seating_id" in ids:
            rows = Seating.objects.filter(id=_whole(ids["seating_id"]))
        elif "slip_id" in ids:
            rows = Slip.objects.filter(id=_whole(ids["slip_id"]))
        elif "session_id" in ids:
            rows = DrawerCount.objects.filter(session=_whole(ids["session_id"])).annotate(version=F("number"))
        elif "fill_id" in ids:
            rows = FillSlip.objects.filter(id=_whole(ids["fill_id"]))
        elif "claim_id" in ids:
            rows = Claim.objects.filter(id=_whole(ids["claim_id"]))
        elif "box_id" in ids:
            rows = Box.objects.filter(id=_whole(ids["box_id"]))
        elif path.startswith("/api/v1/jackpot/pools"):
            rows = Pool.objects.filter(code=str(ids.get("jackpot")))
        elif "period_id" in ids:
            rows = Fund.objects.filter(periods=_whole(ids["period_id"]))
        elif "splash_id" in ids:
            rows = Fund.objects.filter(periods__splashes=_whole(ids["splash_id"]))
        elif path.startswith("/api/v1/promotions/funds"):
            rows = Fund.objects.filter(code=str(ids.get("promotion")))
        elif path.startswith("/api/v1/cage/drawers"):
            rows = Drawer.objects.filter(number=_whole(ids.get("number")))
        else:
            rows = Table.objects.filter(number=_whole(ids.get("number")))
        return rows.values_list("version", flat=True).first()


def _whole(value: Any) -> int:
    """Return an id as generated, 0 where it is none that a row could have."""
    return value if isinstance(value, int) and 0 <= value < 2**31 else 0


def an_evening() -> Evening:
    """Make the room, with table 1 between two hands, table 2 in one, table 3 closed, table 4 waiting for a claim."""
    house = make_house()
    house.tap(add_table, house.cast.mari, number=3)
    house.tap(add_drawer, house.cast.mari, number=2, name="Cage 2")
    _play(house)
    _pay(house)
    _claim(house)
    _promote(house)
    code = house.tap(
        make_enrolment_code, house.cast.mari, kind=Place.Kind.TABLE, number=3, device_name="Tablet 3"
    ).data["code"]
    visitors = tuple(_visitors(house))
    return Evening(house, visitors, _real(house, code=code))


def _play(house: House) -> None:
    one = house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5)
    house.settle(86_00, winners=(2,))
    house.settle(40_00, 20_00, taken={"rake": 0})
    house.tap(skip_hand, house.cast.anna, table_id=one.pk, hand=house.logged())
    for nickname, stack_cents in (("Mika", None), ("Pekka", 150_00)):
        seating = Seating.objects.get(player=house.player(nickname))
        house.tap(leave_seat, table_id=one.pk, seating_id=seating.pk, stack_cents=stack_cents)
    held = Seating.objects.get(player=house.player("Timo"))
    house.tap(hold_seat, table_id=one.pk, seating_id=held.pk, is_held=True)
    house.settle(10_00)
    Hanging(house).hang(7)
    Hanging(house).drop()
    house.open(2, Jo=1, Sara=2)
    house.deal(2)
    for nickname in ("Riku", "Aino", "Ville"):
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)
    first = Waiting.objects.order_by("id")[0]
    house.tap(call_player, waiting_id=first.pk, table_id=one.pk, seat_number=8)
    noora, otto = house.player("Noora").pk, house.player("Otto").pk
    house.tap(ban_player, player_id=otto)
    house.tap(keep_apart, player_ids=[noora, otto])


def _pay(house: House) -> None:
    carla, lee = house.cast.carla, house.player("Lee").pk
    house.tap(deposit, carla, drawer_id=house.drawer_id, player_id=lee, amount_cents=500_00)
    house.tap(buy_in, carla, drawer_id=house.drawer_id, amount_cents=100_00, method="deposit", player_id=lee)
    for cents in (50_00, 60_00):
        seating = Seating.objects.get(player_id=lee)
        seat = AtSeat(table=seating.table_id, table_number=1, seating=seating.pk, seat_number=1, stack=0)
        house.tap(request_buy_in, player_id=lee, amount_cents=cents * 2, seat=seat)
    house.tap(cancel_slip, slip_id=Slip.objects.order_by("-id")[0].pk)
    filling = Filling(house.cast, at=house.at)
    filling.asks(50_00)
    filling.authorised(50_00)
    filling.sent(0, 100_00)
    Doubt.objects.create(
        room=house.cast.room, kind="more_than_sold", drawer_id=house.drawer_id, slip=Slip.objects.order_by("id")[0],
        cents=5_00, raised_at=TONIGHT,
    )  # fmt: skip


def _claim(house: House) -> None:
    beats, seats = Beats(house), {f"Guest {number}": number for number in range(1, 8)}
    house.tap(add_table, house.cast.mari, number=4)
    for nickname in seats:
        player_id = house.tap(add_player, nickname=nickname).data["player_id"]
        house.cast.players[nickname] = Player.objects.get(pk=player_id)
    beats.open(4, seats=seats)
    beats.approved(beats.verified(beats.entered(beats.called(4))))
    beats.verified(beats.entered(beats.called(4)))
    beats.entered(beats.called(4))


def _promote(house: House) -> None:
    """Have one period that has ended with a hand to decide about, one that runs, and one to come."""
    running = Running.begun(house)
    begun = running.begun_before(running.opened(3), timedelta(minutes=29))
    running.entered(begun)
    running.ended(begun)


def _visitors(house: House) -> list[Visitor]:
    """Return a token's holder of each role alone, and those who come without one or with one that is dead."""
    room, found = house.cast.room, []
    for role in STAFF_ROLES:
        staff = Staff.objects.create(
            room=room, username=f"only-{role}", display_name="Only", roles=[role.value], created_at=TONIGHT
        )
        found.append(Visitor(role.value, may_of([role]) - NEVER_BY_TOKEN, headers=_token(house, staff)))
    found.append(Visitor("nobody", may_of([])))
    found.append(Visitor("a dead token", may_of([]), headers=_token(house, house.cast.mari, is_revoked=True)))
    csrf = {"X-CSRFToken": "c" * 32}
    signed_in: dict[int, Staff | None] = {1: house.cast.anna, 2: None}
    for number, dealer in signed_in.items():
        device = enrolled(room, "table", number)
        if dealer is not None:
            sign_in(device, dealer)
        cookies = {"brush_device": f"token-table-{number}", "csrftoken": "c" * 32}
        may = may_of([Role.DEALER] if dealer else [], Place.Kind.TABLE)
        found.append(Visitor(f"tablet {number}", may, headers=csrf, cookies=cookies, table_number=number))
    return found


def _token(house: House, staff: Staff, *, is_revoked: bool = False) -> dict[str, str]:
    token = f"token-{uuid.uuid4().hex}"
    ApiToken.objects.create(
        room=house.cast.room,
        name="test",
        roles=[role.value for role in STAFF_ROLES],
        token_hash=digest(token),
        staff=staff,
        made_by_id=house.cast.mari.pk,
        ends_at=LATER_THAN_ANY_TEST,
        made_at=TONIGHT,
        revoked_at=TONIGHT if is_revoked else None,
    )
    return {"Authorization": f"Bearer {token}"}


def _real(house: House, *, code: str) -> dict[str, list[Any]]:
    def ids(model: Any) -> list[Any]:
        return list(model.objects.order_by("id").values_list("id", flat=True))

    frans, mari = demo_person("frans"), demo_person("mari")
    return {
        "number": [1, 2, 3],
        "drawer_number": [1, 2],
        "seat_number": [1, 4, 6],
        "winner_seat": [1],
        "seating_id": ids(Seating),
        "sum_cents": [Beats(house).sum()],
        "board": [BOARD],
        "hands": [[{"seat_number": each.seat_number, "cards": each.cards} for each in BEAT.hands]],
        "hand_row_id": ids(Hand),
        "hand_id": [str(each) for each in Hand.objects.values_list("hand_id", flat=True)],
        "todo_id": ids(ToDo),
        "slip_id": ids(Slip),
        "slip_ids": [ids(Slip)[:1]],
        "corrects_id": [1],
        "fill_id": ids(FillSlip),
        "day_id": ids(GamingDay),
        "voucher_id": ids(Voucher) or [1],
        "closed_id": ids(ClosedTips) or [1],
        "unclaimed_id": ids(Unclaimed) or [1],
        "exchange_id": ids(NotesExchanged) or [1],
        "vault_count_id": ids(VaultCount) or [1],
        "doubt_id": ids(Doubt),
        "session_id": ids(DrawerSession),
        "value_cents": [50_00, 100_00],
        "account_id": ids(Account)[:20],
        "player_id": ids(Player),
        "staff_id": ids(Staff),
        "device_id": ids(Device),
        "token_id": ids(ApiToken),
        "game_id": ids(Game),
        "waiting_id": ids(Waiting),
        "exclusion_id": ids(Exclusion),
        "apart_id": ids(KeptApart),
        "inquiry_id": ids(Inquiry) or [1],
        "gone_id": ids(Player),
        "player_ids": [ids(Player)[-2:], ids(Player)[-3:]],
        "last_day": ["2026-12-31"],
        "clause": ["H1.76"],
        "incident_id": ids(Incident) or [1],
        "claim_id": ids(Claim),
        "share_id": ids(ClaimShare),
        "report_id": ids(SignedReport) or [1],
        "box_id": ids(Box),
        "table_number": [1, 2, 3],
        "charge": ["rake", "drop"],
        "jackpot": ["bad-beat"],
        "promotion": [HIGH],
        "period_id": ids(Period),
        "entry_id": ids(Entry),
        "splash_id": ids(Splash) or [1],
        "item": list(ClaimCheck.Item.values),
        "pot_id": ids(DisputedPot) or [1],
        "time_id": ids(TimeTaken) or [1],
        "code": [code],
        "username": [frans.username],
        "pin": [frans.pin],
        "password": [frans.password],
        "second": [{"username": each.username, "pin": each.pin} for each in (frans, mari)],
        "reason": [
            "wrong_pot",
            "void",
            "misdeal",
            "wrong_amount",
            "cards",
            "talk",
            "takings",
            "wrong_tap",
            "lost",
            "no_money",
        ],
        "winners": [[[1]], [[1, 2]], [[2], [1]]],
        "pots": [[], [86_00], [86_00, 20_00]],
        "dealt_at": [(TONIGHT + timedelta(minutes=minutes)).isoformat() for minutes in (1, 20)],
        "beyond_initial_deal_at": [None],
        "amount_cents": [50_00, 200_00],
        "chips_cents": [100_00, 200_00],
        "stack_cents": [0, 100_00],
        "to_table": [1, 2, 3],
        "feeds": [None, 1],
        "seats": [[1, 2], [1, 2, 3]],
        "consents": [ids(Seating), ids(Seating)[:2]],
    }
