"""What keeps players from playing, over REST: exclusions, own limits, pairs kept apart, merges."""

from typing import Any
from zoneinfo import ZoneInfo

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.money import cents_from_text
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.models import OwnLimit
from casino.people.services import (
    ban_player,
    by_two,
    end_keeping_apart,
    exclude_by_own_wish,
    keep_apart,
    lift_exclusion,
    merge_players,
    set_own_limit,
)
from casino.people.services.exclusions import NEEDS_TO_LIFT
from casino.people.services.merging import NEEDS_TO_MERGE
from casino.people.standing import PlayerCard, player_card, player_of
from casino.rest import CLAUSE_EXAMPLE, Api, Body, CalendarDay, Id, Pin, Text, Whole
from casino.rooms.selectors import room_of

api = Api("people")

# What a second person signs on the same screen.
lift_by_two = by_two(lift_exclusion, needs=NEEDS_TO_LIFT, signs=lambda *, exclusion_id: f"exclusion.{exclusion_id}")
merge_by_two = by_two(
    merge_players, needs=NEEDS_TO_MERGE, signs=lambda *, player_id, gone_id: f"merge.{player_id}.{gone_id}"
)


class BanBody(Body):
    """To the end of which day (none: until two persons lift it), under which clause, and why."""

    last_day = CalendarDay(allow_null=True, default=None)
    clause = Text(max_length=12, allow_blank=True, default="")
    reason = Text(max_length=300, allow_blank=True, default="")


class OwnWishBody(Body):
    """To the end of which day at least the player wants to be kept out."""

    last_day = CalendarDay()
    reason = Text(max_length=300, allow_blank=True, default="")


class SignatureBody(Body):
    """The second person's name and PIN."""

    username = Text(max_length=40)
    pin = Pin()

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return who signs; nobody where nobody was chosen."""
        return super().of_form(form) if form.get("username") else {}


class LiftBody(Body):
    """Who else signs."""

    second = SignatureBody()


class LimitBody(Body):
    """Cents of buy-ins or minutes of play in a gaming day; null: no limit."""

    kind = serializers.ChoiceField(OwnLimit.Kind.choices)
    amount = Whole(min_value=0, max_value=10**11, allow_null=True)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return what a form says: money as people type it, play in hours ("3,5"); what is left empty is no limit."""
        fields = super().of_form(form)
        text = form.get("amount", "").strip()
        if not text:
            return {**fields, "amount": None}
        try:
            hundredths = cents_from_text(text)
        except ValueError:
            # Never as a bare number: digits of another script would be so many cents, or minutes.
            return {**fields, "amount": text}
        return {
            **fields,
            "amount": hundredths if fields.get("kind") == OwnLimit.Kind.BUY_IN else hundredths * 60 // 100,
        }


class ApartBody(Body):
    """Who does not play at one table, each with each, and why."""

    player_ids = serializers.ListField(child=Id(), min_length=2, max_length=10)
    reason = Text(max_length=300, allow_blank=True, default="")


class MergeBody(Body):
    """The record to be given up, and the second manager who signs."""

    in_forms = {"gone_id": "other_id"}

    gone_id = Id()
    second = SignatureBody()


class ExclusionAnswer(serializers.Serializer[Any]):
    """One exclusion. `reason` is for managers and auditors, and empty for everybody else."""

    id = serializers.IntegerField(source="exclusion.pk")
    kind = serializers.CharField(source="exclusion.kind")
    began_at = serializers.DateTimeField(source="exclusion.began_at")
    until = serializers.DateTimeField(source="exclusion.until", allow_null=True)
    clause = serializers.CharField(source="exclusion.clause")
    reason = serializers.CharField()
    made_by_id = serializers.IntegerField(source="exclusion.made_by_id")
    lifted_at = serializers.DateTimeField(source="exclusion.lifted_at", allow_null=True)
    holds = serializers.BooleanField()
    may_be_lifted = serializers.BooleanField()


class LimitAnswer(serializers.Serializer[Any]):
    """A limit as of the newest gaming day, and what the player asked for last, if that comes only with the next one."""

    kind = serializers.CharField()
    amount = serializers.IntegerField(allow_null=True)
    is_raised_next_day = serializers.BooleanField()
    amount_wished = serializers.IntegerField(allow_null=True)


class PairAnswer(serializers.Serializer[Any]):
    """Somebody who is kept apart from the player."""

    id = serializers.IntegerField(source="pair.pk")
    player_id = serializers.IntegerField()
    reason = serializers.CharField()


