"""Promotions over REST: their funds, their periods, the hands that were shown, who won."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.cage.api.bodies import SecondPerson
from casino.errors import NotFound
from casino.hand_words import hand_words
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.poker.variants import Variant
from casino.promotions.models import Entry, Fund, Period, Splash
from casino.promotions.selectors.draws import commitment_of, known_splashes, seed_of
from casino.promotions.selectors.funds import figures
from casino.promotions.selectors.periods import prize_of, with_prizes
from casino.promotions.services import funds, high_hands, periods, splashes, whose
from casino.rest import REQUIRED, Api, Body, Cents, Id, Moment, Page, Text, Whole, read_query
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks.units import SEATS_MAX

api = Api("promotions")
_SECOND = {"username": "mari", "pin": "2468"}
_CODE = "high-hand"

# What another person signs on the same screen.
change_fund_by_two = by_two(funds.change_fund, needs=funds.NEEDS, signs=funds.fund_signs)
decide_by_two = by_two(high_hands.decide_period, needs=periods.NEEDS, signs=high_hands.decision_signs)
call_off_by_two = by_two(periods.call_off_period, needs=periods.NEEDS, signs=periods.call_off_signs)
take_back_splash_by_two = by_two(splashes.take_back_splash, needs=splashes.NEEDS, signs=splashes.taking_back_signs)
take_back_decision_by_two = by_two(
    high_hands.take_back_decision, needs=periods.NEEDS, signs=high_hands.taking_back_signs
)


class FundBody(Body):
    """How much the house puts into the fund, or takes out of it, and who signs."""

    amount_cents = Cents(min_value=1)
    takes_out = serializers.BooleanField(default=False)
    second = SecondPerson()


class OpenBody(Body):
    """From when on, now where it is left out, and how many periods one after the other."""

    begins_at = Moment(required=False, allow_null=True, default=None)
    number = Whole(min_value=1, max_value=periods.PERIODS_MOST, default=1)


class HandBody(Body):
    """A hand that was shown; without its number and a time it is of whoever sits there."""

    table_number = Whole(min_value=1, max_value=10**6)
    seat_number = Whole(min_value=1, max_value=SEATS_MAX)
    cards = Text(max_length=40, help_text="As Kd, in any spelling.")
    board = Text(max_length=40, required=False, default="", allow_blank=True)
    variant = serializers.ChoiceField([each.value for each in Variant], required=False, allow_blank=True, default="")
    hand_number = Id(required=False, allow_null=True, default=None)
    shown_at = Moment(required=False, allow_null=True, default=None)


class TakeBackBody(Body):
    """Why it was wrong."""

    reason = serializers.ChoiceField(Entry.Reason.values)


class SplashBody(Body):
    """Out of which drawer the chips came."""

    drawer_id = Id()


class PassBody(Body):
    """Why it could not be done."""

    reason = serializers.ChoiceField(Splash.Reason.values)


class SplashBackBody(Body):
    """Why, and who signs that the pot was not splashed."""

    reason = serializers.ChoiceField(Splash.BackFor.values)
    second = SecondPerson()


class DecisionBackBody(Body):
    """Why, and who signs that the decision is taken back."""

    reason = serializers.ChoiceField(Period.BackFor.values)
    second = SecondPerson()


class DecideBody(Body):
    """Who signs for the winner, or that nobody has won."""

    second = SecondPerson()


class CallOffBody(Body):
    """Why, and who signs."""

    reason = serializers.ChoiceField(Period.Reason.values)
    second = SecondPerson()


class PromotionAnswer(serializers.Serializer[Any]):
    """
    A promotion of the rule book, or one whose fund is left; amounts in cents.

    `version` is what a request about it decides on. `free_cents` periods can be opened with, `reserved_cents` open ones
    have promised, `pending_cents` were won and are still to be paid.
    """

    promotion = serializers.CharField()
    name = serializers.CharField(allow_blank=True, help_text="Empty where the rule book has it no more.")
    version = serializers.IntegerField()
    free_cents = serializers.IntegerField()
    reserved_cents = serializers.IntegerField()
    pending_cents = serializers.IntegerField()
    carried_cents = serializers.IntegerField()


class EntryAnswer(serializers.ModelSerializer[Entry]):
    """A hand that was shown; people by their ids, `prize_cents` what it won."""

    table_number = serializers.IntegerField(source="table.number")
    words = serializers.SerializerMethodField()
    prize_cents = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = (
            "id", "table_number", "seat_number", "player_id", "variant", "cards", "board", "five", "words", "shown_at",
            "entered_by_id", "taken_back_at", "reason", "prize_cents",
        )  # fmt: skip

    def get_words(self, entry: Entry) -> str:
        """Return what the hand is called."""
        return hand_words(entry.worth)

    def get_prize_cents(self, entry: Entry) -> int | None:
        """Return what it has won, if anything."""
        prize = prize_of(entry)
        return prize.cents if prize is not None else None


class SplashAnswer(serializers.ModelSerializer[Splash]):
    """One splash pot: told once its table is drawn, and all of them when the period is over."""

    table_number = serializers.IntegerField(source="table.number", allow_null=True, default=None)

    class Meta:
        model = Splash
        fields = ("id", "number", "cents", "due_at", "status", "tables", "table_number", "done_at", "reason")


class PeriodAnswer(serializers.ModelSerializer[Period]):
    """One period with the hands that were entered, in the order in which they were shown."""

    promotion = serializers.CharField(source="fund.code")
    entries = serializers.SerializerMethodField()
    commitment = serializers.SerializerMethodField(help_text="SHA-256 of the seed; empty where nothing is drawn.")
    seed = serializers.SerializerMethodField(help_text="Empty until the period is over.")
    splashes = serializers.SerializerMethodField(help_text="Those that are drawn, and all once the period is over.")

    class Meta:
        model = Period
        fields = (
            "id", "promotion", "status", "begins_at", "ends_at", "amount_cents", "carried_cents", "reason",
            "opened_by_id", "decided_at", "decided_by_id", "approved_by_id", "entries", "commitment",
            "seed", "splashes",
        )  # fmt: skip

    def get_commitment(self, period: Period) -> str:
        """Return what binds the house to the draw."""
        return commitment_of(period)

    def get_seed(self, period: Period) -> str:
        """Return the seed, once nothing more is drawn from it."""
        return seed_of(period)

    def get_splashes(self, period: Period) -> list[Any]:
        """Return what of the draw is known to everybody."""
        return list(SplashAnswer(known_splashes(period), many=True).data)

    def get_entries(self, period: Period) -> list[Any]:
        """Return its hands."""
        entries = with_prizes(period.entries.select_related("table")).order_by("shown_at", "id")
        return list(EntryAnswer(entries, many=True).data)


class Promotions(APIView):
    """The room's promotions: those of the rule book in force, and those whose fund is left."""

    needs = "read.promotions"

    @api.reading("promotions.promotions", "The promotions", answer=PromotionAnswer(many=True))
    def get(self, request: Request) -> Response:
        room_id = api_actor(request).room_id
        made = {fund.code: fund for fund in Fund.objects.filter(room_id=room_id)}
        rows = [_shown(code, name, made.get(code)) for code, name in _names(room_id).items()]
        return Response(PromotionAnswer(rows, many=True).data)


