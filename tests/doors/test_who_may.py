"""Who may do what, a second time: what an app declares too widely is found by the word that is missing here."""

from collections import defaultdict
from typing import Any, cast

import pytest

from casino.cage.views.banks import bank_add
from casino.commands.carrying_out import Actor
from casino.people.desks import home_of
from casino.people.permissions import MAY, STAFF_ROLES, Role, may_of

# What the floor and the manager may, most of all there is, is what is left: it needs no row. A name that is given to
# anybody else, or to the manager alone, is written here as well.
MAY_BESIDE_THE_FLOOR = {
    "anyone": """
        audience.lobby page.enrol page.home page.jackpot_sum page.jackpot_rules page.lobby page.looks
        page.promotion
        page.phone page.posted page.sign_in people.enrol_device people.sign_in read.api_docs
    """,
    "device": """
        page.door people.change_pin_on_device people.sign_in_on_device people.sign_out_of_device read.door
    """,
    "guest": "audience.pass waiting.ask_more_time waiting.drop_by_phone waiting.say_on_the_way",
    "manager": """
        audience.jackpots cage.add_bank cage.add_drawer cage.close_day cage.approve_kept cage.issue_voucher
        cage.exchange_notes cage.keep_unclaimed cage.open_day cage.reverse_exchange
        cage.note_voucher_print cage.record_rate cage.void_voucher jackpot.correct_sum jackpot.recover_seed
        jackpot.sign_claim jackpot.sign_report
        jackpot.sign_pool jackpot.wind_down ledger.stock_vault page.dealer_times page.devices page.jackpot_pools
        page.tips people.add_staff people.approve_merge people.change_roles people.deactivate_staff people.erase_player
        people.give_data page.staff_data people.erase_staff people.give_staff_data
        people.issue_api_token people.lift_exclusion people.make_enrolment_code people.merge_players
        people.revoke_api_token people.revoke_device people.set_password people.set_pin
        people.unlock_manager promotions.change_fund promotions.sign_fund promotions.sign_period
        read.devices read.tokens tables.add_table tables.approve_book tables.hand_tips_on
        tables.note_tip_receipt
        tables.ask_for_book tables.discard_book tables.edit_book tables.offer_games tables.refuse_book
        tables.withdraw_book
    """,
    "table": "tables.keep_tap",
    "time": """
        jackpot.add_takings people.forget_by_time promotions.draw_splash
        tables.let_ban_end tables.let_book_hold tables.let_penalty_run_out
        waiting.let_call_run_out waiting.measure_turnover
    """,
    "auditor manager": """
        cage.close_counts cage.sign_counts page.exchanges read.days read.exchanges
        audience.packs jackpot.countersign_report page.books page.day page.day_report page.deposits
        page.jackpot_reports page.ledger page.packs page.rates page.vouchers read.books read.day_report read.deposits
        read.jackpot_reports read.ledger read.racks read.reasons read.tips read.vouchers reports.make_pack
    """,
    "cashier manager": """
        audience.cage audience.drawer cage.buy_in cage.cash_out cage.close_drawer cage.deposit
        cage.receive_at_drawer cage.receive_at_vault
        cage.fill_drawer cage.note_print cage.note_signature cage.open_drawer cage.recount_drawer
        cage.open_bank cage.count_vault
        cage.return_to_vault cage.reverse_slip
        cage.give_unclaimed cage.refuse_request cage.take_in_found cage.take_money cage.withdraw page.cage
        people.check_identity read.full_names
    """,
    "auditor compliance manager": "page.audit page.exceptions read.audit read.exceptions",
    "compliance floor manager": "people.approve_compliance",
    "compliance manager": """
        page.kept_data people.approve_lifting_inquiry people.lift_inquiry people.open_inquiry
        people.open_staff_inquiry read.kept_data
    """,
    "compliance": """
        compliance.mark_finding compliance.write_note page.exception_cases page.findings read.findings read.suspicions
    """,
    "auditor cashier compliance manager": "page.slips page.unclaimed_one",
    "auditor cashier manager": "page.unclaimed read.cage read.rates read.unclaimed",
    "auditor cashier floor manager": """
        audience.boxes audience.fills page.boxes page.fills page.vault read.boxes read.fills read.vault
    """,
    "auditor compliance floor manager": "page.hands",
    "auditor floor manager": "page.racks read.jackpot_claims read.promotions",
    "cashier floor manager": """
        boxes.count_box boxes.sign_count promotions.sign_splash tables.sign_payroll cage.void_rack_sale
        cage.deliver_fill cage.note_fill_print cage.refuse_fill cage.request_fill cage.return_fill cage.verify_fill
        cage.cancel_slip cage.count_drawer cage.sign_vault page.people people.add_player
        people.approve_giving_data people.exclude_by_own_wish
        people.rename_player people.set_own_limit people.show_as_number read.exclusions read.people
    """,
    "dealer": "paper.sign_catch_up",
    "dealer floor manager": """
        jackpot.call_bad_beat page.own_downs tables.ask_seat_change tables.bring_chips tables.button_here
        tables.call_clock tables.call_floor tables.change_deck tables.check_rack tables.choose_entry
        tables.count_tip_box tables.deal_hand tables.end_clock tables.hold_seat tables.leave_seat
        tables.record_draw tables.seat_player tables.set_long_break tables.set_pot_aside tables.set_straddle
        tables.settle_hand tables.show_flop tables.skip_hand tables.take_back_leaving tables.take_time
        tables.receive_fill tables.undo_hand tables.void_hand paper.sign_catch_up_lists
        read.own_tips tables.close_tips tables.take_back_closed_tips tables.sell_from_rack
    """,
    "cashier dealer floor manager": """
        cage.hold_bank cage.sell_from_bank
        cage.carry_fill cage.carry_money cage.count_fill cage.note_chips cage.note_money cage.request_buy_in
        tables.sign_rack
        tables.sign_tips
    """,
    "dealer floor manager table": "audience.dealer page.dealer",
    "auditor cashier compliance dealer floor manager": """
        page.my_sign_in page.sign_out people.change_own_password people.change_own_pin people.sign_out
        people.sign_second read.day
    """,
    "auditor cashier dealer floor manager table": "read.tables",
}


def test_nobody_may_more_than_was_meant() -> None:
    found = defaultdict(set)
    for name, roles in MAY.items():
        found[" ".join(sorted(roles))].add(name)
    del found["floor manager"]

    assert found == {roles: set(names.split()) for roles, names in MAY_BESIDE_THE_FLOOR.items()}


@pytest.mark.parametrize("role", STAFF_ROLES)
def test_every_role_has_a_desk_of_its_own(role: Role) -> None:
    """Who has none is led to the lobby, which tells them nothing."""
    assert home_of(Actor(room_id=1, staff_id=1, may=may_of([role]))) != "/lobby/"


def test_a_bank_is_added_by_whoever_may_add_one_and_not_by_whoever_sees_its_page() -> None:
    assert cast(Any, bank_add).page_name == "cage.add_bank"
