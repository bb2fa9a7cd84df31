"""The jackpots' books over a span of gaming days are signed by two, with the figures that both have seen."""

from datetime import date

from casino.commands.carrying_out import Command, Outcome, service
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import room_of
from jackpot.errors_reports import FiguresMoved
from jackpot.models import Pool, SignedReport
from jackpot.selectors.reconciling import reconciled

# What who signs second must be allowed to do; whoever asks is a manager.
NEEDS = "jackpot.countersign_report"


def report_signs(first_date: str, last_date: str, *, seen: str) -> str:
    """Return what is signed: which days, and the fingerprint of their figures."""
    return f"report.{first_date}.{last_date}.{seen}"


@service("jackpot.sign_report")
def sign_report(command: Command, *, first_date: str, last_date: str, seen: str, approved_by_id: int) -> Outcome:
    """
    Keep the report of all jackpots over a span of gaming days, as two persons have signed it.

    The dates are ISO 8601, both included; `seen` is `reconciling.Report.seen` of the figures that both have seen.
    `approved_by_id` has signed `report_signs` (`people.services.second_person`, before this command). Figures that do
    not agree are signed as they are: the report says so.

    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises SpanBackwards, SpanAhead, NoDayInSpan: as `reconciling.reconciled`.
    :raises FiguresMoved: they are others by now.
    """
    check_signed(command, approved_by_id, needs=NEEDS, signs=report_signs(first_date, last_date, seen=seen))
    # No sum changes while they are read. A day need not be open: most are signed when theirs has closed.
    list(Pool.objects.select_for_update(no_key=True).filter(room_id=command.room_id).order_by("id"))
    first, last = date.fromisoformat(first_date), date.fromisoformat(last_date)
    report = reconciled(room_of(command.room_id), first, last)
    if report.seen != seen:
        raise FiguresMoved
    assert command.by.staff_id is not None, "who asks is a manager"
    kept = SignedReport.objects.create(
        room_id=command.room_id,
        first_date=first,
        last_date=last,
        figures=report.as_json(),
        seen=seen,
        agrees=report.agrees,
        at=command.at,
        made_by_id=command.by.staff_id,
        approved_by_id=approved_by_id,
    )
    data = {"report": kept.pk, "agrees": report.agrees, "approved_by_id": approved_by_id}
    return Outcome(chain="jackpots", data=data)
