"""The cage, by both doors."""

from datetime import timedelta

from casino.boxes.models import Box
from casino.cage.day_counts import counts_of, version_of
from casino.cage.models import Doubt, Drawer, DrawerSession, NotesExchanged, Slip, Unclaimed, VaultCount, Voucher
from casino.cage.models_fills import FillSlip
from casino.cage.selectors.vault_counts import vault_version
from casino.cage.services import add_drawer, buy_in, deposit, refuse_request
from casino.people.models import Staff
from casino.people.services import check_identity
from casino.rooms.models import GamingDay
from tables.services.seat_buy_ins import ask_for_seat
from tests.acts.boxes import dropped
from tests.acts.cage import close_all, end_day
from tests.cage.banking import adds_bank, gives_bank
from tests.cage.counting import carried, closes, counts_vault
from tests.cage.delivering import sends_chips
from tests.cage.exchanging import brings, exchanges
from tests.cage.filling import Filling
from tests.cage.finding import finds
from tests.cage.foreign import notes, rate
from tests.cage.vouchers import issues
from tests.cast import demo_person
from tests.doors.way import Finders, NewestOf, T, Way, sits
from tests.support.books import fills_in_one_step
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop

# What the evening leaves open where all is counted as nothing: it is carried over.
LEFT = ["doubt.1", "to_judge.1", "in_play.1", "in_play.2"]
CARRIED_FORM = {f"carry_{item}": "looked_into" for item in LEFT}
CARRIED = [carried(item) for item in LEFT]
NEWEST: NewestOf = {
    "slip": Slip,
    "drawer": Drawer,
    "doubt": Doubt,
    "fill": FillSlip,
    "voucher": Voucher,
    "unclaimed": Unclaimed,
    "exchange": NotesExchanged,
    "vault_count": VaultCount,
}
ONE_DOOR = {
    "cage.request_buy_in": "a page asks for a seat, as `tables.ask_for_seat` does: any destination is for programs"
}


def _requested(house: House) -> None:
    house.tap(ask_for_seat, table=house.table(), seating_id=sits("Lee").pk, amount_cents=50_00, stack=20_00)


def _in_one_step(house: House) -> None:
    fills_in_one_step(house.room_id)


def _on_way(house: House) -> None:
    sends_chips(house, sits("Lee"))


def _requested_with_bank(house: House) -> None:
    gives_bank(house.cast.carla, house.cast.dan, adds_bank(house.cast, at=house.at), at=house.at)
    _requested(house)


def _refused(house: House) -> None:
    _requested(house)
    house.tap(refuse_request, house.cast.mari, slip_id=Slip.objects.latest("id").pk, reason="no_money")


def _deposited(house: House) -> None:
    house.tap(
        deposit, house.cast.mari, drawer_id=house.drawer_id, player_id=house.player("Riku").pk, amount_cents=90_00
    )


def _found(house: House) -> None:
    finds(house.cast.mari, house.cast.frans, drawer_id=house.drawer_id, at=house.at)
    seen = {"full_name": "Riku Laine", "document": "passport", "number": "XP1"}
    house.tap(check_identity, house.cast.mari, player_id=house.player("Riku").pk, **seen)


def _lay_long(house: House) -> None:
    _found(house)
    with as_owner():
        Unclaimed.objects.update(taken_in_at=house.at - timedelta(days=400), found_at=house.at - timedelta(days=400))
    Staff.objects.filter(pk=house.cast.frans.pk).update(roles=["floor", "manager"])


def issued(house: House) -> None:
    issues(house.cast.mari, house.cast.frans, 50_00, at=house.at)


def _takes_kronor(house: House) -> None:
    rate(house.cast.mari, at=house.at)


def _kronor_in_vault(house: House) -> None:
    _takes_kronor(house)
    carla, mari = house.cast.carla, house.cast.mari
    brings(carla, mari, house.drawer_id, (1000, 2), cash=5_000_00, chips=20_000_00, at=house.at)


def _exchanged(house: House) -> None:
    _kronor_in_vault(house)
    exchanges(house.cast.mari, house.cast.frans, (1000, 1), got=86_00, at=house.at)


def _vault_short(house: House) -> None:
    counts_vault(house.cast.carla, house.cast.mari, 5_00, 100_00, at=house.at)


