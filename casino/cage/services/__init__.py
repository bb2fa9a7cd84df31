"""Everything that staff do at the cage. One function for each thing; they all lock in the house's order."""

from casino.cage.services.counting import close_drawer, recount_drawer
from casino.cage.services.doubts import judge_doubt
from casino.cage.services.drawers import add_drawer
from casino.cage.services.fills import fill_drawer, return_to_vault
from casino.cage.services.opening import open_drawer
from casino.cage.services.paying import buy_in, cash_out, deposit, take_money, withdraw
from casino.cage.services.requests import cancel_slip, request_buy_in
from casino.cage.services.voiding import note_print, reverse_slip

__all__ = [
    "add_drawer",
    "buy_in",
    "cancel_slip",
    "cash_out",
    "close_drawer",
    "deposit",
    "fill_drawer",
    "judge_doubt",
    "note_print",
    "open_drawer",
    "recount_drawer",
    "request_buy_in",
    "return_to_vault",
    "reverse_slip",
    "take_money",
    "withdraw",
]
