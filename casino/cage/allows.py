"""The gaming day, drawers and slips: who may do what there, and the desks."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import BOOKS, CASHIER, COMPLIANCE, DEALER, FLOOR, MANAGER, STAFF, allow
from casino.rooms.models import Place

allow(
    {
        "page.cage": CASHIER,
        "audience.cage": CASHIER,
        "audience.drawer": CASHIER,
        # What was paid and counted, to be read; the commands on these pages are the manager's and the cashier's.
        "page.slips": CASHIER | BOOKS | COMPLIANCE,
        "page.day": BOOKS,
        "cage.open_day": MANAGER,
        "cage.close_day": MANAGER,
        # Two of those who read the books close a day as counted: who asks, and who signs.
        "cage.close_counts": BOOKS,
        "cage.sign_counts": BOOKS,
        "cage.add_drawer": MANAGER,
        "cage.add_bank": MANAGER,
        "cage.open_drawer": CASHIER,
        # A runner's bank: the cage opens it for a runner, who signs, and sells out of it at the tables.
        "cage.open_bank": CASHIER,
        "cage.hold_bank": DEALER | CASHIER,
        "cage.sell_from_bank": DEALER | CASHIER,
        "cage.close_drawer": CASHIER,
        "cage.recount_drawer": CASHIER,
        "cage.request_buy_in": DEALER | CASHIER,
        "cage.cancel_slip": FLOOR | CASHIER,
        "cage.refuse_request": CASHIER,
        "cage.note_refusal_seen": FLOOR,
        # Who has the money of a request: whoever takes it says so, a runner by PIN where another is signed in.
        "cage.note_money": DEALER | CASHIER,
        "cage.carry_money": DEALER | CASHIER,
        # Chips that were paid are on their way, and come to their seat.
        "cage.note_chips": DEALER | CASHIER,
        # Who gives money back although another has it, and says that chips did not come although another said so.
        "cage.give_back_money": FLOOR,
        "cage.take_money": CASHIER,
        "cage.buy_in": CASHIER,
        "cage.cash_out": CASHIER,
        "cage.deposit": CASHIER,
        "cage.withdraw": CASHIER,
        "cage.fill_drawer": CASHIER,
        "cage.return_to_vault": CASHIER,
        "cage.reverse_slip": CASHIER,
        # A sale out of a rack that never was, after a count has seen it.
        "cage.void_rack_sale": FLOOR | CASHIER,
        "cage.judge_doubt": FLOOR,
        # Fills and credits that go their way as slips: asked for, authorised by another, carried, counted by two.
        "page.fills": FLOOR | CASHIER | BOOKS,
        "audience.fills": FLOOR | CASHIER | BOOKS,
        "read.fills": FLOOR | CASHIER | BOOKS,
        "cage.request_fill": FLOOR | CASHIER,
        "cage.authorise_fill": FLOOR,
        "cage.refuse_fill": FLOOR | CASHIER,
        "cage.deliver_fill": FLOOR | CASHIER,
        "cage.verify_fill": FLOOR | CASHIER,
        "cage.return_fill": FLOOR | CASHIER,
        "cage.judge_fill": FLOOR,
        "cage.note_fill_print": FLOOR | CASHIER,
        # The runner's signature, and that of the second person under a fill's count.
        "cage.carry_fill": DEALER | CASHIER,
        "cage.count_fill": DEALER | CASHIER,
        # One of the two who count is whoever answers for what lies there.
        "cage.receive_at_vault": CASHIER,
        "cage.receive_at_drawer": CASHIER,
        "page.unclaimed": CASHIER | BOOKS,
        # One of them, to be read, as a slip is: lost cash that was claimed is among what findings rest on.
        "page.unclaimed_one": CASHIER | BOOKS | COMPLIANCE,
        "read.unclaimed": CASHIER | BOOKS,
        "cage.take_in_found": CASHIER,
        "cage.give_unclaimed": CASHIER,
        "cage.approve_unclaimed": FLOOR,
        "cage.keep_unclaimed": MANAGER,
        "cage.approve_kept": MANAGER,
        "page.vouchers": BOOKS,
        "read.vouchers": BOOKS,
        "cage.issue_voucher": MANAGER,
        "cage.void_voucher": MANAGER,
        "cage.approve_voucher": FLOOR,
        "cage.note_voucher_print": MANAGER,
        # At which rates foreign notes are taken.
        "page.rates": BOOKS,
        "read.rates": CASHIER | BOOKS,
        "cage.record_rate": MANAGER,
        # Foreign notes out of the vault, to whoever exchanges them; the second signature under it.
        "page.exchanges": BOOKS,
        "read.exchanges": BOOKS,
        "cage.exchange_notes": MANAGER,
        "cage.reverse_exchange": MANAGER,
        "cage.approve_exchange": FLOOR,
        # The vault, counted by two, one of whom does not read the books.
        "page.vault": FLOOR | CASHIER | BOOKS,
        "read.vault": FLOOR | CASHIER | BOOKS,
        "cage.count_vault": CASHIER,
        "cage.sign_vault": FLOOR | CASHIER,
        "cage.judge_vault": FLOOR,
        # The second signature, under what goes between vault and drawer, a large payout, a reversal, and each count of
        # a drawer.
        "cage.approve_fill": FLOOR,
        "cage.approve_payout": FLOOR,
        "cage.approve_reversal": FLOOR,
        "cage.count_drawer": FLOOR | CASHIER,
        "cage.note_print": CASHIER,
        "cage.note_signature": CASHIER,
        # How long deposits have lain, by name.
        "page.deposits": BOOKS,
        "read.deposits": BOOKS,
        "read.cage": CASHIER | BOOKS,
        "read.doubts": FLOOR,
        "read.day": STAFF,
        "read.days": BOOKS,
    },
)

add_desk(Desk("page.cage", "/cage/", _("Cage"), rank=20, first_at=Place.Kind.CAGE))
# Who works at the cage comes by a window.
add_desk(Desk("page.fills", "/cage/fills/", _("Fills"), rank=22, instead_of="page.cage"))
add_desk(Desk("page.day", "/cage/day/", _("Day"), rank=55))