def _doubted(house: House) -> None:
    bought = {"drawer_id": house.drawer_id, "amount_cents": 50_00, "method": "cash"}
    slip_id = house.tap(buy_in, house.cast.mari, **bought).data["slip_id"]
    arguments = {"kind": "more_than_sold", "drawer_id": house.drawer_id, "slip_id": slip_id, "cents": 5_00}
    Doubt.objects.create(room=house.cast.room, raised_at=house.at, **arguments)


def _counted_by_others(house: House) -> None:
    closes(house.cast.carla, house.cast.mari, house.drawer_id, 4_990_00, 20_000_00, at=house.at)


def _leaves_a_drawer(house: House) -> None:
    close_all(house)
    house.open_drawer(100_00, 100_00)


def _waits_for_counts(house: House) -> None:
    dropped(house)
    close_all(house)
    house.close_day()


OLAVI = {"username": "olavi", "pin": "{olavi_pin}"}
SIGNED_FORM = {"username": "frans", "pin": "{pin}"}
SIGNED = {"second": {"username": "frans", "pin": "{pin}"}}
NAMES: Finders = {
    "vault_version": lambda house: vault_version(house.cast.room.pk),
    "session": lambda house: DrawerSession.objects.latest("id").pk,
    # The first count is the newest one.
    "session_version": lambda house: 1,
    "dan_pin": lambda house: demo_person("dan").pin,
    "paper": lambda house: Voucher.objects.latest("id").on_paper,
    "day": lambda house: GamingDay.objects.latest("id").pk,
    "day_version": lambda house: version_of(counts_of(GamingDay.objects.latest("id"))),
    "day_box": lambda house: Box.objects.latest("id").pk,
    # What fell before a box hung.
    "day_loose": lambda house: Box.objects.get(number=None).pk,
    "olavi_pin": lambda house: demo_person("olavi").pin,
}


def _fill(house: House, step: str) -> None:
    filling = Filling(house.cast, at=house.at)
    if step == "differs":
        filling.counts(filling.sent(50_00, 100_00), 45_00, 100_00)
    else:
        getattr(filling, step)(50_00, 100_00)


KRONOR_FORM = {"foreign_currency": "SEK", "foreign_SEK_100000": "1"}
PIECES_FORM = {"cash_5000": "1", "chips_10000": "1"}
PIECES = {
    "cash": [{"value_cents": 50_00, "count": 1}],
    "chips": [{"value_cents": 100_00, "count": 1}],
}
BY_DAN_FORM = {"username": "dan", "pin": "{dan_pin}"}
BY_DAN = {"second": {"username": "dan", "pin": "{dan_pin}"}}

