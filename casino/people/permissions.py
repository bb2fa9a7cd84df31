"""
Who may do what: the one declaration that HTML views, REST and sockets obey.

A name stands for a command ("tables.seat_player", the service's own name), a page ("page.floor"), a
socket's audience ("audience.floor") or a REST reading ("read.tables"). Each app keeps its names in its
own block. `tests/doors/test_matrix.py` walks every route, audience and service against every role and
fails on one that nobody listed here.
"""

from collections.abc import Iterable
from enum import StrEnum

from casino.rooms.models import Place


class Role(StrEnum):
    """What a person holds; below them, who stands at a door without being a person."""

    MANAGER = "manager"
    FLOOR = "floor"
    DEALER = "dealer"
    CASHIER = "cashier"
    AUDITOR = "auditor"

    # An enrolled tablet of a table, whoever is signed in on it or nobody: its state stays readable.
    TABLE = "table"
    # A television: nobody ever signs in there.
    DISPLAY = "display"
    # Any enrolled device, and whoever comes along without a sign-in.
    DEVICE = "device"
    ANYONE = "anyone"
    # A guest's phone, by the pass that the floor gave: it acts for that guest alone.
    GUEST = "guest"
    # Nobody at all: what is due by itself.
    TIME = "time"


STAFF_ROLES = (Role.MANAGER, Role.FLOOR, Role.DEALER, Role.CASHIER, Role.AUDITOR)

# What the blocks below are written with. The lobby is public: everybody who passes the television reads it.
MANAGER = frozenset({Role.MANAGER})
FLOOR = frozenset({Role.FLOOR, Role.MANAGER})
DEALER = frozenset({Role.DEALER, Role.FLOOR, Role.MANAGER})
CASHIER = frozenset({Role.CASHIER, Role.MANAGER})
BOOKS = frozenset({Role.MANAGER, Role.AUDITOR})
STAFF = frozenset(STAFF_ROLES)
DEVICE = frozenset({Role.DEVICE})
GUEST = frozenset({Role.GUEST})
TIME = frozenset({Role.TIME})
PUBLIC = frozenset({Role.ANYONE})

