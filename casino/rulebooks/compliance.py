"""What a compliance officer is shown to look at: no source says a figure, so that all of it is the house's."""

from typing import Annotated

from msgspec import Meta, Struct

Percent = Annotated[int, Meta(ge=1, le=99)]


class Compliance(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    From when on buy-ins and pay-outs look like one sum in parts, measured by `cage.identity_from_cents`.

    `together_days`: within so many gaming days they count together; `together_part_percent`: from that share of the sum
    on what somebody brings, or is paid, on one gaming day is a part of it, and less is what regulars buy in for; 0:
    whatever it is. `just_below_percent`: from that share of the sum
    up to it an amount is just below it; `just_below_times`: so many of them are several. `little_played_percent`: chips
    bought and cashed out again for that share of the sum at least are much, and up to `little_played_hands` hands dealt
    meanwhile are few. `unnamed_minutes`: amounts just below the sum, without a name and at one desk, with no longer
    between one and the next, are close together.
    """

    together_days: Annotated[int, Meta(ge=1, le=31)] = 3
    together_part_percent: Annotated[int, Meta(ge=0, le=99)] = 0
    just_below_percent: Percent = 80
    just_below_times: Annotated[int, Meta(ge=2, le=99)] = 2
    little_played_percent: Annotated[int, Meta(ge=1, le=1_000)] = 50
    little_played_hands: Annotated[int, Meta(ge=0, le=1_000)] = 10
    unnamed_minutes: Annotated[int, Meta(ge=1, le=1_440)] = 60
