"""Questions about the vault's counts, and what they are on a day's checklist, among its counts and for the floor."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino import clock, seldom
from casino.audit.models import Event
from casino.cage import day_counts, day_ends, open_items
from casino.cage.chart import IN_VAULT
from casino.cage.day_counts import CountsOf, ToCount
from casino.cage.errors_vault import VaultCountedFirst
from casino.cage.models import VaultCount, VaultNotesCounted
from casino.cage.open_items import CarriedItems, Page
from casino.commands.carrying_out import DONE
from casino.ledger.models import Posting
from casino.live.todo import ToDoLine
from casino.money import format_cents, format_difference
from casino.people.models import Staff
from casino.people.permissions import MAY
from casino.reading import read_once
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import night_began_after, open_day, room_of, rule_book_in_force
from casino.rows import read_seldom

# Who is told of a count.
NEWS = "cage.vault"
# Whoever may do this can look up what lies in the vault.
KNOWS = "read.ledger"
# Of a day's checklist there is one vault.
_THE_VAULT = 1
_PAGE = Page("page.vault", "cage_vault_counts", open_items.one_for_all)


def vault_version(room_id: int) -> int:
    """Return what goes up with whatever goes into the vault or out of it, by which a count knows that. One query."""
    moved = Posting.objects.filter(account__room_id=room_id, account__owner_kind="house", account__kind__in=IN_VAULT)
    return moved.aggregate(last=Max("id"))["last"] or 0


def vault_counts_of(room_id: int, *, offset: int = 0, most: int = 100) -> list[VaultCount]:
    """Return the counts of the vault, newest first, with their day and notes. Two queries."""
    counts = VaultCount.objects.filter(room_id=room_id).select_related("day")
    return list(counts.prefetch_related("notes").order_by("-number")[offset : offset + most])


def vault_count_by_id(room_id: int, count_id: int) -> VaultCount | None:
    """Return one with everybody whom its paper names. Two queries."""
    counts = VaultCount.objects.filter(room_id=room_id, id=count_id)
    people = counts.select_related("counted_by", "counted_with", "judged_by", "day")
    return people.prefetch_related("notes").first()


def last_counted(room_id: int) -> datetime | None:
    """Return when the vault was last counted, None for never. One query."""
    newest = VaultCount.objects.filter(room_id=room_id).order_by("-number")
    return newest.values_list("counted_at", flat=True).first()


# ---- what it gives


def readers(room_id: int) -> QuerySet[Staff]:
    """Return who can look up what lies in the vault."""
    return Staff.objects.filter(room_id=room_id, roles__overlap=[role.value for role in MAY[KNOWS]])


def counted_first_since(room_id: int, *, at: datetime) -> datetime | None:
    """
    Return since when the vault gives nothing to whoever may not look up what lies there, until two have counted it;
    None where it gives. One query, and the book's where it was too short tonight.
    """
    tries = _tries(room_id)
    if not tries:
        return None
    most = rule_book_in_force(room_id, at=at)[1].cage.short_payouts_most
    return tries[most - 1] if len(tries) >= most else None


def why_not_given(room_id: int, staff_id: int | None, *, at: datetime) -> VaultCountedFirst | None:
    """
    Return what refuses everything that the vault would give to somebody, None where nothing does. One query, or a few
    where it was too short tonight.
    """
    if counted_first_since(room_id, at=at) and not readers(room_id).filter(pk=staff_id or 0).exists():
        return VaultCountedFirst()
    return None


def check_not_counted_first(room_id: int, staff_id: int | None, *, at: datetime) -> None:
    """
    Let the vault give something to somebody, whatever it is. Queries as `why_not_given`.

    :raises VaultCountedFirst: it was too short too often, and they may not look up what lies there.
    """
    if refusal := why_not_given(room_id, staff_id, at=at):
        raise refusal


@read_once
def _tries(room_id: int) -> list[datetime]:
    """Return when the vault was too short tonight for whoever may not look, since its last count, in order."""
    return [at for (at,) in seldom.rows(*_tries_statement(room_id))]


@lru_cache(maxsize=64)
def _tries_statement(room_id: int) -> tuple[str, ...]:
    """Return the statement of `_tries` and its values. It is made once, for each push of the floor's to-do has it."""
    tonight = Event.objects.filter(room_id=room_id, id__gt=night_began_after(room_id))
    counted = tonight.filter(name="cage.count_vault", result=DONE).order_by("-id").values("id")[:1]
    # As a literal, for a plan that is made once knows no values, and only so uses the index of what was refused.
    short = RawSQL("'vault_short'", ())
    tries = tonight.filter(result=short, id__gt=Coalesce(Subquery(counted), Value(0)))
    moments = tries.exclude(staff_id__in=readers(room_id).values("id")).order_by("id").values_list("at")
    text, values = moments.query.sql_with_params()
    return (text, *values)


# ---- the gaming day


def _is_owed(room_id: int) -> list[tuple[int, int]]:
    """Return the open day where the book has the vault counted on each, and it was not yet. Two queries, or three."""
    day = open_day(room_id)
    if day is None or not rule_book_in_force(room_id, at=clock.now())[1].cage.vault_counted_daily:
        return []
    return [] if VaultCount.objects.filter(day=day).exists() else [(_THE_VAULT, day.pk)]


def _counted_later(rows: Collection[int], _day_id: int) -> Mapping[int, datetime | None]:
    """Return which of these days' counts of the vault was made on a later one, and when. One query."""
    later = VaultCount.objects.filter(room_id=OuterRef("room_id"), day_id__gt=OuterRef("pk")).order_by("counted_at")
    days = GamingDay.objects.filter(id__in=rows).annotate(at=Subquery(later.values("counted_at")[:1]))
    return {day_id: at for day_id, at in days.values_list("id", "at") if at is not None}


