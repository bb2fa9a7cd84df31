"""What compliance officers keep about people: their notes, which no player is told of."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from casino.compliance.models import ComplianceNote
from casino.people.kept import Kind, Retention, Rows, about_nobody, keep


def _erase(note_ids: Sequence[int], at: datetime) -> None:
    ComplianceNote.objects.filter(id__in=note_ids, erased_at=None).update(text="", reference="", erased_at=at)


keep(
    Kind(
        "compliance.notes",
        _("Notes of compliance officers"),
        purpose=_("To look into what may be money laundering, and to report it where the law asks for that."),
        rows=(Rows(ComplianceNote, ("player", "text", "reported_date", "reference")),),
        not_given="the law forbids telling anybody that they are suspected",
        # Officers, on whom notes may be, could hold it against those that they see.
        count=None,
        retention=Retention(
            days=lambda book: book.compliance_days,
            counts_from=_("since it was written"),
            removes=_("The text and the authority’s reference go. That there was a note, of what kind, stays."),
            due=lambda room_id, before: ComplianceNote.objects.filter(
                room_id=room_id, written_at__lt=before, erased_at=None
            ),
            about_staff=("staff_id",),
            remove=_erase,
        ),
    ),
)
about_nobody(ComplianceNote, "slip_ids claim_ids", "ids of slips and finds")
