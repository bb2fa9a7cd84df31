"""The compliance officer's desk over REST."""

from datetime import date
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.cage.rules import CLAIMED
from casino.compliance.models import ComplianceNote
from casino.compliance.rules import Thresholds
from casino.compliance.selectors.findings import ORDER, FindingShown, findings_of, notes_on
from casino.compliance.services import mark_finding, write_note
from casino.compliance.shown import why
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.kept_documents import kept_documents
from casino.reports.api_exceptions import OfSpan
from casino.rest import Api, Body, CalendarDay, Id, Page, Text, read_query
from casino.rooms.models import Room
from casino.rooms.selectors import room_of

api = Api("compliance")

SLIPS_MAX = 500
_WRITTEN_FOR = [each for each in ComplianceNote.Reason.values if each != ComplianceNote.Reason.CORRECTS]


class Paragraph(Text):
    """A text of several lines, kept as one."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(" ".join(data.split()) if isinstance(data, str) else data)


class NoteBody(Body):
    """On whom (a player or somebody on staff) or which note it corrects, one of the three; what it says, and why."""

    player_id = Id(allow_null=True, default=None)
    staff_id = Id(allow_null=True, default=None)
    corrects_id = Id(allow_null=True, default=None)
    text = Paragraph(max_length=1_000)
    reason = serializers.ChoiceField(_WRITTEN_FOR, default=ComplianceNote.Reason.BOOKS.value)


class MarkBody(Body):
    """Which finding, how it stands from now on, and why; of a report its day and the authority's reference."""

    kind = serializers.ChoiceField(ComplianceNote.Kind.choices)
    slip_ids = serializers.ListField(child=Id(), default=list, max_length=SLIPS_MAX)
    claim_ids = serializers.ListField(child=Id(), default=list, max_length=SLIPS_MAX)
    mark = serializers.ChoiceField(ComplianceNote.Mark.choices)
    text = Paragraph(max_length=1_000)
    reason = serializers.ChoiceField(_WRITTEN_FOR, default=ComplianceNote.Reason.BOOKS.value)
    reported_on = CalendarDay(allow_null=True, default=None)
    reference = Text(max_length=60, allow_blank=True, default="")


class FindingsPage(OfSpan, Page):
    """Which gaming days, and which part of what was found in them."""


class OfPerson(Body):
    """Notes on a player or on somebody on staff; without either the newest of the room."""

    player_id = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    staff_id = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False)


class NoteAnswer(serializers.Serializer[Any]):
    """A note; `text` and `reference` are empty once their time was over."""

    id = serializers.IntegerField()
    player_id = serializers.IntegerField(allow_null=True)
    staff_id = serializers.IntegerField(allow_null=True)
    kind = serializers.CharField(allow_blank=True)
    slip_ids = serializers.ListField(child=serializers.IntegerField())
    claim_ids = serializers.ListField(child=serializers.IntegerField())
    mark = serializers.CharField()
    reason = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    reported_on = serializers.DateField(source="reported_date", allow_null=True)
    reference = serializers.CharField(allow_blank=True)
    corrects_id = serializers.IntegerField(allow_null=True)
    written_at = serializers.DateTimeField()
    written_by_id = serializers.IntegerField()


class DocumentAnswer(serializers.Serializer[Any]):
    """A document that was seen of an erased guest; after `kept_until` it goes by itself."""

    id = serializers.IntegerField(source="check.pk")
    player_id = serializers.IntegerField(source="check.player_id")
    document = serializers.CharField(source="check.document")
    number = serializers.CharField(source="check.number")
    full_name = serializers.CharField(source="check.full_name", allow_blank=True)
    valid_until = serializers.DateField(source="check.valid_until", allow_null=True)
    checked_at = serializers.DateTimeField(source="check.checked_at")
    checked_by_id = serializers.IntegerField(source="check.checked_by_id")
    kept_until = serializers.DateField()


class FoundSlipAnswer(serializers.Serializer[Any]):
    """A slip that a finding rests on; of foreign notes `amount_cents` is what they were worth."""

    id = serializers.IntegerField()
    drawer_id = serializers.IntegerField()
    number = serializers.IntegerField()
    kind = serializers.CharField()
    method = serializers.CharField()
    amount_cents = serializers.IntegerField()
    paid_at = serializers.DateTimeField()


