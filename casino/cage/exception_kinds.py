"""What the exception report counts at the cage: slips that were taken back, and drawers, fills and the vault that were
short."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, LiteralString

from django.db import connection
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.audit.models import Event
from casino.audit.sentences import Reader
from casino.cage import fill_places
from casino.cage.labels import REASONS
from casino.money import format_cents
from casino.people.exception_report import (
    CASES_MAX,
    SHIFTS,
    Basis,
    Case,
    Counted,
    ExceptionKind,
    Span,
    add_bases,
    add_cases,
    add_kinds,
    add_reader,
    as_cases,
    by_shifts,
)

SLIPS, DRAWERS, FILLS = "slips", "drawer_counts", "fills_carried"
TAKEN_BACK, APPROVED, SHORT = "slips_taken_back", "reversals_approved", "drawers_short"
CARRIED_SHORT, OWN_COUNTED = "fills_short", "own_drawers_counted"
_COUNTS = ("cage.close_drawer", "cage.recount_drawer")
VAULT, VAULT_SHORT = "vault_counts", "vault_short"
IN_ONE_STEP = gettext_lazy("By who asked; taken where the rule book lets that be, in place of a fill slip.")
_PAID: LiteralString = """
    SELECT slip.paid_by_id, count(*) FROM cage_drawersession session
    JOIN cage_drawer drawer ON drawer.id = session.drawer_id AND drawer.room_id = %(room)s
    JOIN cage_slip slip ON slip.session_id = session.id AND slip.status IN ('paid', 'void')
    JOIN ledger_transfer transfer ON transfer.id = slip.transfer_id AND transfer.day_id = ANY(%(days)s)
    WHERE session.day_id <= %(last)s AND (session.closed_day_id >= %(first)s OR session.closed_day_id IS NULL)
    GROUP BY 1
"""
# A reversal names its drawer and slip by their numbers: no index knows slips by when they were taken back.
_REVERSED: LiteralString = """
    SELECT slip.id, slip.paid_by_id, slip.void_approved_by_id, slip.amount_cents, slip.voided_at, slip.void_reason,
        drawer.number, slip.number, drawer.is_bank, drawer.place_kind, drawer.place_number,
        transfer.kind = 'never_sold'
    FROM ledger_transfer transfer
    JOIN cage_drawer drawer ON drawer.room_id = transfer.room_id
        AND drawer.number = (transfer.about ->> 'drawer')::int
    JOIN cage_slip slip ON slip.drawer_id = drawer.id AND slip.number = (transfer.about ->> 'slip')::int
        AND slip.void_transfer_id = transfer.id
    WHERE transfer.room_id = %(room)s AND transfer.day_id = ANY(%(days)s)
        AND transfer.kind IN ('reversal', 'never_sold')
    ORDER BY transfer.id DESC
