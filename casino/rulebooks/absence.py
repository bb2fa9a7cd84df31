"""How long a house holds the seat of a player who is away (H1.8-H1.10, R-§4, U35)."""

from typing import Annotated

from msgspec import Meta, Struct

from casino.rulebooks.units import Minutes, OfferedMinutes

MinutesOrNone = Annotated[int, Meta(ge=0, le=1440)]


class Absence(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    When a seat may be taken from a player who is away. Nobody loses one without a person's tap (A1).

    `limit_minutes`: so long a seat is held, 0 for no such limit; the floor may set another for one absence (H1.10).
    `buttons_max`: so often the button may pass it, 0 for no such limit (R-§4). `only_with_list`: none of it counts
    while nobody waits for the game (R-§4, RA9). `warning_minutes`: so long before the limit the floor is told.
    The long break that each may take once an evening (H1.9) is a timer (`long_break_minutes`).
    The floor's own limit is `floor_minutes_max` from now at most (H1.10); `floor_minutes` it sets by one tap.
    """

    limit_minutes: MinutesOrNone = 0
    buttons_max: Annotated[int, Meta(ge=0, le=9)] = 0
    only_with_list: bool = False
    warning_minutes: MinutesOrNone = 5
    floor_minutes_max: Minutes = 240
    floor_minutes: OfferedMinutes = (5, 10, 20, 30)

    def __post_init__(self) -> None:
        if max(self.floor_minutes) > self.floor_minutes_max:
            raise ValueError("floor_minutes offers more than floor_minutes_max")
