"""Playing on by paper: who prints what a room needs for it."""

from casino.people.permissions import FLOOR, allow

allow(
    {
        "page.paper": FLOOR,
        "paper.print_sheets": FLOOR,
    },
)
