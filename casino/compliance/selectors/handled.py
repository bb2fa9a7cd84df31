"""Questions about what notes rest on: which slips and claims somebody has handled, and which notes rest on them."""

from collections.abc import Collection

from django.db.models import BooleanField, Q
from django.db.models.expressions import RawSQL

from casino.cage.models import Slip, Unclaimed
from casino.compliance.models import ComplianceNote
from casino.compliance.rules import CLAIM, SLIP, Source, ids_in


def handled_among(staff_id: int, sources: Collection[Source]) -> set[Source]:
    """Return which of some slips and claims somebody asked for, took in, paid, or signed. A query for each of both."""
    by_them = Q(requested_by_id=staff_id) | Q(paid_by_id=staff_id) | Q(approved_by_id=staff_id)
    slips = Slip.objects.filter(by_them, id__in=ids_in(sources, SLIP))
    taken_in = Q(taken_in_by_id=staff_id) | Q(approved_by_id=staff_id)
    given = Q(ended_by_id=staff_id) | Q(end_approved_by_id=staff_id)
    claims = Unclaimed.objects.filter(taken_in | given, id__in=ids_in(sources, CLAIM))
    return {
        *((SLIP, each) for each in slips.values_list("id", flat=True)),
        *((CLAIM, each) for each in claims.values_list("id", flat=True)),
    }


def rests_on_handled(staff_id: int) -> RawSQL:
    """Return whether a note rests on anything of `handled_among`, as a condition on notes."""
    return RawSQL(
        "(EXISTS (SELECT FROM cage_slip slip WHERE slip.id = ANY(compliance_compliancenote.slip_ids)"
        " AND %s IN (slip.requested_by_id, slip.paid_by_id, slip.approved_by_id))"
        " OR EXISTS (SELECT FROM cage_unclaimed claim WHERE claim.id = ANY(compliance_compliancenote.claim_ids)"
        " AND %s IN (claim.taken_in_by_id, claim.approved_by_id, claim.ended_by_id, claim.end_approved_by_id)))",
        [staff_id, staff_id],
        output_field=BooleanField(),
    )


def notes_resting_on(room_id: int, sources: Collection[Source]) -> list[ComplianceNote]:
    """Return the notes on findings that rest on any of some slips and claims, oldest first. One query."""
    slips, claims = sorted(ids_in(sources, SLIP)), sorted(ids_in(sources, CLAIM))
    on = ComplianceNote.objects.filter(Q(slip_ids__overlap=slips) | Q(claim_ids__overlap=claims), room_id=room_id)
    return list(on.exclude(kind="").order_by("id"))
