"""Findings in words: why each is one, fit to read aloud, and all of them as a table for files."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.compliance.rules import IN, JUST_BELOW, LITTLE_PLAYED, OTHER_MEANS, TOGETHER, Thresholds
from casino.compliance.selectors.findings import Findings, FindingShown, SlipShown
from casino.compliance.words import KINDS, STATES
from casino.money import format_cents
from casino.reports.sheet import Column, Sheet
from casino.rooms.models import Room
from casino.text import isolated


def why(shown: FindingShown, thresholds: Thresholds, room: Room) -> str:
    """Say in a sentence why a finding is one."""
    finding = shown.finding

    def money(cents: int) -> str:
        return format_cents(cents, currency=room.currency, locale=room.locale)

    values: dict[str, Any] = {
        "name": isolated(shown.name),
        "count": len(finding.rows),
        "amount": money(finding.cents),
        "sum": money(thresholds.sum_cents),
        "desk": isolated(shown.slips[0].desk),
        "first": _moment(shown.slips[0].row.at, room),
        "last": _moment(finding.last_at, room),
        "hands": finding.hands,
    }
    return _sentence(finding.kind, is_in=finding.way == IN, hands=finding.hands or 0) % values


def _sentence(kind: str, *, is_in: bool, hands: int) -> str:
    if kind == TOGETHER and is_in:
        return _("%(name)s brought %(amount)s in %(count)s parts, each below %(sum)s, from %(first)s to %(last)s.")
    if kind == TOGETHER:
        return _("%(name)s was paid %(amount)s in %(count)s parts, each below %(sum)s, from %(first)s to %(last)s.")
    if kind == JUST_BELOW and is_in:
        return _("%(name)s brought just below %(sum)s %(count)s times: %(amount)s in all, from %(first)s to %(last)s.")
    if kind == JUST_BELOW:
        return _("%(name)s was paid just below %(sum)s %(count)s times: %(amount)s in all, from %(first)s to %(last)s.")
    if kind == LITTLE_PLAYED:
        return ngettext(
            "%(name)s bought chips for %(amount)s and cashed them out again, with %(hands)s hand dealt on those days.",
            "%(name)s bought chips for %(amount)s and cashed them out again, with %(hands)s hands dealt on those days.",
            hands,
        )
    if kind == OTHER_MEANS:
        return _("%(name)s brought %(amount)s by one means and was paid it by another, from %(first)s to %(last)s.")
    if is_in:
        return _(
            "At %(desk)s somebody without a name brought just below %(sum)s %(count)s times: %(amount)s in all, from"
            " %(first)s to %(last)s."
        )
    return _(
        "At %(desk)s somebody without a name was paid just below %(sum)s %(count)s times: %(amount)s in all, from"
        " %(first)s to %(last)s."
    )


def slip_name(slip: SlipShown) -> str:
    """Return what a slip is called: its desk and its number there."""
    return f"{slip.desk} · {slip.number}"


def sheet_of(findings: Findings, room: Room) -> Sheet:
    """Return the findings as a table: one row each."""
    columns = [
        Column("kind", gettext_lazy("What")),
        Column("person", gettext_lazy("Who")),
        Column("state", gettext_lazy("How it stands")),
        Column("amount", gettext_lazy("Amount"), "cents"),
        Column("hands", gettext_lazy("Hands"), "count"),
        Column("first", gettext_lazy("First"), "moment"),
        Column("last", gettext_lazy("Last"), "moment"),
        Column("why", gettext_lazy("Why")),
        Column("slips", gettext_lazy("Slips")),
    ]
    rows = [_row(each, findings.thresholds, room) for each in findings.shown] if findings.thresholds else []
    return Sheet("findings", gettext_lazy("What looks like structuring"), columns, rows)


def _row(each: FindingShown, thresholds: Thresholds, room: Room) -> Mapping[str, Any]:
    return {
        "kind": str(KINDS[each.finding.kind]),
        "person": each.name or _("nobody named"),
        "state": str(STATES[each.state]),
        "amount": each.finding.cents,
        "hands": each.finding.hands,
        "first": each.slips[0].row.at,
        "last": each.finding.last_at,
        "why": why(each, thresholds, room),
        "slips": ", ".join(slip_name(slip) for slip in each.slips),
    }


def _moment(at: datetime, room: Room) -> str:
    return date_format(at.astimezone(ZoneInfo(room.time_zone)), "j.n. H:i")