def _names(room_id: int) -> dict[str, str]:
    """Return what the promotions of the book in force are called by their codes, "" those whose fund alone is left."""
    _version_id, book = rule_book_in_force(room_id, at=clock.now())
    left = Fund.objects.filter(room_id=room_id).order_by("id").values_list("code", flat=True)
    names = {each.code: each.name for each in book.promotions}
    return names | {code: "" for code in left if code not in names}


def _shown(code: str, name: str, fund: Fund | None) -> dict[str, Any]:
    held = figures(fund)
    return {
        "promotion": code,
        "name": name,
        "version": fund.version if fund is not None else 0,
        "free_cents": held["free"],
        "reserved_cents": held["reserved"],
        "pending_cents": held["pending"],
        "carried_cents": fund.carried_cents if fund is not None else 0,
    }


class ChangeFund(APIView):
    """The house puts money into a fund, or takes out what nobody was promised; a second manager signs."""

    needs = "promotions.change_fund"
    steps = ("people.sign_second",)

    @api.command(
        "promotions.change_fund",
        "Put money into a promotion's fund, or take it out",
        body=FundBody,
        if_match=REQUIRED,
        example={"amount_cents": 1_000_00, "second": _SECOND},
        answer={"promotion": _CODE, "amount_cents": 1_000_00, "approved_by_id": 1, "takes_out": False},
    )
    def post(self, request: Request, promotion: str) -> Response:
        return carried_out(request, change_fund_by_two, promotion=promotion, **arguments_of_call(request))


class Periods(APIView):
    """A promotion's periods: read, the newest first, and opened."""

    needs = {"GET": "read.promotions", "POST": "promotions.open_periods"}

    @api.reading(
        "promotions.periods",
        "A promotion's periods, the newest first",
        query=Page,
        answer=PeriodAnswer(many=True),
        is_one=True,
    )
    def get(self, request: Request, promotion: str) -> Response:
        query, room_id = read_query(Page, request), api_actor(request).room_id
        if promotion not in _names(room_id):
            raise NotFound(what="promotion")
        of_room = Period.objects.filter(room_id=room_id, fund__code=promotion).select_related("fund")
        page = of_room.order_by("-begins_at", "-id")[query["offset"] : query["offset"] + query["limit"]]
        return Response(PeriodAnswer(page, many=True).data)

    @api.command(
        "promotions.open_periods",
        "Open periods of a promotion",
        body=OpenBody,
        example={"number": 8},
        answer={"promotion": _CODE, "periods": [1, 2], "number": 2, "amount_cents": 200_00},
    )
    def post(self, request: Request, promotion: str) -> Response:
        return carried_out(request, periods.open_periods, promotion=promotion, **arguments_of_call(request))


