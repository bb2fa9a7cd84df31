"""The vault: counted by two, read, and what differs judged."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.cage.api.answers_vault import VaultAnswer, VaultCountAnswer
from casino.cage.api.bodies import CountBody
from casino.cage.api.common import api
from casino.cage.selectors.vault_counts import KNOWS, counted_first_since, last_counted, vault_counts_of, vault_version
from casino.cage.services.counting import Lies
from casino.cage.services.vault_counts import NEEDS, count_vault, judge_vault, vault_count_signs
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, Page, read_query, versioned

count_vault_by_two = by_two(
    count_vault,
    needs=NEEDS,
    signs=lambda *, version, **counted: vault_count_signs(version, Lies.by(**counted)),
)


class Vault(APIView):
    """How the vault stands for whoever counts it."""

    needs = "read.vault"

    @api.reading("vault.get", "The vault, to be counted", answer=VaultAnswer, is_one=True)
    def get(self, request: Request) -> Response:
        room_id = api_actor(request).room_id
        version = vault_version(room_id)
        since = counted_first_since(room_id, at=clock.now())
        vault = {"version": version, "last_counted_at": last_counted(room_id), "counted_first_since": since}
        return versioned(VaultAnswer(vault).data, version)


class VaultCounts(APIView):
    """What was counted in the vault."""

    needs = "read.vault"

    @api.reading("vault.counts", "Counts of the vault, newest first", query=Page, answer=VaultCountAnswer(many=True))
    def get(self, request: Request) -> Response:
        query, by = read_query(Page, request), api_actor(request)
        counts = vault_counts_of(by.room_id, offset=query["offset"], most=query["limit"])
        return Response(VaultCountAnswer(counts, many=True, context={"reads_books": KNOWS in by.may}).data)


class CountVault(APIView):
    """Count the vault, blind and by two; If-Match is the `version` with which the count began."""

    needs = "cage.count_vault"
    steps = ("people.sign_second",)

    @api.command(
        "cage.count_vault",
        "Count the vault",
        body=CountBody,
        if_match=REQUIRED,
        example={
            "cash": [{"value_cents": 50_00, "count": 400}],
            "chips": [{"value_cents": 100_00, "count": 1_980}],
            "card_slips_cents": 1_250_00,
            "second": {"username": "frans", "pin": "2468"},
        },
        answer={
            "vault_count_id": 12,
            "vault_count_number": 12,
            "counted_by_id": 3,
            "counted_with_id": 2,
            "cash_difference_cents": -50_00,
            "card_slips_difference_cents": 0,
            "foreign_difference_cents": 0,
            "chips_difference_cents": 0,
            "unjudged": True,
        },
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, count_vault_by_two, **arguments_of_call(request))


class JudgeVault(APIView):
    """The floor has looked at what differs."""

    needs = "cage.judge_vault"

    @api.command(
        "cage.judge_vault",
        "Take a count of the vault that differs off the to-do",
        answer={"vault_count_id": 12, "vault_count_number": 12},
    )
    def post(self, request: Request, vault_count_id: int) -> Response:
        return carried_out(request, judge_vault, vault_count_id=vault_count_id)
