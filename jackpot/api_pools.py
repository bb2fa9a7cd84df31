"""Pools over REST: what they hold, and what two managers do to them besides paying claims."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.cage.api.bodies import SecondPerson
from casino.errors import NotFound
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, Api, Body, Cents, Id, TextAlone, typed, versioned
from jackpot.models import Movement, Pool
from jackpot.selectors.changes import recoverable
from jackpot.selectors.pools import figures
from jackpot.services import changing

api = Api("jackpot")
_SECOND = {"username": "mari", "pin": "2468"}
_ANSWER = {"pool": 1, "jackpot": "bad-beat", "sum_cents": 12_345_67, "new_sum_cents": 12_300_00}
# More players than sit in any room.
SHARES_MOST = 500

# What another manager signs on the same screen.
correct_by_two = by_two(changing.correct_sum, needs=changing.NEEDS, signs=changing.correction_signs)
recover_by_two = by_two(changing.recover_seed, needs=changing.NEEDS, signs=changing.recovery_signs)
wind_down_by_two = by_two(changing.wind_down, needs=changing.NEEDS, signs=changing.end_signs)


class CorrectionRequest(Body):
    """Which sum it is from now on, and why."""

    new_sum_cents = Cents()
    reason = serializers.ChoiceField(Movement.Reason.values)


class CorrectSumBody(CorrectionRequest):
    """Which sum it is from now on, why, and who signs."""

    second = SecondPerson()


class RecoveryRequest(Body):
    """How much the house takes back of what it put in."""

    amount_cents = Cents(min_value=1)


class RecoverSeedBody(RecoveryRequest):
    """How much the house takes back of what it put in, and who signs."""

    second = SecondPerson()


class PlayerShareBody(Body):
    """What one player gets."""

    player_id = Id()
    amount_cents = Cents(min_value=1)


class EndRequest(Body):
    """Where the money goes: to the jackpot of the code `moved_to`, or out in `shares`, which are the whole sum."""

    moved_to = TextAlone(max_length=40, required=False, default="", allow_blank=True)
    shares = serializers.ListField(child=PlayerShareBody(), max_length=SHARES_MOST, default=list)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the shares as the page says them: `share_<player>` of those who get one."""
        fields = super().of_form(form)
        named = {name.removeprefix("share_"): str(form[name]) for name in form if name.startswith("share_")}
        fields["shares"] = [
            {"player_id": typed(player, Id()), "amount_cents": typed(text, Cents())}
            for player, text in sorted(named.items())
            if text.strip()
        ]
        return fields


class WindDownBody(EndRequest):
    """Where the money goes, and who signs."""

    second = SecondPerson()


class PoolAnswer(serializers.Serializer[Any]):
    """
    A pool; amounts in cents. `pending_cents` were won and are still to be paid, `seed_cents` the house has put in,
    `recoverable_cents` it may take back: null where the rule book lets it stay.
    """

    id = serializers.IntegerField()
    jackpot = serializers.CharField()
    state = serializers.ChoiceField(Pool.State.values)
    version = serializers.IntegerField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    moved_to = serializers.CharField(allow_null=True)
    sum_cents = serializers.IntegerField()
    pending_cents = serializers.IntegerField()
    seed_cents = serializers.IntegerField()
    recoverable_cents = serializers.IntegerField(allow_null=True)


def _shown(pool: Pool) -> dict[str, Any]:
    held = figures(pool.pk)
    return {
        "id": pool.pk,
        "jackpot": pool.code,
        "state": pool.state,
        "version": pool.version,
        "opened_at": pool.opened_at,
        "closed_at": pool.closed_at,
        "moved_to": pool.moved_to.code if pool.moved_to is not None else None,
        "sum_cents": held["sum"],
        "pending_cents": held["pending"],
        "seed_cents": -held["seed"],
        "recoverable_cents": recoverable(pool, at=clock.now()),
    }


class Pools(APIView):
    """The room's pools, those that have ended among them."""

    needs = "read.jackpots"

    @api.reading("jackpot.pools", "The pools, in the order of opening", answer=PoolAnswer(many=True))
    def get(self, request: Request) -> Response:
        pools = Pool.objects.filter(room_id=api_actor(request).room_id).select_related("moved_to").order_by("id")
        return Response(PoolAnswer([_shown(pool) for pool in pools], many=True).data)


class OnePool(APIView):
    """One pool."""

    needs = "read.jackpots"

    @api.reading("jackpot.pool", "One pool", answer=PoolAnswer, is_one=True)
    def get(self, request: Request, jackpot: str) -> Response:
        pool = Pool.objects.filter(room_id=api_actor(request).room_id, code=jackpot).select_related("moved_to").first()
        if pool is None:
            raise NotFound(what="jackpot")
        return versioned(PoolAnswer(_shown(pool)).data, pool.version)


class CorrectSum(APIView):
    """A pool's sum is corrected, up or down; a second manager signs."""

    needs = "jackpot.correct_sum"
    steps = ("people.sign_second",)

    @api.command(
        "jackpot.correct_sum",
        "Correct a jackpot's sum",
        body=CorrectSumBody,
        if_match=REQUIRED,
        example={"new_sum_cents": 12_300_00, "reason": "takings", "second": _SECOND},
        answer=_ANSWER,
    )
    def post(self, request: Request, jackpot: str) -> Response:
        return carried_out(request, correct_by_two, jackpot=jackpot, **arguments_of_call(request))


class RecoverSeed(APIView):
    """The house takes back what it put in, where the rule book says so; a second manager signs."""

    needs = "jackpot.recover_seed"
    steps = ("people.sign_second",)

    @api.command(
        "jackpot.recover_seed",
        "Take the house's seed back",
        body=RecoverSeedBody,
        if_match=REQUIRED,
        example={"amount_cents": 45_67, "second": _SECOND},
        answer=_ANSWER,
    )
    def post(self, request: Request, jackpot: str) -> Response:
        return carried_out(request, recover_by_two, jackpot=jackpot, **arguments_of_call(request))


class WindDown(APIView):
    """A jackpot is closed, its money moved to another or paid out by name; a second manager signs."""

    needs = "jackpot.wind_down"
    steps = ("people.sign_second",)

    @api.command(
        "jackpot.wind_down",
        "Close a jackpot",
        body=WindDownBody,
        if_match=REQUIRED,
        example={"moved_to": "small", "second": _SECOND},
        answer={**_ANSWER, "new_sum_cents": 0, "how": "moved", "moved_to": "small", "slips": []},
    )
    def post(self, request: Request, jackpot: str) -> Response:
        return carried_out(request, wind_down_by_two, jackpot=jackpot, **arguments_of_call(request))
