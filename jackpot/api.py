"""The jackpot over REST: whether a hand would win it."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.hand_words import hand_words
from casino.rest import Api
from jackpot.checking import Checked, HandToCheck, check, of_query
from jackpot.words import line_of

api = Api("jackpot")


class PointAnswer(serializers.Serializer[Any]):
    """One criterion; `category` is 0 where it is asked for any."""

    reason = serializers.CharField()
    is_met = serializers.BooleanField()
    category = serializers.IntegerField()
    clause = serializers.CharField(allow_blank=True, help_text="The clause of the rule book; empty where it has none.")
    sentence = serializers.CharField()


class ShownHandAnswer(serializers.Serializer[Any]):
    """One hand in the order in which they were asked about; `own` are those of its five that are the player's own."""

    name = serializers.CharField()
    paid_as = serializers.CharField(help_text="winner, loser or other")
    cards = serializers.ListField(child=serializers.CharField())
    own = serializers.ListField(child=serializers.CharField())


class PayoutAnswer(serializers.Serializer[Any]):
    """What each is paid, in cents. `law_cents` is what the formula behind the table comes to in all."""

    sum_cents = serializers.IntegerField()
    losers = serializers.IntegerField()
    each_loser_cents = serializers.IntegerField()
    winners = serializers.IntegerField()
    each_winner_cents = serializers.IntegerField()
    others = serializers.IntegerField()
    each_other_cents = serializers.IntegerField()
    paid_cents = serializers.IntegerField()
    stays_cents = serializers.IntegerField()
    is_printed = serializers.BooleanField()
    law_cents = serializers.IntegerField()
    base_cents = serializers.IntegerField(help_text="The sum that begins anew.")
    house_cents = serializers.IntegerField(help_text="What of it the house puts in.")


class CheckAnswer(serializers.Serializer[Any]):
    """What would become of a hand. Nothing is written, and nothing is paid."""

    jackpot = serializers.CharField()
    verdict = serializers.CharField(help_text="qualifies, decide or fails")
    category = serializers.IntegerField(help_text="From 1; 0 where none is met.")
    points = PointAnswer(many=True)
    hands = ShownHandAnswer(many=True)
    payout = PayoutAnswer(allow_null=True)


class Check(APIView):
    """Whether a hand would win the jackpot."""

    needs = "read.jackpots"

    @api.reading(
        "jackpot.check",
        "Whether a hand would win the jackpot, and why",
        answer=CheckAnswer,
        query=HandToCheck,
        is_one=True,
    )
    def get(self, request: Request) -> Response:
        room_id = request.actor.room_id  # type: ignore[attr-defined]  # who may ask has an actor
        return Response(_answer(check(room_id, of_query(request.query_params), at=clock.now())))


def _answer(checked: Checked) -> dict[str, Any]:
    judged = checked.judged
    return {
        "jackpot": checked.jackpot.code,
        "verdict": judged.verdict.value,
        "category": judged.category,
        "points": [PointAnswer(line_of(point, checked.book)).data for point in judged.points],
        "hands": [
            {"name": hand_words(hand.worth), "paid_as": role.value, "cards": hand.cards, "own": hand.own}
            for hand, role in judged.hands
        ],
        "payout": _payout(checked),
    }


def _payout(checked: Checked) -> dict[str, Any] | None:
    if checked.paid is None:
        return None
    payout, base = checked.paid
    return {
        "sum_cents": payout.sum_cents,
        "losers": payout.losers,
        "each_loser_cents": payout.loser_cents,
        "winners": payout.winners,
        "each_winner_cents": payout.winner_cents,
        "others": payout.others,
        "each_other_cents": payout.other_cents,
        "paid_cents": payout.paid_cents,
        "stays_cents": payout.stays_cents,
        "is_printed": payout.is_printed,
        "law_cents": payout.law_cents,
        "base_cents": base.base_cents,
        "house_cents": base.house_cents,
    }
