"""The promotions' pages and commands: who may do what; what is promised is announced to everybody."""

from casino.people.permissions import BOOKS, CASHIER, FLOOR, MANAGER, PUBLIC, TIME, allow

allow(
    {
        "page.promotions": FLOOR,
        "page.promotion": PUBLIC,
        "audience.promotions": FLOOR,
        "read.promotions": FLOOR | BOOKS,
        "promotions.change_fund": MANAGER,
        "promotions.sign_fund": MANAGER,
        "promotions.open_periods": FLOOR,
        "promotions.enter_hand": FLOOR,
        "promotions.take_back_hand": FLOOR,
        "promotions.draw_splash": TIME,
        "promotions.note_splash": FLOOR,
        "promotions.pass_splash": FLOOR,
        "promotions.take_back_splash": FLOOR,
        "promotions.decide_period": FLOOR,
        "promotions.take_back_decision": FLOOR,
        "promotions.call_off_period": FLOOR,
        # The second signature under what is won, or not won, or called off, and under taking the first two back.
        "promotions.sign_period": MANAGER,
        # That a pot was not splashed after all is seen at the table or in the drawer.
        "promotions.sign_splash": FLOOR | CASHIER,
    },
    shown_at_tables=["page.promotion"],
)