WAYS = [
    Way(
        "/cage/fills/ask/",
        "cage/fills",
        {"kind": "credit", "place": "table.1", **PIECES_FORM, "cash_5000": ""},
        {"kind": "credit", "place_kind": "table", "place_number": 1, **PIECES, "cash": []},
    ),
    Way(
        "/cage/fills/{fill}/authorise/",
        "cage/fills/{fill}/authorise",
        version="fill",
        before=lambda h: _fill(h, "asks"),
    ),
    Way(
        "/cage/fills/{fill}/refuse/",
        "cage/fills/{fill}/refuse",
        {"reason": "wrong_amount"},
        {"reason": "wrong_amount"},
        "fill",
        lambda h: _fill(h, "asks"),
    ),
    Way(
        "/cage/fills/{fill}/deliver/",
        "cage/fills/{fill}/deliver",
        {**PIECES_FORM, **BY_DAN_FORM},
        {**PIECES, **BY_DAN},
        "fill",
        lambda h: _fill(h, "authorised"),
    ),
    Way(
        "/cage/fills/{fill}/verify/",
        "cage/fills/{fill}/verify",
        {**PIECES_FORM, **SIGNED_FORM},
        {**PIECES, **SIGNED},
        "fill",
        lambda h: _fill(h, "sent"),
    ),
    Way(
        "/cage/fills/{fill}/return/",
        "cage/fills/{fill}/return",
        {**PIECES_FORM, **SIGNED_FORM, "reason": "closed"},
        {**PIECES, **SIGNED, "reason": "closed"},
        "fill",
        lambda h: _fill(h, "sent"),
    ),
    Way("/cage/fills/{fill}/judge/", "cage/fills/{fill}/judge", before=lambda h: _fill(h, "differs")),
    Way("/cage/fills/{fill}/printed/", "cage/fills/{fill}/printed", before=lambda h: _fill(h, "asks")),
    Way(T + "slips/{slip}/cancel/", "cage/slips/{slip}/cancel", version="slip", before=_requested),
    Way("/cage/slips/{slip}/cancel/", "cage/slips/{slip}/cancel", version="slip", before=_requested, id="at the cage"),
    Way(
        "/cage/2/open/",
        "cage/drawers/2/open",
        {"cash_50000": "1", "chips_100": "0", **SIGNED_FORM},
        {
            "cash": [{"value_cents": 500_00, "count": 1}],
            "chips": [{"value_cents": 1_00, "count": 0}],
            **SIGNED,
        },
        "drawer",
        lambda h: h.tap(add_drawer, h.cast.mari, number=2, name="Two"),
    ),
    Way("/cage/banks/new/", "cage/banks", {"number": "12", "name": "Bank"}, {"number": 12, "name": "Bank"}),
    Way(
        "/cage/banks/11/open/",
        "cage/drawers/11/open-bank",
        {"cash_50000": "0", "chips_10000": "5", **BY_DAN_FORM},
        {
            "cash": [{"value_cents": 500_00, "count": 0}],
            "chips": [{"value_cents": 100_00, "count": 5}],
            **BY_DAN,
        },
        "drawer",
        lambda h: adds_bank(h.cast, at=h.at),
    ),
    Way(
        "/cage/slips/{slip}/bank/",
        "cage/slips/{slip}/sell-from-bank",
        BY_DAN_FORM,
        BY_DAN,
        "slip",
        _requested_with_bank,
    ),
    Way("/cage/day/drawers/", "cage/drawers", {"number": "3", "name": "Three"}, {"number": 3, "name": "Three"}),
    Way(
        "/cage/1/close/",
        "cage/drawers/1/close",
        {"cash_50000": "10", "chips_10000": "200", "chips_500": "", "card_slips": "", **SIGNED_FORM},
        {"cash": [{"value_cents": 500_00, "count": 10}], "chips": [{"value_cents": 100_00, "count": 200}], **SIGNED},
    ),
    Way(
        "/cage/sessions/{session}/recounted/",
        "cage/sessions/{session}/recount",
        {"cash_50000": "9", "chips_10000": "200", "card_slips": "5", **SIGNED_FORM},
        {
            "cash": [{"value_cents": 500_00, "count": 9}],
            "chips": [{"value_cents": 100_00, "count": 200}],
            "card_slips_cents": 5_00,
            **SIGNED,
        },
        "session",
        _counted_by_others,
    ),
    Way(
        "/cage/1/buy-in/",
        "cage/drawers/1/buy-ins",
        {"amount": "50", "method": "cash", "player_id": ""},
        {"amount_cents": 50_00, "method": "cash"},
    ),
    Way(
        "/cage/1/cash-out/",
        "cage/drawers/1/cash-outs",
        {"amount": "50", "method": "cash", "player_id": "{riku}"},
        {"amount_cents": 50_00, "player_id": "{riku}"},
    ),
    Way(
        "/cage/1/cash-out/",
        "cage/drawers/1/cash-outs",
        {"amount": "50", "method": "cash", "player_id": "", "unnamed": "bought_today"},
        {"amount_cents": 50_00, "unnamed": "bought_today"},
        id="unnamed",
    ),
    Way(
        "/cage/players/{riku}/identity/",
        "people/players/{riku}/identity",
        {"document": "passport", "full_name": "Riku Laine", "number": "XP1", "valid_until": "2031-05-31"},
        {"document": "passport", "full_name": "Riku Laine", "number": "XP1", "valid_until": "2031-05-31"},
    ),
    Way(
        "/cage/1/deposit/",
        "cage/drawers/1/deposits",
        {"amount": "50", "method": "card", "player_id": "{riku}"},
        {"amount_cents": 50_00, "method": "card", "player_id": "{riku}"},
    ),
    Way(
        "/cage/1/withdraw/",
        "cage/drawers/1/withdrawals",
        {"amount": "50", "player_id": "{riku}"},
        {"amount_cents": 50_00, "player_id": "{riku}"},
        before=_deposited,
    ),
    Way(
        "/cage/1/take/",
        "cage/slips/{slip}/take-money",
        {"slip_id": "{slip}", "method": "cash"},
        {"drawer_number": 1, "method": "cash"},
        "slip",
        _requested,
    ),
    Way(
        "/cage/1/vault/",
        "cage/drawers/1/fills",
        {"direction": "fill", "what": "cash", "amount": "50", "username": "frans", "pin": "{pin}"},
        {"what": "cash", "amount_cents": 50_00, "second": {"username": "frans", "pin": "{pin}"}},
        before=_in_one_step,
    ),
    Way(
        "/cage/1/vault/",
        "cage/drawers/1/credits",
        {"direction": "credit", "what": "cash", "amount": "50", "username": "frans", "pin": "{pin}"},
        {"what": "cash", "amount_cents": 50_00, "second": {"username": "frans", "pin": "{pin}"}},
        before=_in_one_step,
        id="credit",
    ),
    Way(
        "/cage/slips/{slip}/reverse/",
        "cage/slips/{slip}/reverse",
        {"reason": "wrong_amount", "username": "frans", "pin": "{pin}"},
        {"reason": "wrong_amount", "second": {"username": "frans", "pin": "{pin}"}},
        "slip",
        lambda h: h.tap(buy_in, h.cast.mari, drawer_id=h.drawer_id, amount_cents=50_00, method="cash"),
    ),
    Way(
        "/cage/slips/{slip}/printed/",
        "cage/slips/{slip}/printed",
        before=lambda h: h.tap(buy_in, h.cast.mari, drawer_id=h.drawer_id, amount_cents=50_00, method="cash"),
    ),
    Way("/cage/day/close/", "cage/day/close", CARRIED_FORM, {"carrying": CARRIED}, before=close_all),
    Way(
        "/cage/day/close/",
        "cage/day/close",
        {**CARRIED_FORM, "carry_drawer.1": "stays_open"},
        {"carrying": [*CARRIED, carried("drawer.1", "stays_open")]},
        before=_leaves_a_drawer,
    ),
    Way(
        "/cage/day/{day}/counted/",
        "cage/days/{day}/counted",
        {
            "carry_box.{day_box}": "under_seal",
            "carry_box.{day_loose}": "not_found",
            "username": "olavi",
            "pin": "{olavi_pin}",
        },
        {
            "carrying": [
                {"item": "box.{day_box}", "reason": "under_seal"},
                {"item": "box.{day_loose}", "reason": "not_found"},
            ],
            "second": OLAVI,
        },
        "day",
        _waits_for_counts,
    ),
    Way("/cage/day/open/", "cage/day/open", before=end_day),
    Way(
        "/cage/slips/{slip}/refuse/",
        "cage/slips/{slip}/refuse",
        {"reason": "card_declined"},
        {"reason": "card_declined"},
        "slip",
        _requested,
    ),
    Way(
        "/cage/slips/{slip}/chips/",
        "cage/slips/{slip}/chips",
        {"chips_with": "player"},
        {"chips_with": "player"},
        before=_on_way,
    ),
    Way("/cage/slips/{slip}/signature/", "cage/slips/{slip}/signature", before=_deposited),
    Way(
        "/cage/slips/{slip}/money/",
        "cage/slips/{slip}/money",
        {"money_with": "cage"},
        {"money_with": "cage"},
        before=_requested,
    ),
    Way(
        "/cage/slips/{slip}/money/",
        "cage/slips/{slip}/money",
        {"money_with": "runner", **BY_DAN_FORM},
        {"money_with": "runner", **BY_DAN},
        before=_requested,
        id="by a runner",
    ),
    Way("/cage/slips/{slip}/refusal-seen/", "cage/slips/{slip}/refusal-seen", before=_refused),
    Way(
        "/cage/1/buy-in/",
        "cage/drawers/1/buy-ins",
        {"amount": "50", "method": "voucher", "player_id": "", "voucher": "{paper}"},
        {"amount_cents": 50_00, "method": "voucher", "voucher": "{paper}"},
        before=issued,
        id="by voucher",
    ),
    Way(
        "/cage/unclaimed/new/",
        "cage/drawers/1/found",
        {"drawer_number": "1", "what": "cash", "amount": "50", "where": "table", "table_number": "1", **SIGNED_FORM},
        {"what": "cash", "amount_cents": 50_00, "where": "table", "table_number": 1, **SIGNED},
    ),
    Way(
        "/cage/unclaimed/{unclaimed}/give/",
        "cage/unclaimed/{unclaimed}/give",
        {"drawer_number": "1", "player_id": "{riku}", **SIGNED_FORM},
        {"drawer_number": 1, "player_id": "{riku}", **SIGNED},
        before=_found,
    ),
    Way(
        "/cage/unclaimed/{unclaimed}/keep/",
        "cage/unclaimed/{unclaimed}/keep",
        {**SIGNED_FORM},
        {**SIGNED},
        before=_lay_long,
    ),
    Way(
        "/cage/vouchers/new/",
        "cage/vouchers/issue",
        {"amount": "50", "origin": "promotion", "last_date": "2026-12-31", **SIGNED_FORM},
        {"amount_cents": 50_00, "origin": "promotion", "last_date": "2026-12-31", **SIGNED},
    ),
    Way(
        "/cage/vouchers/{voucher}/void/",
        "cage/vouchers/{voucher}/void",
        {"reason": "lost", **SIGNED_FORM},
        {"reason": "lost", **SIGNED},
        before=issued,
    ),
    Way("/cage/vouchers/{voucher}/printed/", "cage/vouchers/{voucher}/printed", before=issued),
    Way(
        "/cage/rates/record/",
        "cage/rates",
        {"currency": "SEK", "rate": "0,0871"},
        {"currency": "SEK", "rate_millionths": 87_100},
    ),
    Way(
        "/cage/rates/record/",
        "cage/rates",
        {"currency": "SEK"},
        {"currency": "SEK", "rate_millionths": None},
        before=_takes_kronor,
        id="no longer taken",
    ),
    Way(
        "/cage/vault/counted/",
        "cage/vault/count",
        {"cash_50000": "9", "chips_10000": "200", "card_slips": "5", **SIGNED_FORM},
        {
            "cash": [{"value_cents": 500_00, "count": 9}],
            "chips": [{"value_cents": 100_00, "count": 200}],
            "card_slips_cents": 5_00,
            **SIGNED,
        },
        "vault",
    ),
    Way(
        "/cage/vault/{vault_count}/judge/",
        "cage/vault/counts/{vault_count}/judge",
        before=_vault_short,
        by=lambda house: at_desktop(house.cast.frans),
    ),
    Way(
        "/cage/exchanges/new/",
        "cage/exchanges/new",
        {"got": "86", **KRONOR_FORM, **SIGNED_FORM},
        {"got_cents": 86_00, **notes((1000, 1)), **SIGNED},
        before=_kronor_in_vault,
    ),
    Way(
        "/cage/exchanges/{exchange}/reverse/",
        "cage/exchanges/{exchange}/reverse",
        {"reason": "not_taken", **SIGNED_FORM},
        {"reason": "not_taken", **SIGNED},
        before=_exchanged,
    ),
    Way(
        "/cage/1/buy-in/",
        "cage/drawers/1/buy-ins",
        {"amount": "87", "method": "foreign", "player_id": "", **KRONOR_FORM},
        {"amount_cents": 87_00, "method": "foreign", "foreign": notes((1000, 1))},
        before=_takes_kronor,
        id="by foreign notes",
    ),
    Way(
        "/cage/1/close/",
        "cage/drawers/1/close",
        {"cash_50000": "10", "chips_10000": "200", "foreign_SEK_100000": "1", **SIGNED_FORM},
        {
            "cash": [{"value_cents": 500_00, "count": 10}],
            "chips": [{"value_cents": 100_00, "count": 200}],
            "foreign": [notes((1000, 1))],
            **SIGNED,
        },
        before=_takes_kronor,
        id="with foreign notes",
    ),
    Way(
        "/cage/doubts/{doubt}/",
        "cage/doubts/{doubt}/judge",
        before=_doubted,
        by=lambda house: at_desktop(house.cast.frans),
    ),
    Way(
        "/cage/day/vault/",
        "ledger/vault",
        {"cash": "500,50", "chips": "", "username": "frans", "pin": "{pin}"},
        {"cash_cents": 500_50, "chips_cents": 0, "second": {"username": "frans", "pin": "{pin}"}},
    ),
]
