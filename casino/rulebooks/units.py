"""What the keys of a rule book hold: amounts, times, seats and names, each within its bounds."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

# A billion: beyond any game, and sums of many still fit a bigint.
CENTS_MAX = 10**11
Cents: TypeAlias = Annotated[int, Meta(ge=0, le=CENTS_MAX)]
PositiveCents: TypeAlias = Annotated[int, Meta(gt=0, le=CENTS_MAX)]
# Nothing here is counted down for longer than a day.
Seconds: TypeAlias = Annotated[int, Meta(gt=0, le=24 * 60 * 60)]
Minutes: TypeAlias = Annotated[int, Meta(gt=0, le=24 * 60)]
# What the floor gives by one tap: as many as lie beside each other on its tablet.
OfferedMinutes: TypeAlias = Annotated[tuple[Minutes, ...], Meta(min_length=1, max_length=6)]
VoucherDays: TypeAlias = Annotated[int, Meta(ge=0, le=36_500)]
# A month at least: what is looked for is looked for within weeks.
RetentionDays: TypeAlias = Annotated[int, Meta(ge=30, le=36_500)]
# A table has no more, whatever a house's book says of its games (H2.2, H6.1): rows, forms and calls are bounded by it.
SEATS_MIN, SEATS_MAX = 2, 12
Seats: TypeAlias = Annotated[int, Meta(ge=SEATS_MIN, le=SEATS_MAX)]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
Code: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
Language: TypeAlias = Literal["cs", "da", "en", "fi", "sv"]
# What is refused or said, as the code names it, and the clause of a house's document.
Reason: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9]+(_[a-z0-9]+)*$", max_length=60)]
ClauseId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=12)]
Sentence: TypeAlias = Annotated[str, Meta(min_length=1, max_length=300)]
Family: TypeAlias = Annotated[str, Meta(pattern="^([a-z0-9]+(-[a-z0-9]+)*)?$", max_length=40)]
