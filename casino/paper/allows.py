"""Playing on by paper: who prints what a room needs for it, and who enters afterwards what was written."""

from casino.people.permissions import FLOOR, Role, allow

allow(
    {
        "page.paper": FLOOR,
        "paper.print_sheets": FLOOR,
        # Two sign: who was on the floor, and who dealt.
        "paper.catch_up": FLOOR,
        "paper.sign_catch_up": frozenset({Role.DEALER}),
        "paper.catch_up_lists": FLOOR,
        "paper.sign_catch_up_lists": FLOOR | {Role.DEALER},
    },
)
