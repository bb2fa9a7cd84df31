"""Boxes: who hangs and drops them, who counts."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import BOOKS, CASHIER, FLOOR, allow

_SEES = FLOOR | CASHIER | BOOKS

allow(
    {
        "boxes.hang_box": FLOOR,
        "boxes.drop_box": FLOOR,
        "boxes.take_back": FLOOR,
        "boxes.count_box": FLOOR | CASHIER,
        # The second signature under a count.
        "boxes.sign_count": FLOOR | CASHIER,
        "boxes.judge_count": FLOOR,
        "read.boxes": _SEES,
        "page.boxes": _SEES,
        "audience.boxes": _SEES,
    },
)

add_desk(Desk("page.boxes", "/boxes/", _("Boxes"), rank=25))