class StandingAnswer(serializers.Serializer[Any]):
    """What stands about a player."""

    may_play = serializers.BooleanField()
    exclusions = ExclusionAnswer(many=True)
    limits = LimitAnswer(many=True)
    kept_apart = PairAnswer(many=True)
    merged_ids = serializers.ListField(child=serializers.IntegerField())


class Standing(APIView):
    """Whether a player may play, and what keeps them from it."""

    needs = "read.exclusions"

    @api.reading("players.standing", "What stands about a player", answer=StandingAnswer, is_one=True)
    def get(self, request: Request, player_id: int) -> Response:
        actor = api_actor(request)
        player = player_of(actor.room_id, player_id)
        zone = ZoneInfo(room_of(actor.room_id).time_zone)
        card = player_card(player, zone=zone, at=clock.now(), reads_reasons="read.reasons" in actor.may)
        return Response(StandingAnswer(_standing(card)).data)


def _standing(card: PlayerCard) -> dict[str, Any]:
    return {
        "may_play": card.excluded is None,
        "exclusions": card.exclusions,
        "limits": [
            {
                "kind": kind,
                "amount": limit.amount,
                "is_raised_next_day": limit.coming is not None,
                "amount_wished": limit.wished,
            }
            for kind, limit in sorted(card.limits.items())
        ],
        "kept_apart": card.pairs,
        "merged_ids": [record.pk for record in card.merged],
    }


class Ban(APIView):
    """Ban a player from now on."""

    needs = "people.ban_player"

    @api.command(
        "people.ban_player",
        "Ban a player",
        body=BanBody,
        example={"last_day": "2026-12-31", "clause": CLAUSE_EXAMPLE, "reason": "Marked cards"},
        answer={
            "player_id": 17,
            "exclusion": 3,
            "kind": "ban",
            "until": "2027-01-01T00:00+02:00",
            "clause": CLAUSE_EXAMPLE,
        },
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, ban_player, player_id=player_id, **arguments_of_call(request))


class OwnWish(APIView):
    """Keep a player out who asks for it."""

    needs = "people.exclude_by_own_wish"

    @api.command(
        "people.exclude_by_own_wish",
        "Keep a player out by their own wish",
        body=OwnWishBody,
        example={"last_day": "2026-12-31"},
        answer={"player_id": 17, "exclusion": 4, "kind": "own", "until": "2027-01-01T00:00+02:00", "clause": ""},
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, exclude_by_own_wish, player_id=player_id, **arguments_of_call(request))


class Lift(APIView):
    """Lift an exclusion, signed by two; a player's own one after its end alone."""

    needs = "people.lift_exclusion"
    steps = ("people.sign_second",)

    @api.command(
        "people.lift_exclusion",
        "Lift an exclusion",
        body=LiftBody,
        example={"second": {"username": "frans", "pin": "2468"}},
        answer={"player_id": 17, "exclusion": 3, "kind": "ban", "signed_by": 2},
    )
    def post(self, request: Request, exclusion_id: int) -> Response:
        return carried_out(request, lift_by_two, exclusion_id=exclusion_id, **arguments_of_call(request))


class Limit(APIView):
    """Write down a limit that a player sets for themselves."""

    needs = "people.set_own_limit"

    @api.command(
        "people.set_own_limit",
        "Set a player's own limit",
        body=LimitBody,
        example={"kind": "buy_in", "amount": 200_00},
        answer={"player_id": 17, "kind": "buy_in", "amount": 200_00, "holds": "now"},
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, set_own_limit, player_id=player_id, **arguments_of_call(request))


# Rules: H1.75.
class Apart(APIView):
    """Forbid players to play at one table."""

    needs = "people.keep_apart"

    @api.command(
        "people.keep_apart",
        "Keep players apart",
        body=ApartBody,
        example={"player_ids": [17, 18]},
        answer={"player_id": 17, "players": [17, 18], "pairs": 1},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, keep_apart, **arguments_of_call(request))


class EndApart(APIView):
    """Let two players sit at one table again."""

    needs = "people.end_keeping_apart"

    @api.command(
        "people.end_keeping_apart",
        "No longer keep two players apart",
        answer={"player_id": 17, "apart": 2, "players": [17, 18]},
    )
    def post(self, request: Request, apart_id: int) -> Response:
        return carried_out(request, end_keeping_apart, apart_id=apart_id)


class Merge(APIView):
    """Join another record of the same person to this one, signed by two managers."""

    needs = "people.merge_players"
    steps = ("people.sign_second",)

    @api.command(
        "people.merge_players",
        "Merge two records of one person",
        body=MergeBody,
        example={"gone_id": 18, "second": {"username": "miro", "pin": "8642"}},
        answer={"player_id": 17, "gone": 18, "signed_by": 7},
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, merge_by_two, player_id=player_id, **arguments_of_call(request))
