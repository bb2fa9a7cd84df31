"""The ledger over REST: accounts, what was posted on them, and the trial balance. Nothing here posts but the vault."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.errors import NotFound
from casino.ledger.chart import CHART
from casino.ledger.errors import CountedBlind
from casino.ledger.models import Account
from casino.ledger.owners import held_by
from casino.ledger.selectors.accounts import account_statement, trial_balance
from casino.ledger.services import NEEDS, stock_vault, vault_signs
from casino.people.api_auth import api_actor, carried_out
from casino.people.api_protection import SignatureBody
from casino.people.services import by_two
from casino.rest import CENTS_MAX, ID_MAX, Api, Body, Cents, Page, Whole, read, read_query, typed

api = Api("ledger")
_KINDS = sorted({kind for owner in CHART.values() for kind in owner.accounts})

# A room's first stock one alone may put in.
stock_by_two = by_two(stock_vault, needs=NEEDS, signs=vault_signs)


class VaultBody(Body):
    """Cash and newly issued chips into the vault; negative amounts take out. Who else signs, but for a room's first."""

    cash_cents = Whole(min_value=-CENTS_MAX, max_value=CENTS_MAX)
    chips_cents = Whole(min_value=-CENTS_MAX, max_value=CENTS_MAX)
    second = SignatureBody(allow_null=True, default=None)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return what a form says, which puts in alone: amounts as people type them, 0 where nothing is typed."""
        names = ("cash_cents", "chips_cents")
        amounts = {name: typed(form.get(name.removesuffix("_cents"), "").strip() or "0", Cents()) for name in names}
        return amounts | ({"second": SignatureBody.of_form(form)} if form.get("username") else {})


class AccountsPage(Page):
    """Which accounts: by owner and kind."""

    owner_kind = serializers.ChoiceField(sorted(CHART), required=False)
    owner_id = serializers.IntegerField(min_value=1, max_value=ID_MAX, required=False)
    kind = serializers.ChoiceField(_KINDS, required=False)


class PostingsPage(Page):
    """Which postings: newest first."""

    day_id = serializers.IntegerField(min_value=1, max_value=ID_MAX, required=False)


class AccountAnswer(serializers.ModelSerializer[Account]):
    """A place where money or chips can be, and how much is there; null where the reader holds it open."""

    balance_cents = serializers.IntegerField(allow_null=True)

    class Meta:
        model = Account
        fields = ["id", "owner_kind", "owner_id", "kind", "unit", "currency", "is_promise", "balance_cents"]


class PostingAnswer(serializers.Serializer[Any]):
    """One posting of an account, and what was there after it."""

    transfer_id = serializers.IntegerField()
    kind = serializers.CharField()
    at = serializers.DateTimeField()
    day_id = serializers.IntegerField()
    made_by_id = serializers.IntegerField(allow_null=True)
    approved_by_id = serializers.IntegerField(allow_null=True)
    reverses_id = serializers.IntegerField(allow_null=True)
    table_id = serializers.IntegerField(allow_null=True)
    cents = serializers.IntegerField()
    after_cents = serializers.IntegerField()


class TrialRowAnswer(serializers.Serializer[Any]):
    """
    The sum of all accounts of one kind; per unit and currency the rows sum to zero. Null where the reader holds one of
    such owners open, which is counted blind.
    """

    owner_kind = serializers.CharField()
    kind = serializers.CharField()
    unit = serializers.CharField()
    currency = serializers.CharField()
    accounts = serializers.IntegerField()
    cents = serializers.IntegerField(allow_null=True)


class Accounts(APIView):
    """The accounts of the room."""

    needs = "read.ledger"

    @api.reading("accounts.list", "Accounts", answer=AccountAnswer(many=True), query=AccountsPage)
    def get(self, request: Request) -> Response:
        query = read_query(AccountsPage, request)
        wanted = {name: query[name] for name in ("owner_kind", "owner_id", "kind") if name in query}
        by = api_actor(request)
        held = held_by(by.room_id, by.staff_id)
        accounts = Account.objects.filter(room_id=by.room_id, **wanted)
        first = query["offset"]
        page = accounts.order_by("owner_kind", "owner_id", "kind", "id")[first : first + query["limit"]]
        rows = [
            row | {"balance_cents": None} if (row["owner_kind"], row["owner_id"]) in held else row
            for row in AccountAnswer(page, many=True).data
        ]
        return Response(rows)


class Postings(APIView):
    """What was posted on an account."""

    needs = "read.ledger"

    @api.reading(
        "postings.list",
        "Postings of an account, newest first",
        answer=PostingAnswer(many=True),
        query=PostingsPage,
        is_one=True,
    )
    def get(self, request: Request, account_id: int) -> Response:
        query = read_query(PostingsPage, request)
        account = Account.objects.filter(id=account_id, room_id=api_actor(request).room_id).first()
        if account is None:
            raise NotFound(what="account")
        if (account.owner_kind, account.owner_id) in held_by(account.room_id, api_actor(request).staff_id):
            raise CountedBlind
        lines = account_statement(account, day_id=query.get("day_id"), offset=query["offset"], most=query["limit"])
        return Response(PostingAnswer(lines, many=True).data)


class TrialBalance(APIView):
    """All accounts, summed by kind."""

    needs = "read.ledger"

    @api.reading("trial_balance.get", "The trial balance", answer=TrialRowAnswer(many=True))
    def get(self, request: Request) -> Response:
        by = api_actor(request)
        hidden = {owner_kind for owner_kind, _owner_id in held_by(by.room_id, by.staff_id)}
        rows = TrialRowAnswer(trial_balance(by.room_id), many=True).data
        return Response([row | {"cents": None} if row["owner_kind"] in hidden else row for row in rows])


class Vault(APIView):
    """Put cash and newly issued chips into the vault, signed by two; the first time in a room one will do."""

    needs = "ledger.stock_vault"
    steps = ("people.sign_second",)

    @api.command(
        "ledger.stock_vault",
        "Stock the vault",
        body=VaultBody,
        example={
            "cash_cents": 10_000_00,
            "chips_cents": 100_000_00,
            "second": {"username": "frans", "pin": "2468"},
        },
        answer={"transfer_id": 1},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, stock_by_two, **read(VaultBody, request.data))
