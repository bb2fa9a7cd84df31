"""What the dealer's tablet says beside the game: the deck, the clock on a player, a disputed pot."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import carried_out
from casino.people.inputs import arguments_of_call
from casino.rest import CLAUSE_EXAMPLE, Body, Cents, Id, Text, Whole, typed
from tables.api.common import api, at_table
from tables.floor_calls import FLOOR_CALLS
from tables.models import DeckChange, Incident, PlayerClock
from tables.services.clocks import call_clock, end_clock
from tables.services.disputes import Share, pay_disputed_pot, put_pot_back, set_pot_aside
from tables.services.downs import SETS_MAX, change_deck, end_down, push_dealer
from tables.services.floor_calls import call_floor
from tables.services.incidents import end_penalty, write_incident


# Rules: H1.11.
class DeckBody(Body):
    """The deck that comes into play."""

    colour = serializers.ChoiceField(DeckChange.Colour.values)
    set_number = Whole(min_value=1, max_value=SETS_MAX, required=False)
    why = serializers.ChoiceField(DeckChange.Why.values, required=False)


# Rules: H1.72, R-§18-3.
class EndClockBody(Body):
    """How a clock on a player ended."""

    clock_id = Id()
    how = serializers.ChoiceField(PlayerClock.How.values)


class PotBody(Body):
    """Which hand's pot lies apart; what is left out is the newest hand, and its pot less what was taken."""

    in_forms: ClassVar[Mapping[str, str]] = {"cents": "amount"}

    hand_id = serializers.UUIDField(required=False)
    cents = Cents(min_value=1, required=False)


class ChangeDeck(APIView):
    """A deck comes into play. A fact."""

    needs = "tables.change_deck"

    @api.command("tables.change_deck", "A deck comes into play", body=DeckBody, example={"colour": "blue"})
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, change_deck, **arguments_of_call(request))


class FloorCallBody(Body):
    """Why the floor is called."""

    reason = serializers.ChoiceField(sorted(FLOOR_CALLS))


class CallFloor(APIView):
    """A dealer calls the floor. A fact."""

    needs = "tables.call_floor"

    @api.command("tables.call_floor", "Call the floor", body=FloorCallBody, example={"reason": "ruling"})
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, call_floor, **arguments_of_call(request))


class CallClock(APIView):
    """A player is put on the clock. A fact."""

    needs = "tables.call_clock"

    @api.command("tables.call_clock", "Put a player on the clock", answer={"clock": 3, "seat": 2, "player": 17})
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, call_clock, seating_id=seating_id)


class EndClock(APIView):
    """The clock on a player is over. A fact."""

    needs = "tables.end_clock"

    @api.command(
        "tables.end_clock",
        "Say how a clock on a player ended",
        body=EndClockBody,
        example={"clock_id": 3, "how": "acted"},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, end_clock, **arguments_of_call(request))


class SetPotAside(APIView):
    """A disputed pot is counted and lies apart; the next hand is dealt. A fact."""

    needs = "tables.set_pot_aside"

    @api.command(
        "tables.set_pot_aside",
        "Set a disputed pot aside",
        body=PotBody,
        example={"cents": 82_00},
        answer={"pot": 1, "hand": 214, "cents": 82_00},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, set_pot_aside, **arguments_of_call(request))


class PushBody(Body):
    """Who pushes in, and over which down, None for nobody's."""

    dealer_id = Id()
    down_id = Id(required=False, allow_null=True)


class DownBody(Body):
    """The down that ends."""

    down_id = Id()


class IncidentBody(Body):
    """One entry of the incident log; a penalty alone has `minutes`."""

    in_forms: ClassVar[Mapping[str, str]] = {"cents": "amount"}

    kind = serializers.ChoiceField(Incident.Kind.values)
    player_ids = serializers.ListField(child=Id(), max_length=12, required=False)
    hand_row_id = Id(required=False)
    clause = Text(max_length=12, required=False)
    text = Text(max_length=500, required=False)
    minutes = Whole(min_value=1, max_value=10_000, required=False)
    cents = Cents(required=False)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the entry as the sheet says it: a clause of the list goes before the buttons' one."""
        filled, other = super().of_form(form), form.get("other_clause", "").strip()
        return {**filled, "clause": other} if other else filled


class ShareBody(Body):
    """What a player gets of a disputed pot."""

    player_id = Id()
    cents = Cents(min_value=1)


class SharesBody(Body):
    """Who gets a disputed pot, all of it."""

    # Of nobody's, the service says which sum they have to make.
    shares = ShareBody(many=True)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return the shares as the sheet says them: `cents_<player>` of those who get something."""
        typed_in = {player: form.get(f"cents_{player}", "").strip() for player in form.getlist("player_ids")}
        cents = {player: typed(text, Cents()) for player, text in typed_in.items() if text}
        return {"shares": [{"player_id": typed(player, Id()), "cents": each} for player, each in cents.items() if each]}


class PushDealer(APIView):
    """A dealer has pushed in."""

    needs = "tables.push_dealer"

    @api.command("tables.push_dealer", "A dealer pushes in", body=PushBody, example={"dealer_id": 4, "down_id": None})
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, push_dealer, **arguments_of_call(request))


class EndDown(APIView):
    """A dealer takes a break, and nobody follows."""

    needs = "tables.end_down"

    @api.command("tables.end_down", "A dealer takes a break", body=DownBody, example={"down_id": 9})
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, end_down, **arguments_of_call(request))


class WriteIncident(APIView):
    """The floor writes an incident down."""

    needs = "tables.write_incident"

    @api.command(
        "tables.write_incident",
        "Write an incident down",
        body=IncidentBody,
        example={"kind": "penalty", "player_ids": [17], "clause": CLAUSE_EXAMPLE, "minutes": 20},
    )
    def post(self, request: Request, number: int) -> Response:
        return at_table(request, number, write_incident, **arguments_of_call(request))


class EndPenalty(APIView):
    """The floor ends a penalty before its time."""

    needs = "tables.end_penalty"

    @api.command("tables.end_penalty", "End a penalty")
    def post(self, request: Request, incident_id: int) -> Response:
        return carried_out(request, end_penalty, incident_id=incident_id)


class PayDisputedPot(APIView):
    """The floor has decided who gets a disputed pot."""

    needs = "tables.pay_disputed_pot"

    @api.command(
        "tables.pay_disputed_pot",
        "Pay a disputed pot",
        body=SharesBody,
        example={"shares": [{"player_id": 17, "cents": 82_00}]},
    )
    def post(self, request: Request, number: int, pot_id: int) -> Response:
        shares = [Share(**share) for share in arguments_of_call(request)["shares"]]
        return at_table(request, number, pay_disputed_pot, pot_id=pot_id, shares=shares)


class PutPotBack(APIView):
    """A pot was no dispute: it goes back into play."""

    needs = "tables.put_pot_back"

    @api.command("tables.put_pot_back", "Put a pot back into play")
    def post(self, request: Request, number: int, pot_id: int) -> Response:
        return at_table(request, number, put_pot_back, pot_id=pot_id)