"""
# Each drawer's session with its last count is everybody's who paid out of it or reversed a slip there, of whichever
# session, or else of who opened it; a bank's is its runner's. Which session a reversal fell into the drawer's chain of
# the log says, whose order no clock that is set back changes; one that was carried over a day's end began on a day
# before. Cash, card slips and the notes of each currency are
# counted by themselves: what one was swapped for lacks. What a drawer cannot lack (more chips than ever lay in it) is
# no shortage.
_COUNTED: LiteralString = """
    WITH began AS (
        SELECT least(%(after)s, min(day.opened_after)) AS after
        FROM cage_drawersession session JOIN rooms_gamingday day ON day.id = session.day_id
        WHERE session.closed_day_id = ANY(%(days)s)
    ), moved AS MATERIALIZED (
        SELECT chain, number, staff_id, name = 'cage.reverse_slip' AS is_reversal,
            (text::jsonb -> 'data' ->> 'session_id')::bigint AS session_id
        FROM audit_event
        WHERE room_id = %(room)s AND id > (SELECT after FROM began) AND (%(upto)s::bigint IS NULL OR id <= %(upto)s)
            AND result = 'done' AND name IN ('cage.open_drawer', 'cage.close_drawer', 'cage.reverse_slip')
    )
    SELECT session.id, drawer.number, count.id, count.counted_at, count.short, person.staff_id, drawer.is_bank,
        CASE WHEN session.day_id <> session.closed_day_id THEN opened.date END
    FROM cage_drawersession session JOIN cage_drawer drawer ON drawer.id = session.drawer_id
    JOIN rooms_gamingday opened ON opened.id = session.day_id
    CROSS JOIN LATERAL (
        SELECT id, counted_at,
            greatest(expected_cash_cents - cash_cents, 0) + greatest(expected_card_slips_cents - card_slips_cents, 0)
                + coalesce((
                    SELECT sum(greatest(notes.expected_cents - notes.cents, 0))::bigint FROM cage_notescounted notes
                    WHERE notes.count_id = counted.id
                ), 0)
                + greatest(greatest(expected_chips_cents, 0) - chips_cents, 0) AS short
        FROM cage_drawercount counted WHERE session_id = session.id ORDER BY number DESC LIMIT 1
    ) count
    CROSS JOIN LATERAL (
        SELECT DISTINCT coalesce(session.holder_id, moved.by_id, session.opened_by_id) AS staff_id
        FROM (SELECT) one LEFT JOIN LATERAL (
            SELECT paid_by_id AS by_id FROM cage_slip WHERE session_id = session.id
            UNION
            SELECT reversed.staff_id FROM moved opened JOIN moved closed USING (chain, session_id)
            JOIN moved reversed ON reversed.chain = opened.chain AND reversed.is_reversal
                AND reversed.number BETWEEN opened.number AND closed.number
            WHERE opened.session_id = session.id AND opened.number < closed.number
        ) moved ON true
    ) person
    WHERE session.closed_day_id = ANY(%(days)s) ORDER BY session.id DESC
"""

# What somebody signed for and carried, and how much of it two did not find where it went.
_CARRIED: LiteralString = """
    SELECT slip.id, slip.runner_id, slip.number, slip.ended_at,
        greatest(slip.sent_cash_cents - slip.got_cash_cents, 0)
            + greatest(slip.sent_chips_cents - slip.got_chips_cents, 0)
    FROM ledger_transfer transfer JOIN cage_fillslip slip ON slip.got_transfer_id = transfer.id
    WHERE transfer.room_id = %(room)s AND transfer.day_id = ANY(%(days)s)
        AND transfer.kind IN ('fill_verified', 'fill_returned')
    ORDER BY transfer.id DESC
"""

# A count of the vault is everybody's who moved something there, or signed for it, since the count before. Each part is
# counted by itself, as in a drawer.
_VAULT: LiteralString = """
    SELECT counted.id, person.staff_id, counted.number, counted.counted_at, counted.short
    FROM (
        SELECT id, room_id, day_id, number, counted_at, after_transfer_id,
            coalesce(lag(transfer_id) OVER counts, lag(after_transfer_id) OVER counts, 0) AS began,
            greatest(expected_cash_cents - cash_cents, 0) + greatest(expected_card_slips_cents - card_slips_cents, 0)
                + coalesce((
                    SELECT sum(greatest(notes.expected_cents - notes.cents, 0))::bigint
                    FROM cage_vaultnotescounted notes WHERE notes.count_id = cage_vaultcount.id
                ), 0)
                + greatest(expected_chips_cents - chips_cents, 0) AS short
        FROM cage_vaultcount WHERE room_id = %(room)s WINDOW counts AS (PARTITION BY room_id ORDER BY number)
    ) counted CROSS JOIN LATERAL (
        SELECT DISTINCT moved.staff_id
        FROM ledger_account account JOIN ledger_posting posting ON posting.account_id = account.id
        JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
        CROSS JOIN LATERAL (VALUES (transfer.made_by_id), (transfer.approved_by_id)) moved (staff_id)
        WHERE account.room_id = counted.room_id AND account.owner_kind = 'house'
            AND account.kind IN ('vault_cash', 'vault_card_slips', 'vault_foreign_notes', 'vault_chips')
            AND transfer.id > counted.began AND transfer.id <= counted.after_transfer_id
            AND moved.staff_id IS NOT NULL
    ) person
    WHERE counted.day_id = ANY(%(days)s) ORDER BY counted.id DESC