MAY: dict[str, frozenset[Role]] = {
    # people: doors, staff, players, devices
    "page.home": PUBLIC,
    "page.sign_in": PUBLIC,
    "page.sign_out": STAFF,
    "page.enrol": PUBLIC,
    "page.door": DEVICE,
    "page.people": FLOOR | CASHIER,
    "page.devices": MANAGER,
    "people.sign_in": PUBLIC,
    "people.sign_out": STAFF,
    "people.sign_in_on_device": DEVICE,
    "people.sign_out_of_device": DEVICE,
    "people.sign_second": STAFF,
    "page.my_sign_in": STAFF,
    "people.change_pin_on_device": DEVICE,
    "people.change_own_pin": STAFF,
    "people.change_own_password": STAFF,
    "people.enrol_device": PUBLIC,
    "people.add_shift_dealer": FLOOR,
    "people.add_staff": MANAGER,
    "people.change_roles": MANAGER,
    "people.set_pin": MANAGER,
    "people.set_password": MANAGER,
    "people.deactivate_staff": MANAGER,
    "people.start_shift": FLOOR,
    "people.end_shift": FLOOR,
    "people.unlock_person": FLOOR,
    "people.unlock_manager": MANAGER,
    "people.make_enrolment_code": MANAGER,
    "people.revoke_device": MANAGER,
    "people.issue_api_token": MANAGER,
    "people.revoke_api_token": MANAGER,
    "people.add_player": FLOOR | CASHIER,
    "people.rename_player": FLOOR | CASHIER,
    # What keeps a player from playing; the second signature under lifting it, and under a merge.
    "people.ban_player": FLOOR,
    "people.exclude_by_own_wish": FLOOR | CASHIER,
    "people.lift_exclusion": MANAGER,
    "people.approve_lifting": FLOOR,
    "people.set_own_limit": FLOOR | CASHIER,
    "people.keep_apart": FLOOR,
    "people.end_keeping_apart": FLOOR,
    "people.merge_players": MANAGER,
    "people.approve_merge": MANAGER,
    "read.exclusions": FLOOR | CASHIER,
    "read.reasons": BOOKS,
    "people.show_as_number": FLOOR | CASHIER,
    "people.give_pass": FLOOR,
    "people.revoke_pass": FLOOR,
    "read.people": FLOOR | CASHIER,
    "read.full_names": CASHIER,
    "read.staff": FLOOR,
    "read.devices": MANAGER,
    "read.door": DEVICE,
    "read.tokens": MANAGER,
    # audit: the log
    "page.audit": BOOKS,
    "read.audit": BOOKS,
    # ledger: accounts, postings, trial balance
    "page.ledger": BOOKS,
    "read.ledger": BOOKS,
    "ledger.stock_vault": MANAGER,
    # cage: the gaming day, drawers, slips
    "page.cage": CASHIER,
    "audience.cage": CASHIER,
    "audience.drawer": CASHIER,
    "page.day": MANAGER,
    "cage.open_day": MANAGER,
    "cage.close_day": MANAGER,
    "cage.add_drawer": MANAGER,
    "cage.open_drawer": CASHIER,
    "cage.close_drawer": CASHIER,
    "cage.request_buy_in": DEALER | CASHIER,
    "cage.cancel_slip": FLOOR | CASHIER,
    "cage.take_money": CASHIER,
    "cage.buy_in": CASHIER,
    "cage.cash_out": CASHIER,
    "cage.deposit": CASHIER,
    "cage.withdraw": CASHIER,
    "cage.fill_drawer": CASHIER,
    "cage.return_to_vault": CASHIER,
    "cage.reverse_slip": CASHIER,
    "cage.judge_doubt": FLOOR,
    # The second signature, under what goes between vault and drawer, a large payout, a reversal, and the count of a
    # drawer that its cashier closes.
    "cage.approve_fill": FLOOR,
    "cage.approve_payout": FLOOR,
    "cage.approve_reversal": FLOOR,
    "cage.count_drawer": FLOOR | CASHIER,
    "cage.note_print": CASHIER,
    "read.cage": CASHIER,
    "read.day": STAFF,
    # tables: the floor, the dealer's tablet, the lobby
    "page.floor": FLOOR,
    "audience.floor": FLOOR,
    "audience.table_floor": FLOOR,
    "page.dealer": DEALER | {Role.TABLE},
    "audience.dealer": DEALER | {Role.TABLE},
    "page.lobby": PUBLIC,
    "audience.lobby": PUBLIC,
    # Whoever comes along may ask for it; it shows something to who holds a pass.
    "page.phone": PUBLIC,
    "audience.pass": GUEST,
    "audience.dealers": FLOOR,
    "page.dealer_times": MANAGER,
    "page.own_downs": DEALER,
    "tables.push_dealer": FLOOR,
    "tables.end_down": FLOOR,
    "tables.change_deck": DEALER,
    "tables.call_clock": DEALER,
    "tables.end_clock": DEALER,
    "tables.set_pot_aside": DEALER,
    "tables.pay_disputed_pot": FLOOR,
    "tables.put_pot_back": FLOOR,
    "tables.write_incident": FLOOR,
    "tables.end_penalty": FLOOR,
    "tables.let_penalty_run_out": TIME,
    "tables.let_ban_end": TIME,
    "tables.add_table": MANAGER,
    "tables.offer_games": MANAGER,
    "tables.open_table": FLOOR,
    "tables.close_table": FLOOR,
    "tables.record_draw": DEALER,
    "tables.button_here": DEALER,
    "tables.seat_player": DEALER,
    "tables.choose_entry": DEALER,
    "read.lists": FLOOR,
    "tables.join_list": FLOOR,
    "tables.check_in": FLOOR,
    "tables.call_player": FLOOR,
    "tables.take_back_call": FLOOR,
    "tables.strike": FLOOR,
    "tables.take_back_strike": FLOOR,
    "tables.drop_out": FLOOR,
    "tables.grant_more_time": FLOOR,
    "tables.refuse_more_time": FLOOR,
    "tables.say_on_the_way": GUEST,
    "tables.ask_more_time": GUEST,
    "tables.drop_by_phone": GUEST,
    "tables.fetch_chips": FLOOR,
    "tables.reorder_list": FLOOR,
    "tables.let_call_run_out": TIME,
    "tables.move_player": FLOOR,
    "tables.take_back_move": FLOOR,
    "tables.ask_table_change": FLOOR,
    "tables.end_table_change": FLOOR,
    "tables.announce_last_orbit": FLOOR,
    "tables.take_back_last_orbit": FLOOR,
    "tables.prepare_seat_draw": FLOOR,
    "tables.draw_seats": FLOOR,
    "tables.wait_with_right": FLOOR,
    "tables.change_stakes": FLOOR,
    # A dealer seats players too, and what that passes over is noted with it.
    "tables.note_overrule": DEALER,
    "tables.measure_turnover": TIME,
    "tables.hold_seat": DEALER,
    "tables.set_straddle": DEALER,
    "tables.set_long_break": DEALER,
    "tables.set_absence_limit": FLOOR,
    "tables.pick_up_stack": FLOOR,
    "tables.ask_seat_change": DEALER,
    # With the floor's leave, which is its tap (H2.13, H4.45): the dealer notes the wish.
    "tables.change_seat": FLOOR,
    "tables.take_back_seat_change": FLOOR,
    "tables.play_over": FLOOR,
    "tables.leave_seat": DEALER,
    "tables.count_stack": FLOOR,
    "tables.take_back_leaving": DEALER,
    "tables.bring_chips": DEALER,
    "tables.count_tip_box": DEALER,
    "tables.deal_hand": DEALER,
    "tables.show_flop": DEALER,
    "tables.settle_hand": DEALER,
    "tables.skip_hand": DEALER,
    "tables.void_hand": DEALER,
    "tables.undo_hand": DEALER,
    "tables.void_settled_hand": FLOOR,
    "tables.correct_hand": FLOOR,
    "tables.supply_hand": FLOOR,
    "tables.judge": FLOOR,
    # A queued tap that nobody can vouch for is kept for the floor, whoever is signed in on its tablet or nobody.
    "tables.keep_tap": frozenset({Role.TABLE}),
    "tables.enter_tap": FLOOR,
    "read.tables": DEALER | CASHIER | BOOKS | {Role.TABLE},
    "read.todos": FLOOR,
    # tables: the room's rule book, and what is posted of it
    "page.posted": PUBLIC,
    "page.books": BOOKS,
    "read.books": BOOKS,
    "tables.edit_book": MANAGER,
    "tables.discard_book": MANAGER,
    "tables.ask_for_book": MANAGER,
    "tables.approve_book": MANAGER,
    "tables.refuse_book": MANAGER,
    "tables.withdraw_book": MANAGER,
    "tables.let_book_hold": TIME,
    # tables: time charges
    "tables.take_time": DEALER,
    "tables.let_time_go": FLOOR,
    "tables.take_back_time": FLOOR,
    # the REST interface's own description
    "read.api_docs": PUBLIC,
}

