"""The jackpot's pages: who may try a hand, whose desk it is, and the rules, which are announced to everybody."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import BOOKS, DEALER, FLOOR, MANAGER, PUBLIC, TIME, allow

allow(
    {
        "page.jackpot": FLOOR,
        "read.jackpots": FLOOR,
        "audience.claims": FLOOR,
        "page.jackpot_rules": PUBLIC,
        "page.jackpot_sum": PUBLIC,
        "jackpot.add_takings": TIME,
        "jackpot.call_bad_beat": DEALER,
        "jackpot.withdraw_claim": FLOOR,
        "jackpot.enter_hands": FLOOR,
        "jackpot.tick_check": FLOOR,
        "jackpot.dispute_claim": FLOOR,
        "jackpot.verify_claim": FLOOR,
        "jackpot.refuse_claim": FLOOR,
        "jackpot.approve_claim": FLOOR,
        "jackpot.dispute_share": FLOOR,
        "page.jackpot_claim": FLOOR,
        # The second signature, under what is paid, and under the refusal of what could be paid.
        "jackpot.sign_claim": MANAGER,
        "read.jackpot_claims": FLOOR | BOOKS,
        # A pool's sum changes otherwise than by hands and claims only by two managers.
        "page.jackpot_pools": MANAGER,
        "audience.jackpots": MANAGER,
        "jackpot.correct_sum": MANAGER,
        "jackpot.recover_seed": MANAGER,
        "jackpot.wind_down": MANAGER,
        "jackpot.sign_pool": MANAGER,
        "page.jackpot_reports": BOOKS,
        "read.jackpot_reports": BOOKS,
        "jackpot.sign_report": MANAGER,
        # The second signature under a report, by another manager or whoever looks into the books.
        "jackpot.countersign_report": BOOKS,
    },
    queued=["jackpot.call_bad_beat"],
    shown_at_tables=["page.jackpot_rules", "page.jackpot_sum"],
)

add_desk(Desk("page.jackpot", "/jackpot/", _("Jackpot"), rank=65, beside="/promotions/"))
add_desk(Desk("page.jackpot_reports", "/jackpot/reports/", _("Jackpot"), rank=66, instead_of="page.jackpot"))