class FoundClaimAnswer(serializers.Serializer[Any]):
    """Lost cash that was claimed, on which a finding rests; its number is among what was found."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    amount_cents = serializers.IntegerField()
    claimed_at = serializers.DateTimeField()


class FindingAnswer(serializers.Serializer[Any]):
    """A finding: `player_id` is null where nobody was named, `way` empty where it is both ways."""

    kind = serializers.CharField()
    player_id = serializers.IntegerField(allow_null=True)
    way = serializers.CharField(allow_blank=True)
    amount_cents = serializers.IntegerField()
    hands = serializers.IntegerField(allow_null=True)
    state = serializers.CharField(help_text=", ".join(ORDER))
    why = serializers.CharField()
    slips = FoundSlipAnswer(many=True)
    claims = FoundClaimAnswer(many=True)
    notes = NoteAnswer(many=True)


class FindingsAnswer(serializers.Serializer[Any]):
    """
    What looks like structuring, what is new first.

    `own`: some rest on slips that whoever asks has handled, or share one with a note that does, and are left out.
    """

    first = serializers.DateField()
    last = serializers.DateField()
    at = serializers.DateTimeField(help_text="The moment of these figures: what comes later changes an open day's.")
    sum_cents = serializers.IntegerField(allow_null=True, help_text="From when on the house must know who it is.")
    own = serializers.BooleanField()
    count = serializers.IntegerField(help_text="How many there are in all.")
    findings = FindingAnswer(many=True)


class AllFindings(APIView):
    """What in a span of gaming days looks like structuring."""

    needs = "read.findings"

    @api.reading(
        "compliance.findings", "What looks like structuring", query=FindingsPage, answer=FindingsAnswer, is_one=True
    )
    def get(self, request: Request) -> Response:
        by, query = api_actor(request), read_query(FindingsPage, request)
        first, last = (date.fromisoformat(query[name]) if query.get(name) else None for name in ("first", "last"))
        room = room_of(by.room_id)
        findings = findings_of(room, by, first, last)
        page_of = findings.shown[query["offset"] :][: query["limit"]]
        answer = {
            "first": findings.span.first,
            "last": findings.span.last,
            "at": findings.at,
            "sum_cents": findings.thresholds.sum_cents if findings.thresholds else None,
            "own": findings.own,
            "count": len(findings.shown),
            "findings": [_finding(each, findings.thresholds, room) for each in page_of] if findings.thresholds else [],
        }
        return Response(FindingsAnswer(answer).data)


class MarkFinding(APIView):
    """Write on a finding, and say how it stands from now on."""

    needs = "compliance.mark_finding"

    @api.command(
        "compliance.mark_finding",
        "Mark a finding",
        body=MarkBody,
        example={
            "kind": "just_below",
            "slip_ids": [41, 44],
            "claim_ids": [],
            "mark": "reported",
            "text": "Two buy-ins an hour apart, and no answer when asked.",
            "reason": "books",
            "reported_on": "2026-11-20",
            "reference": "FIU 2026/118",
        },
        answer={"note": 3},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, mark_finding, **arguments_of_call(request))


class Documents(APIView):
    """What is kept of the documents of guests who wished to be forgotten, the newest first."""

    needs = "read.findings"

    @api.reading("compliance.documents", "Documents of erased guests", query=Page, answer=DocumentAnswer(many=True))
    def get(self, request: Request) -> Response:
        by, query = api_actor(request), read_query(Page, request)
        documents = kept_documents(room_of(by.room_id), at=clock.now(), offset=query["offset"], most=query["limit"])
        return Response(DocumentAnswer(documents.shown, many=True).data)


class Notes(APIView):
    """Notes on a person, or the newest ones; and writing one."""

    needs = "read.findings"

    @api.reading("compliance.notes", "Compliance notes", query=OfPerson, answer=NoteAnswer(many=True), is_one=True)
    def get(self, request: Request) -> Response:
        by, query = api_actor(request), read_query(OfPerson, request)
        _name, notes = notes_on(room_of(by.room_id), by, **query)
        return Response(NoteAnswer([each.note for each in notes], many=True).data)


class WriteNote(APIView):
    """Write a note on a person, or one that corrects another."""

    needs = "compliance.write_note"

    @api.command(
        "compliance.write_note",
        "Write a compliance note",
        body=NoteBody,
        example={"player_id": 17, "text": "Asked twice from which sum on a document is needed.", "reason": "told"},
        answer={"note": 3},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, write_note, **arguments_of_call(request))


def _finding(each: FindingShown, thresholds: Thresholds, room: Room) -> dict[str, Any]:
    finding = each.finding
    return {
        "kind": finding.kind,
        "player_id": finding.person,
        "way": finding.way,
        "amount_cents": finding.cents,
        "hands": finding.hands,
        "state": each.state,
        "why": why(each, thresholds, room),
        "slips": [
            {
                "id": slip.row.id,
                "drawer_id": slip.row.drawer_id,
                "number": slip.number,
                "kind": slip.row.kind,
                "method": slip.row.method,
                "amount_cents": slip.row.cents,
                "paid_at": slip.row.at,
            }
            for slip in each.slips
            if slip.row.kind != CLAIMED
        ],
        "claims": [
            {
                "id": claim.row.id,
                "number": claim.number,
                "amount_cents": claim.row.cents,
                "claimed_at": claim.row.at,
            }
            for claim in each.slips
            if claim.row.kind == CLAIMED
        ],
        "notes": [noted.note for noted in each.notes],
    }