# What a table's tablet queues while it has no connection: facts of its own table, and so the only taps that may come
# under a sign-in that has ended (`casino.people.earlier`).
QUEUED = frozenset(
    {
        "tables.deal_hand",
        "tables.show_flop",
        "tables.settle_hand",
        "tables.skip_hand",
        "tables.void_hand",
        "tables.undo_hand",
        "tables.record_draw",
        "tables.button_here",
        "tables.count_tip_box",
        "tables.take_time",
        "tables.change_deck",
        "tables.set_pot_aside",
        "tables.call_clock",
        "tables.end_clock",
        "tables.hold_seat",
        "tables.choose_entry",
        "tables.set_straddle",
        "tables.leave_seat",
    }
)

# What a password that somebody else set opens: the change of it.
_HELD = frozenset({"page.my_sign_in", "page.sign_out", "people.sign_out", "people.change_own_password"})

# What takes a person at a screen: no program signs, makes tokens of other programs, or opens a door to anybody. A
# person, a role, a PIN or a device that it gave would outlive the token's own end.
NEVER_BY_TOKEN = frozenset(
    {
        "people.sign_second",
        "people.issue_api_token",
        "people.add_staff",
        "people.add_shift_dealer",
        "people.change_roles",
        "people.set_pin",
        "people.set_password",
        "people.unlock_person",
        "people.unlock_manager",
        "people.make_enrolment_code",
        "people.change_own_pin",
        "people.change_own_password",
        "tables.approve_book",
    }
)

# Which of a person's roles count on a device at such a place: a manager who wants to rule at a table
# holds the floor's role too, and nobody opens the books on a tablet that players can read.
ROLES_AT: dict[str, frozenset[Role]] = {
    Place.Kind.TABLE: frozenset({Role.DEALER, Role.FLOOR}),
    Place.Kind.FLOOR: frozenset({Role.FLOOR, Role.MANAGER}),
    Place.Kind.CAGE: frozenset({Role.CASHIER, Role.MANAGER}),
    Place.Kind.DISPLAY: frozenset(),
}
_DEVICE_ROLES: dict[str, frozenset[Role]] = {
    Place.Kind.TABLE: frozenset({Role.TABLE, Role.DEVICE}),
    Place.Kind.FLOOR: DEVICE,
    Place.Kind.CAGE: DEVICE,
    Place.Kind.DISPLAY: frozenset({Role.DISPLAY, Role.DEVICE}),
}
# What a table's tablet may show, whoever is signed in on it: players read it from 60 cm away.
_SHOWN_AT_TABLE = frozenset(
    {
        "page.home",
        "page.sign_in",
        "page.sign_out",
        "page.enrol",
        "page.door",
        "page.dealer",
        "page.own_downs",
        "page.lobby",
        "page.posted",
        "page.phone",
        "audience.dealer",
        "audience.lobby",
        "read.door",
        "read.tables",
        "read.api_docs",
    }
)


def may_of(roles: Iterable[str], device_kind: str | None = None) -> frozenset[str]:
    """
    Return every name that somebody with these roles may use, at a desktop or on a device at such a place.

    `device_kind` is a `Place.Kind`, or None at a desktop. No roles: what anyone may, or the device by itself.
    """
    held = {Role(role) for role in roles}
    if device_kind is not None:
        held = (held & ROLES_AT[device_kind]) | _DEVICE_ROLES[device_kind]
    held.add(Role.ANYONE)
    names = frozenset(name for name, allowed in MAY.items() if allowed & held)
    if device_kind == Place.Kind.TABLE:
        shows = {name for name in names if name.startswith(("page.", "audience.", "read."))}
        names -= shows - _SHOWN_AT_TABLE
    return names


def may_until_changed() -> frozenset[str]:
    """Return every name that somebody may use whose password was set by somebody else."""
    return may_of(()) | _HELD


def is_held(may: frozenset[str]) -> bool:
    """Tell whether this is somebody who may do nothing here before they have a password of their own."""
    return "people.change_own_password" in may and "people.change_own_pin" not in may