class EnterHand(APIView):
    """A hand that was shown is entered."""

    needs = "promotions.enter_hand"

    @api.command(
        "promotions.enter_hand",
        "Enter a hand that was shown",
        body=HandBody,
        example={"table_number": 1, "seat_number": 2, "cards": "As Kd", "board": "Ah Kh Ks 2d 7c"},
        answer={"promotion": _CODE, "period_id": 1, "entry_id": 1, "player_id": 1, "made": "full_house", "leads": True},
    )
    def post(self, request: Request, period_id: int) -> Response:
        return carried_out(request, high_hands.enter_hand, period_id=period_id, **entered(arguments_of_call(request)))


class TakeBackHand(APIView):
    """A hand that was entered wrongly is taken back."""

    needs = "promotions.take_back_hand"

    @api.command("promotions.take_back_hand", "Take back a hand", body=TakeBackBody, example={"reason": "cards"})
    def post(self, request: Request, entry_id: int) -> Response:
        return carried_out(request, high_hands.take_back_hand, entry_id=entry_id, **arguments_of_call(request))


class NoteSplash(APIView):
    """A pot was splashed with chips out of a drawer."""

    needs = "promotions.note_splash"

    @api.command("promotions.note_splash", "A pot was splashed", body=SplashBody, example={"drawer_id": 1})
    def post(self, request: Request, splash_id: int) -> Response:
        return carried_out(request, splashes.note_splash, splash_id=splash_id, **arguments_of_call(request))


class PassSplash(APIView):
    """A pot whose table was drawn could not be splashed."""

    needs = "promotions.pass_splash"

    @api.command("promotions.pass_splash", "Pass a splash over", body=PassBody, example={"reason": "table_broke"})
    def post(self, request: Request, splash_id: int) -> Response:
        return carried_out(request, splashes.pass_splash, splash_id=splash_id, **arguments_of_call(request))


class TakeBackSplash(APIView):
    """A pot was noted as splashed by mistake; somebody else signs."""

    needs = "promotions.take_back_splash"
    steps = ("people.sign_second",)

    @api.command(
        "promotions.take_back_splash",
        "Take a splash back",
        body=SplashBackBody,
        if_match=REQUIRED,
        example={"reason": "not_in_pot", "second": _SECOND},
    )
    def post(self, request: Request, splash_id: int) -> Response:
        return carried_out(request, take_back_splash_by_two, splash_id=splash_id, **arguments_of_call(request))


class TakeBackDecision(APIView):
    """A period was decided by mistake; a manager signs."""

    needs = "promotions.take_back_decision"
    steps = ("people.sign_second",)

    @api.command(
        "promotions.take_back_decision",
        "Take a decision back",
        body=DecisionBackBody,
        if_match=REQUIRED,
        example={"reason": "wrong_hand", "second": _SECOND},
    )
    def post(self, request: Request, period_id: int) -> Response:
        return carried_out(request, take_back_decision_by_two, period_id=period_id, **arguments_of_call(request))


class DecidePeriod(APIView):
    """A period that has ended is decided: who won, or that nobody did; a manager signs."""

    needs = "promotions.decide_period"
    steps = ("people.sign_second",)

    @api.command(
        "promotions.decide_period",
        "Decide a period",
        body=DecideBody,
        if_match=REQUIRED,
        example={"second": _SECOND},
        answer={"promotion": _CODE, "period_id": 1, "is_won": True, "entry_ids": [1], "prize_cents": 100_00},
    )
    def post(self, request: Request, period_id: int) -> Response:
        return carried_out(request, decide_by_two, period_id=period_id, **arguments_of_call(request))


class CallOffPeriod(APIView):
    """An open period is called off; a manager signs."""

    needs = "promotions.call_off_period"
    steps = ("people.sign_second",)

    @api.command(
        "promotions.call_off_period",
        "Call a period off",
        body=CallOffBody,
        if_match=REQUIRED,
        example={"reason": "mistake", "second": _SECOND},
    )
    def post(self, request: Request, period_id: int) -> Response:
        return carried_out(request, call_off_by_two, period_id=period_id, **arguments_of_call(request))


def entered(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call or a form says of a hand as `enter_hand` takes it."""
    rest = dict(fields)
    return {"shown_at": rest.pop("shown_at"), "hand": whose.ShownHand(**rest)}
