"""What a call says of a sheet that is caught up. Amounts are cents, seats and lines are numbers from 1."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from casino.cage import rules
from casino.cage.api.bodies import SecondPerson
from casino.paper.entered import (
    AWAY,
    DOWNS_MAX,
    HANDS_MAX,
    LINES_MAX,
    TIMES_MAX,
    ChipLine,
    DeckLine,
    DownLine,
    Entered,
    HandLine,
    SeatLine,
    TimeLine,
)
from casino.paper.signers import OVERRULE_WORDS
from casino.poker.missed import Missed
from casino.poker.positions import Entry
from casino.rest import Body, Cents, Id, Moment, Text, Whole
from casino.rulebooks.units import SEATS_MAX
from tables.api.time_charges import Period
from tables.api.work import DeckBody
from tables.rules.time_paid import Paid

SEAT_MAX = 99


class SheetSeat(Whole):
    """A seat as the sheet has it: one that the table has not is refused with the seats that there are."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": SEAT_MAX} | options)


class SheetLine(Whole):
    """Which line of the sheet."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": HANDS_MAX} | options)


class HandLineBody(Body):
    """A line of the drop slip; `taken` is what went into the boxes, by the kind of charge."""

    number = SheetLine()
    button = SheetSeat(allow_null=True, default=None)
    taken = serializers.DictField(child=Cents(), default=dict)


class DownLineBody(Body):
    """A line of the down slip."""

    dealer_id = Id()
    began_at = Moment()
    ended_at = Moment()


class DeckLineBody(DeckBody):
    """A deck that came into play, on a line of the down slip."""

    number = SheetLine()
    at = Moment()


class SeatPaidBody(Body):
    """What was put in at a seat."""

    seat_number = SheetSeat()
    cents = Cents()


class TimeLineBody(Body):
    """A line of the time slip: a period of the time charge, when it was taken, and what each seat put in."""

    period = Period()
    at = Moment()
    paid = serializers.ListField(child=SeatPaidBody(), max_length=SEATS_MAX, default=list)


class ChipLineBody(Body):
    """
    A line of buy-ins, and of who came and left: who came by `player_id` or `nickname`, neither where nobody did.

    `paid` is how the cage took the money, empty for chips that were brought along; `slip` its number on paper.
    `stack_cents` is null where a stack was not counted; `carried` where it was taken to the cage.
    """

    number = SheetLine()
    seat_number = SheetSeat()
    at = Moment(allow_null=True, default=None)
    player_id = Id(allow_null=True, default=None)
    nickname = Text(max_length=30, allow_blank=True, default="")
    chips_cents = Cents(default=0)
    paid = serializers.ChoiceField(["", rules.CASH, rules.CARD], default="")
    # A number, with what printers put round one: no free text.
    slip = serializers.RegexField(r"^[0-9A-Za-z/.-]{0,12}\Z", allow_blank=True, default="")
    left = serializers.BooleanField(default=False)
    stack_cents = Cents(allow_null=True, default=None)
    carried = serializers.BooleanField(default=False)


class SeatLineBody(Body):
    """How a seat stands; empty and null are as Brush has it."""

    seat_number = SheetSeat()
    stands = serializers.ChoiceField(["", AWAY, *(each.value for each in Entry)], default="")
    away_since = Moment(allow_null=True, default=None)
    missed = serializers.ChoiceField([each.value for each in Missed], allow_null=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that whoever is away has been since some moment."""
        if (attrs["stands"] == AWAY) != (attrs["away_since"] is not None):
            raise serializers.ValidationError({"away_since": "is said of whoever is away"})
        return attrs


class WrittenBody(Body):
    """All that was written on a table's sheet."""

    from_at = Moment()
    until_at = Moment()
    hands = Whole(min_value=0, max_value=HANDS_MAX, default=0)
    lines = serializers.ListField(child=HandLineBody(), max_length=HANDS_MAX, default=list)
    downs = serializers.ListField(child=DownLineBody(), max_length=DOWNS_MAX, default=list)
    chips = serializers.ListField(child=ChipLineBody(), max_length=LINES_MAX, default=list)
    seats = serializers.ListField(child=SeatLineBody(), max_length=SEATS_MAX * 2, default=list)
    button = SheetSeat(allow_null=True, default=None)
    decks = serializers.ListField(child=DeckLineBody(), max_length=DOWNS_MAX, default=list)
    times = serializers.ListField(child=TimeLineBody(), max_length=TIMES_MAX, default=list)


class CatchUpBody(WrittenBody):
    """
    All that was written on a table's sheet; `second` is the dealer, who signs it: somebody who dealt there.

    `overrule` is why the floor names another, where nobody of those can.
    """

    second = SecondPerson()
    overrule = serializers.ChoiceField(sorted(OVERRULE_WORDS), allow_blank=True, default="")

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return who signs, and why: all else the page reads by the room's clock (`casino.paper.form`)."""
        return {"second": SecondPerson.of_form(form), "overrule": form.get("overrule", "")}


def entered_of(body: dict[str, Any]) -> tuple[Entered, dict[str, str]]:
    """Return what was told as it is entered, and the nicknames of who came, by the number of their line."""
    names = {str(line["number"]): line["nickname"] for line in body["chips"] if line["nickname"]}
    chips = [ChipLine(**{name: value for name, value in line.items() if name != "nickname"}) for line in body["chips"]]
    return Entered(
        from_at=body["from_at"],
        until_at=body["until_at"],
        hands=body["hands"],
        lines=tuple(HandLine(**line) for line in body["lines"]),
        downs=tuple(DownLine(**line) for line in body["downs"]),
        chips=tuple(chips),
        seats=tuple(SeatLine(**line) for line in body["seats"]),
        button=body["button"],
        decks=tuple(DeckLine(**line) for line in body["decks"]),
        times=tuple(
            TimeLine(line["period"], line["at"], tuple(Paid(**each) for each in line["paid"])) for line in body["times"]
        ),
    ), names