"""


def _rows(statement: LiteralString, span: Span) -> list[Any]:
    with connection.cursor() as cursor:
        about: dict[str, Any] = {"room": span.room_id, "days": span.day_ids}
        about |= {"after": span.after_id, "upto": span.next_after, "first": span.day_ids[0], "last": span.day_ids[-1]}
        cursor.execute(statement, about)
        return list(cursor.fetchall())


def read(span: Span) -> Iterator[Counted]:
    """
    Count slips, reversals, drawers, fills and counts of the vault, by who paid, approved, stood there, carried, moved
    something there, or counted their own. Six queries.
    """
    for staff_id, count in _rows(_PAID, span):
        yield Counted(SLIPS, staff_id, count)
    for _id, paid_by, approved_by, cents, *_rest in _rows(_REVERSED, span):
        yield Counted(TAKEN_BACK, paid_by, 1, cents)
        yield Counted(APPROVED, approved_by, 1, cents)
    for session_id, _drawer, _count, _at, short, staff_id, *_rest in _rows(_COUNTED, span):
        yield Counted(DRAWERS, staff_id, 1, thing=session_id)
        if short:
            yield Counted(SHORT, staff_id, 1, short, thing=session_id)
    for _id, runner_id, _number, _at, short in _rows(_CARRIED, span):
        yield Counted(FILLS, runner_id, 1)
        if short:
            yield Counted(CARRIED_SHORT, runner_id, 1, short)
    for count_id, staff_id, _number, _at, short in _rows(_VAULT, span):
        yield Counted(VAULT, staff_id, 1, thing=count_id)
        if short:
            yield Counted(VAULT_SHORT, staff_id, 1, short, thing=count_id)
    for event in _own_counts(span):
        yield Counted(OWN_COUNTED, _counter(event), 1)


def _own_counts(span: Span) -> Iterable[Event]:
    """Return the counts of drawers by who had paid from them, newest first, which the room's rule book let be."""
    counts = Event.objects.filter(**span.bounds(), name__in=_COUNTS, text__contains='"own_drawer":true')
    return counts.order_by("-id")


def _counter(event: Event) -> int:
    return int(json.loads(event.text)["data"]["counted_by_id"])


def _own_cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    mine = [event for event in _own_counts(span) if _counter(event) == staff_id]
    return as_cases(mine[:CASES_MAX], reader)


def _reversals(span: Span, staff_id: int, reader: Reader, *, column: int) -> Iterable[Case]:
    for row in [row for row in _rows(_REVERSED, span) if row[column] == staff_id][:CASES_MAX]:
        slip_id, _paid, _approved, cents, at, reason, drawer, number, is_bank, kind, place, was_never = row
        about = {
            "slip": number,
            "drawer": drawer,
            "amount": format_cents(cents, currency=reader.currency, locale=reader.locale),
            "reason": REASONS.get(reason, reason),
        }
        text = _("Slip %(slip)s of drawer %(drawer)s, %(amount)s: %(reason)s")
        if is_bank:
            text = _("Slip %(slip)s of bank %(drawer)s, %(amount)s: %(reason)s")
        elif kind:
            text = _("Slip %(slip)s of %(place)s, %(amount)s: %(reason)s")
            if was_never:
                text = _("Slip %(slip)s of %(place)s, %(amount)s, never sold, as its count shows: %(reason)s")
            about["place"] = fill_places.label(kind, place)
        url = reverse("cage_slip", args=[slip_id]) if "page.slips" in reader.may else ""
        chain = fill_places.of(kind).chain(place) if kind else f"drawer.{drawer}"
        yield Case(at, text % about, chain, url)


