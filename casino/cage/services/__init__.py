"""Everything that staff do at the cage. One function for each thing; they all lock in the house's order."""

from casino.cage.services.banks import open_bank, sell_from_bank
from casino.cage.services.chips import note_chips
from casino.cage.services.counting import close_drawer, recount_drawer
from casino.cage.services.days import close_counts, close_day, open_day
from casino.cage.services.doubts import judge_doubt
from casino.cage.services.drawers import add_bank, add_drawer
from casino.cage.services.exchanges import exchange_notes, reverse_exchange
from casino.cage.services.fill_moves import deliver_fill, judge_fill, return_fill, verify_fill
from casino.cage.services.fill_slips import authorise_fill, note_fill_print, refuse_fill, request_fill
from casino.cage.services.fills import fill_drawer, return_to_vault
from casino.cage.services.foreign import record_rate
from casino.cage.services.money import note_money
from casino.cage.services.opening import open_drawer
from casino.cage.services.paying import buy_in, cash_out, deposit, take_money, withdraw
from casino.cage.services.refusing import note_refusal_seen, refuse_request
from casino.cage.services.requests import cancel_slip, request_buy_in
from casino.cage.services.signing import note_signature
from casino.cage.services.unclaimed import give_unclaimed, keep_unclaimed, take_in_found
from casino.cage.services.vault_counts import count_vault, judge_vault
from casino.cage.services.voiding import note_print, reverse_slip, void_rack_sale
from casino.cage.services.vouchers import issue_voucher, note_voucher_print, void_voucher

__all__ = [
    "add_bank",
    "add_drawer",
    "authorise_fill",
    "buy_in",
    "cancel_slip",
    "cash_out",
    "close_counts",
    "close_day",
    "close_drawer",
    "count_vault",
    "deliver_fill",
    "deposit",
    "exchange_notes",
    "fill_drawer",
    "give_unclaimed",
    "issue_voucher",
    "judge_doubt",
    "judge_fill",
    "judge_vault",
    "keep_unclaimed",
    "note_chips",
    "note_fill_print",
    "note_money",
    "note_print",
    "note_refusal_seen",
    "note_signature",
    "note_voucher_print",
    "open_bank",
    "open_day",
    "open_drawer",
    "record_rate",
    "recount_drawer",
    "refuse_fill",
    "refuse_request",
    "request_buy_in",
    "request_fill",
    "return_fill",
    "return_to_vault",
    "reverse_exchange",
    "reverse_slip",
    "sell_from_bank",
    "take_in_found",
    "take_money",
    "verify_fill",
    "void_rack_sale",
    "void_voucher",
    "withdraw",
]