def _unjudged(room_id: int) -> list[tuple[int, int]]:
    counts = VaultCount.objects.filter(room_id=room_id, unjudged=True).order_by("number")
    return list(counts.values_list("number", "id"))


def own_counts(room_id: int, staff_id: int) -> QuerySet[VaultCount]:
    """Return those that somebody counted, or stood by: what differs is not theirs to judge."""
    return VaultCount.objects.filter(Q(counted_by=staff_id) | Q(counted_with=staff_id), room_id=room_id)


def _own_unjudged(room_id: int, staff_id: int) -> set[int]:
    return set(own_counts(room_id, staff_id).filter(unjudged=True).values_list("id", flat=True))


def _ids(room_id: int, numbers: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    counts = VaultCount.objects.filter(room_id=room_id, number__in=numbers).values_list("number", "id")
    return {number: (count_id,) for number, count_id in counts}


open_items.register(
    CarriedItems("vault", gettext_lazy("the count of the vault"), _is_owed, _counted_later,
                 title=gettext_lazy("The vault is counted"), is_rare=True, page=_PAGE)
)  # fmt: skip
open_items.register(
    CarriedItems(
        "vault_differs",
        gettext_lazy("what differs by count %(number)s of the vault"),
        _unjudged,
        open_items.rows_done(VaultCount, "judged_at"),
        title=gettext_lazy("What differs in the vault is judged"),
        is_rare=True,
        page=Page("page.vault", "cage_vault_count", _ids),
        own=_own_unjudged,
    )
)


def _of_day(day: GamingDay, _lock: bool) -> Iterable[ToCount]:
    """Yield the vault's counts of a day: none is waited for here, and none changes. One query."""
    differ = VaultNotesCounted.objects.filter(count=OuterRef("pk")).exclude(cents=F("expected_cents"))
    for count in VaultCount.objects.filter(day=day).annotate(notes_differ=Exists(differ)).order_by("number"):
        money = count.money_difference_cents
        parts_differ = any(count.differences_cents[:3]) or bool(count.notes_differ)
        yield ToCount(
            "vault",
            count.pk,
            _name(count.number),
            1,
            reverse("cage_vault_count", args=[count.pk]),
            money,
            count.chips_difference_cents,
            counted_at=count.counted_at,
            may_wait=False,
            money_cancels_out=not money and parts_differ,
        )


def _name(number: int) -> str:
    return _("vault, count %(number)s") % {"number": number}


def _named(ids: Collection[int]) -> Mapping[int, str]:
    counts = VaultCount.objects.filter(id__in=ids).values_list("id", "number")
    return {count_id: _name(number) for count_id, number in counts}


day_counts.register(CountsOf("vault", _of_day, _named))


def _warning(room_id: int) -> str:
    """Say, where the open day has not counted the vault, when it was last counted."""
    day, at = open_day(room_id), last_counted(room_id)
    if day is None or (at is not None and at >= day.opened_at):
        return ""
    if at is None:
        return _("The vault was never counted.")
    there = timezone.localtime(at, ZoneInfo(room_of(room_id).time_zone))
    return _("The vault was last counted %(at)s.") % {"at": date_format(there, "j.n.Y H:i")}


# Nothing of it ends with the day; the manager is told before.
day_ends.register(day_ends.DayEnd(_warning, lambda _command: {}, page=("page.vault", "cage_vault_counts")))


# ---- the floor


def vault_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """
    Yield a line where the vault gives nothing until it was counted, and one for each count that differs and that nobody
    has judged. Two queries; three, and the room's, where there is something.
    """
    since = counted_first_since(room_id, at=clock.now())
    if since is not None:
        yield ToDoLine(
            key="vault.counted_first",
            table_number=None,
            urgency=1,
            tone="soon",
            where=_("Vault"),
            text=_("The vault gives nothing until it has been counted"),
            reason=_("It was too short too often tonight. A cashier counts it, and somebody else signs."),
            at=since,
            how="page",
            address=reverse("cage_vault_counts"),
            label=_("Look"),
        )
    for count in _to_judge(room_id):
        room = room_of(room_id)
        yield ToDoLine(
            key=f"vault.{count.pk}",
            table_number=None,
            urgency=2,
            tone="wrong",
            where=_("Vault"),
            text=_("The count differs: %(differences)s") % {"differences": _differences(room, count)},
            reason=_("Ask who counted, and go through what went in and out since the count before."),
            at=count.counted_at,
            how="page",
            address=reverse("cage_vault_count", args=[count.pk]),
            label=_("Look"),
        )


@read_once
def _to_judge(room_id: int) -> list[VaultCount]:
    rows = read_seldom((VaultCount,), "FROM cage_vaultcount WHERE room_id = %s AND unjudged ORDER BY number", room_id)
    return [count for (count,) in rows]


def _differences(room: Room, count: VaultCount) -> str:
    names = (_("Cash"), _("Card slips"), _("Foreign notes"), _("Chips"))
    parts = [
        f"{name} {format_difference(cents, currency=room.currency, locale=room.locale)}"
        for name, cents in zip(names, count.differences_cents, strict=True)
        if cents
    ]
    if not parts:
        # Notes of one currency lie there for those of another, and are worth as much.
        parts = [f"{names[2]} ±{format_cents(0, currency=room.currency, locale=room.locale)}"]
    return ", ".join(parts)
