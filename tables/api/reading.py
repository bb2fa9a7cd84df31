"""What the tables answer when they are only asked; and which tables and games there are."""

from typing import Any

from django.db.models import Prefetch
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.errors import NotFound
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.rest import read_query, versioned
from tables.api.answers import CountedAnswer, GameAnswer, HandAnswer, SeatingAnswer, TableAnswer, ToDoAnswer
from tables.api.bodies import CountedQuery, HandsPage, TableBody, ToDosPage
from tables.api.common import api, own_table, table_at, table_id_at
from tables.models import Game, Hand, HandCharge, HandPot, HandSeat, Seating, Table, ToDo, at_seats
from tables.owners import table_figures
from tables.selectors.next_hand import next_hand_at
from tables.services.setup import add_table, offer_games

# Pots in the order in which they were formed: rake and drop follow it (H1.85).
_IN_ORDER = (
    Prefetch("seats", HandSeat.objects.order_by("seat_number")),
    Prefetch("pots", HandPot.objects.order_by("index")),
    Prefetch("charges", HandCharge.objects.order_by("id")),
)


class Tables(APIView):
    """All tables of the room; a table's own tablet sees its own."""

    needs = {"GET": "read.tables", "POST": "tables.add_table"}

    @api.reading("tables.list", "The tables as they are now", answer=TableAnswer(many=True))
    def get(self, request: Request) -> Response:
        return Response([_table(*pair) for pair in _now(request, own_table(request))])

    @api.command("tables.add_table", "Add a table", body=TableBody, example={"number": 5}, answer={"table": 5, "id": 5})
    def post(self, request: Request) -> Response:
        return carried_out(request, add_table, **arguments_of_call(request))


class OneTable(APIView):
    """One table."""

    needs = "read.tables"

    @api.reading("tables.get", "One table as it is now", answer=TableAnswer, is_one=True)
    def get(self, request: Request, number: int) -> Response:
        table_at(request, number)
        table, seatings = _now(request, number)[0]
        return versioned(_table(table, seatings), table.version)


class Counted(APIView):
    """Whether a count can be: how much lies in play is not told, for counts are blind."""

    needs = "read.tables"

    @api.reading(
        "tables.counted",
        "Whether a count is above what is in play",
        answer=CountedAnswer,
        query=CountedQuery,
        is_one=True,
    )
    def get(self, request: Request, number: int) -> Response:
        table_id = table_id_at(request, number)
        counted = read_query(CountedQuery, request)["counted_cents"]
        in_play = table_figures(table_id).get("in_play", 0)
        return Response(CountedAnswer({"is_above_play": counted > in_play}).data)


class OneSeating(APIView):
    """One player in a seat, also after leaving it."""

    needs = "read.tables"

    @api.reading("seatings.get", "One seating at a table", answer=SeatingAnswer, is_one=True)
    def get(self, request: Request, number: int, seating_id: int) -> Response:
        table = table_at(request, number)
        seating = Seating.objects.select_related("player").filter(id=seating_id, table=table).first()
        if seating is None:
            raise NotFound(what="seating")
        return versioned(SeatingAnswer(seating).data, seating.version)


class Hands(APIView):
    """The hands of a table."""

    needs = "read.tables"

    @api.reading(
        "hands.list", "Hands of a table, newest first", answer=HandAnswer(many=True), query=HandsPage, is_one=True
    )
    def get(self, request: Request, number: int) -> Response:
        query = read_query(HandsPage, request)
        hands = (
            Hand.objects.filter(table=table_at(request, number))
            .select_related("opening__game")
            .prefetch_related(*_IN_ORDER)
        )
        if "status" in query:
            hands = hands.filter(status=query["status"])
        first = query["offset"]
        return Response(HandAnswer(hands.order_by("-id")[first : first + query["limit"]], many=True).data)


class OneHand(APIView):
    """One hand as it was logged."""

    needs = "read.tables"

    @api.reading("hands.get", "One hand", answer=HandAnswer, is_one=True)
    def get(self, request: Request, number: int, hand_row_id: int) -> Response:
        table = table_at(request, number)
        hand = (
            Hand.objects.filter(id=hand_row_id, table=table)
            .select_related("opening__game")
            .prefetch_related(*_IN_ORDER)
            .first()
        )
        if hand is None:
            raise NotFound(what="hand")
        return Response(HandAnswer(hand).data)


class Games(APIView):
    """What the room offers."""

    needs = "read.tables"

    @api.reading("games.list", "The games on offer", answer=GameAnswer(many=True))
    def get(self, request: Request) -> Response:
        games = Game.objects.filter(room_id=api_actor(request).room_id, is_offered=True)
        return Response(GameAnswer(games.order_by("name", "id"), many=True).data)


class OfferGames(APIView):
    """Offer the games of the rule book in force, and no others."""

    needs = "tables.offer_games"

    @api.command("tables.offer_games", "Offer the rule book's games", answer={"games": [1, 2]})
    def post(self, request: Request) -> Response:
        return carried_out(request, offer_games)


class ToDos(APIView):
    """What the floor has yet to judge."""

    needs = "read.todos"

    @api.reading("todos.list", "What the floor has yet to judge", answer=ToDoAnswer(many=True), query=ToDosPage)
    def get(self, request: Request) -> Response:
        query = read_query(ToDosPage, request)
        to_dos = ToDo.objects.filter(room_id=api_actor(request).room_id, done_at__isnull=query["is_open"])
        first = query["offset"]
        page = to_dos.select_related("table").order_by("raised_at", "id")[first : first + query["limit"]]
        return Response(ToDoAnswer(page, many=True).data)


def _now(request: Request, number: int | None) -> list[tuple[Table, list[Seating]]]:
    """Return tables with who sits there, by number. Two queries."""
    tables = Table.objects.filter(room_id=api_actor(request).room_id).select_related("opening__game", "hand")
    if number is not None:
        tables = tables.filter(number=number)
    seatings: dict[int, list[Seating]] = {}
    sitting = Seating.objects.filter(left_at=None, table__in=tables).select_related("player")
    for seating in sitting.order_by("seat_number"):
        seatings.setdefault(seating.table_id, []).append(seating)
    return [(table, seatings.get(table.pk, [])) for table in tables.order_by("number")]


def _table(table: Table, seatings: list[Seating]) -> dict[str, Any]:
    opening = table.opening
    fields = {
        "number": table.number,
        "version": table.version,
        "is_open": table.is_open,
        "hand_number": table.hand_number,
        "opening_id": table.opening_id,
        "game": opening.game if opening else None,
        "hand": table.hand,
        "seatings": seatings,
        "next_hand": next_hand_at(opening, at_seats(seatings)) if opening else None,
    }
    return dict(TableAnswer(fields).data)
