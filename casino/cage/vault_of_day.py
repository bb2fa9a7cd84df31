"""What the vault's counts are on a gaming day's checklist, among its counts, and in what its closing warns of."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Exists, F, OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino import clock
from casino.cage import day_counts, day_ends, open_items
from casino.cage.day_counts import CountsOf, ToCount
from casino.cage.models import VaultCount, VaultNotesCounted
from casino.cage.open_items import CarriedItems, Page
from casino.cage.selectors.vault_counts import last_counted, own_counts
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day, room_of, rule_book_in_force

# Of a day's checklist there is one vault.
_THE_VAULT = 1
_PAGE = Page("page.vault", "cage_vault_counts", open_items.one_for_all)


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


def _own_unjudged(room_id: int, staff_id: int) -> set[int]:
    return set(own_counts(room_id, staff_id).filter(unjudged=True).values_list("id", flat=True))


def _ids(room_id: int, numbers: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    counts = VaultCount.objects.filter(room_id=room_id, number__in=numbers).values_list("number", "id")
    return {number: (count_id,) for number, count_id in counts}


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


def _warning(room_id: int) -> str:
    """Say, where the open day has not counted the vault, when it was last counted."""
    day, at = open_day(room_id), last_counted(room_id)
    if day is None or (at is not None and at >= day.opened_at):
        return ""
    if at is None:
        return _("The vault was never counted.")
    there = timezone.localtime(at, ZoneInfo(room_of(room_id).time_zone))
    return _("The vault was last counted %(at)s.") % {"at": date_format(there, "j.n.Y H:i")}


def register() -> None:
    """Register the vault with the checklist, the day's counts and what the day's closing warns of."""
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
    day_counts.register(CountsOf("vault", _of_day, _named))
    # Nothing of it ends with the day; the manager is told before.
    day_ends.register(day_ends.DayEnd(_warning, lambda _command: {}, page=("page.vault", "cage_vault_counts")))
