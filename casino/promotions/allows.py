"""The promotions' pages and commands: who may do what; what is promised is announced to everybody."""

from casino.people.permissions import BOOKS, FLOOR, MANAGER, PUBLIC, TIME, allow

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
        "promotions.decide_period": FLOOR,
        "promotions.call_off_period": FLOOR,
        # The second signature under what is won, or not won, or called off.
        "promotions.sign_period": MANAGER,
    },
    shown_at_tables=["page.promotion"],
)