def _taken_back(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    return _reversals(span, staff_id, reader, column=1)


def _approved(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    return _reversals(span, staff_id, reader, column=2)


def _shorts(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    mine = [row for row in _rows(_COUNTED, span) if row[5] == staff_id and row[4]]
    for session_id, drawer, _count, at, short, _staff, is_bank, opened_on in mine[:CASES_MAX]:
        amount = format_cents(short, currency=reader.currency, locale=reader.locale)
        text = _("Bank %(drawer)s: %(amount)s missing") if is_bank else _("Drawer %(drawer)s: %(amount)s missing")
        words = text % {"drawer": drawer, "amount": amount}
        if opened_on is not None:
            words = _("%(what)s, carried over from %(date)s") % {"what": words, "date": f"{opened_on:%-d.%-m.%Y}"}
        url = reverse("cage_session", args=[session_id]) if "page.slips" in reader.may else ""
        yield Case(at, words, f"drawer.{drawer}", url)


def _fills_short(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    mine = [row for row in _rows(_CARRIED, span) if row[1] == staff_id and row[4]]
    for fill_id, _runner, number, at, short in mine[:CASES_MAX]:
        amount = format_cents(short, currency=reader.currency, locale=reader.locale)
        words = _("Fill slip %(number)s: %(amount)s missing") % {"number": number, "amount": amount}
        yield Case(at, words, "vault", reverse("cage_fill", args=[fill_id]) if "page.fills" in reader.may else "")


def _vault_short(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    mine = [row for row in _rows(_VAULT, span) if row[1] == staff_id and row[4]]
    for count_id, _staff, number, at, short in mine[:CASES_MAX]:
        amount = format_cents(short, currency=reader.currency, locale=reader.locale)
        words = _("Count %(number)s of the vault: %(amount)s missing") % {"number": number, "amount": amount}
        url = reverse("cage_vault_count", args=[count_id]) if "page.vault" in reader.may else ""
        yield Case(at, words, "vault", url)


def register() -> None:
    """Add the cage's bases and kinds to the exception report."""
    a_hundred = gettext_lazy("per 100 slips")
    add_bases(
        Basis(SLIPS, gettext_lazy("Slips paid"), scale=100, rate=a_hundred),
        Basis(DRAWERS, gettext_lazy("Drawers counted"), scale=1, rate=gettext_lazy("per drawer")),
        Basis(FILLS, gettext_lazy("Fills carried"), scale=1, rate=gettext_lazy("per fill")),
        Basis(VAULT, gettext_lazy("Counts of the vault"), scale=1, rate=gettext_lazy("per count")),
    )
    add_kinds(
        ExceptionKind(TAKEN_BACK, gettext_lazy("Own slips reversed"), SLIPS, has_cents=True),
        ExceptionKind("reversals_asked", gettext_lazy("Reversals asked for"), SLIPS, "cage.reverse_slip"),
        by_shifts("exchanges_back", gettext_lazy("Exchanges taken back"), "cage.reverse_exchange"),
        by_shifts("vouchers_void", gettext_lazy("Vouchers made void"), "cage.void_voucher"),
        by_shifts("requests_cancelled", gettext_lazy("Requests cancelled"), "cage.cancel_slip"),
        by_shifts(
            "fills_in_one_step",
            gettext_lazy("Fills asked for, signed and done in one step"),
            "cage.fill_drawer",
            IN_ONE_STEP,
        ),
        by_shifts(
            "credits_in_one_step",
            gettext_lazy("Credits asked for, signed and done in one step"),
            "cage.return_to_vault",
            IN_ONE_STEP,
        ),
        by_shifts("never_sold", gettext_lazy("Sales from racks that never were"), "cage.void_rack_sale"),
        ExceptionKind(
            APPROVED, gettext_lazy("Reversals approved"), SHIFTS, may="cage.approve_reversal", has_cents=True
        ),
        ExceptionKind(
            SHORT,
            gettext_lazy("Drawers short"),
            DRAWERS,
            has_cents=True,
            note=gettext_lazy(
                "By everybody who paid out of the drawer or reversed a slip there, a bank by its runner; its last "
                "count holds."
            ),
        ),
        ExceptionKind(
            CARRIED_SHORT,
            gettext_lazy("Fills short"),
            FILLS,
            has_cents=True,
            note=gettext_lazy("By who carried it: less was counted where it went than was signed for."),
        ),
    )
    add_kinds(
        ExceptionKind(
            OWN_COUNTED,
            gettext_lazy("Own drawers counted"),
            DRAWERS,
            note=gettext_lazy("By who counted, and had paid from it; taken where the rule book lets that be."),
        ),
        ExceptionKind(
            VAULT_SHORT,
            gettext_lazy("Vault short"),
            VAULT,
            has_cents=True,
            note=gettext_lazy("By everybody who moved something there, or signed for it, since the count before."),
        ),
    )
    add_reader(read)
    add_cases(TAKEN_BACK, _taken_back)
    add_cases(APPROVED, _approved)
    add_cases(SHORT, _shorts)
    add_cases(OWN_COUNTED, _own_cases)
    add_cases(CARRIED_SHORT, _fills_short)
    add_cases(VAULT_SHORT, _vault_short)
