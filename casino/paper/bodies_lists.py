"""What a call says of the sheet of the waiting lists that is caught up. Lines are numbers from 1."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from casino.cage.api.bodies import SecondPerson
from casino.paper.bodies import SheetLine, SheetSeat
from casino.paper.lists_entered import ListLine, ListsEntered, What
from casino.rest import Body, Id, Moment, Text, Whole

LINES_MAX, TABLE_MAX = 200, 9_999


class ListLineBody(Body):
    """What became of a player on the list of a game: who by `player_id` or `nickname`; where to, if it is a call."""

    number = SheetLine()
    at = Moment()
    game_id = Id()
    what = serializers.ChoiceField([each.value for each in What])
    player_id = Id(allow_null=True, default=None)
    nickname = Text(max_length=30, allow_blank=True, default="")
    table = Whole(min_value=1, max_value=TABLE_MAX, allow_null=True, default=None)
    seat_number = SheetSeat(allow_null=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that it is said who is meant."""
        if attrs["player_id"] is None and not attrs["nickname"]:
            raise serializers.ValidationError({"nickname": "is said, or player_id"})
        return attrs


class ListsWrittenBody(Body):
    """All that was written on the sheet of the waiting lists."""

    from_at = Moment()
    until_at = Moment()
    lines = serializers.ListField(child=ListLineBody(), max_length=LINES_MAX, default=list)


class CatchUpListsBody(ListsWrittenBody):
    """All that was written on the sheet of the waiting lists; `second` is who signs it too."""

    second = SecondPerson()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return who signs: all else the page reads by the room's clock (`casino.paper.form`)."""
        return {"second": SecondPerson.of_form(form)}


def lists_entered_of(body: dict[str, Any]) -> tuple[ListsEntered, dict[str, str]]:
    """Return what was told as it is entered, and nicknames by the number of their line."""
    names = {str(line["number"]): line["nickname"] for line in body["lines"] if line["nickname"]}
    lines = [ListLine(**{name: value for name, value in line.items() if name != "nickname"}) for line in body["lines"]]
    return ListsEntered(body["from_at"], body["until_at"], tuple(lines)), names
