"""
What of a gaming day is counted, and by how much it differs: the second of the two stages in which a day closes.

The cage's own are its drawers. Other apps add theirs from their AppConfig (`boxes`: the boxes with what fell that day).
So they do with what is found over or short on a day and is none of what that stage waits for and signs: at tables, on
fill slips.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.cage.models import CarriedItem, DrawerCount, DrawerSession, NotesCounted
from casino.cage.models_fills import FillSlip
from casino.ledger.models import Transfer
from casino.rooms.models import GamingDay

GONE = CarriedItem.Reason.NOT_FOUND
# Why what is not counted is carried.
REASONS = (CarriedItem.Reason.LOOKED_INTO, CarriedItem.Reason.UNDER_SEAL, CarriedItem.Reason.PLAYS_ON, GONE)


@dataclass(frozen=True)
class ToCount:
    """
    One thing that is counted of a day: how often it was, 0 for not yet, and by how many cents its newest count differs
    from what was expected, negative: it is missing. What is expected of what was not counted is nobody's to know.

    `counted_at` is when it was first counted. `may_wait`: the day's counts may close without it, where both who sign
    carry it. `address` is its page. `money_cancels_out`, `chips_cancel_out`: parts of its money, or of its chips,
    differ and are nothing together.
    """

    kind: str
    id: int
    name: str
    counts: int
    address: str = ""
    money_cents: int = 0
    chips_cents: int = 0
    counted_at: datetime | None = None
    may_wait: bool = True
    money_cancels_out: bool = False
    chips_cancel_out: bool = False

    @property
    def word(self) -> str:
        return f"{self.kind}.{self.id}"

    @property
    def differs(self) -> bool:
        return bool(self.money_cents or self.chips_cents or self.money_cancels_out or self.chips_cancel_out)


@dataclass(frozen=True)
class CountsOf:
    """
    One kind of what is counted of a day.

    `of_day` returns all of it, locked against its counts where the day's are about to close. `named` returns what
    people call them, by id; `own` which of these ids one of these persons had a part in, so that others count it.
    `put_off` is the kind of exception of both who close a day over one uncounted, "" for none; its own app declares it.
    """

    kind: str
    of_day: Callable[[GamingDay, bool], Iterable[ToCount]]
    named: Callable[[Collection[int]], Mapping[int, str]]
    own: Callable[[Collection[int], Collection[int]], set[int]] | None = None
    put_off: str = ""


# From a gaming day: what was found over or short on it besides.
Found = Callable[[GamingDay], Iterable[ToCount]]

_kinds: dict[str, CountsOf] = {}
_found: list[Found] = []


def register(counts: CountsOf) -> None:
    """Add a kind of what is counted of a day."""
    assert counts.kind not in _kinds, f"{counts.kind} is registered twice"
    _kinds[counts.kind] = counts


def put_off() -> dict[str, str]:
    """Return {kind of what is counted: kind of exception that a day closed over one is}; only kinds that have one."""
    return {kind: each.put_off for kind, each in _kinds.items() if each.put_off}


def counts_of(day: GamingDay, *, lock: bool = False) -> list[ToCount]:
    """Return all that is counted of a day, in the active language. A few queries for each kind."""
    return [each for kind in _kinds.values() for each in kind.of_day(day, lock)]


def add_found(found: Found) -> None:
    """Add a kind of what is found over or short on a day, and that its second close neither waits for nor signs."""
    _found.append(found)


def found_besides(day: GamingDay) -> list[ToCount]:
    """Return what was found over or short on a day besides `counts_of`, in the active language. A few queries each."""
    return [each for found in _found for each in found(day)]


def own_of(counts: Collection[ToCount], staff_id: int) -> list[ToCount]:
    """Return what of this somebody may not count, and so not carry either. A query for each such kind."""
    ids: dict[str, list[int]] = {}
    for each in counts:
        ids.setdefault(each.kind, []).append(each.id)
    own = {kind: _own(kind, of_kind, staff_id) for kind, of_kind in ids.items()}
    return [each for each in counts if each.id in own[each.kind]]


def not_theirs(counts: Collection[ToCount], reasons: Mapping[str, str], signers: Collection[int]) -> list[ToCount]:
    """
    Return what of this two signers do not carry for these reasons, by word: what one of them had a part in. Of what
    cannot be found, which nobody can count first, it is enough that one of them had none.
    """
    own = [{each.word for each in own_of(counts, staff_id)} for staff_id in signers]

    def had_part(each: ToCount) -> int:
        return sum(each.word in words for words in own)

    return [each for each in counts if had_part(each) > (reasons.get(each.word) == GONE)]


def _own(kind: str, ids: Collection[int], staff_id: int) -> set[int]:
    read_own = _kinds[kind].own
    return read_own(ids, [staff_id]) if read_own else set()


def version_of(counts: Iterable[ToCount]) -> int:
    """Return what goes up with each count, and with each thing that is found to be counted."""
    return sum(1 + each.counts for each in counts)


def label(kind: str, row_id: int) -> str:
    """Return what people call one of them, in the active language; by its number where it is gone. A query."""
    return labels(kind, [row_id])[row_id]


def labels(kind: str, ids: Collection[int]) -> dict[int, str]:
    """Return what people call each of these things of a kind, by id, as `label`. A query."""
    names = _kinds[kind].named(ids) if kind in _kinds else {}
    return {row_id: names.get(row_id, f"{kind} {row_id}") for row_id in ids}


def _drawers(day: GamingDay, lock: bool) -> Iterable[ToCount]:
    """
    Yield the drawers that were counted on a day, and on the open one those that still are to be. Two queries.

    One that was carried over a day's end is counted on a later day, and is of that one.
    """
    newest: dict[int, Any] = {}
    differ = NotesCounted.objects.filter(count=OuterRef("pk")).exclude(cents=F("expected_cents"))
    for count in (
        DrawerCount.objects.filter(session__closed_day=day).annotate(notes_differ=Exists(differ)).order_by("number")
    ):
        newest[count.session_id] = count
    opened = DrawerSession.objects.filter(DrawerSession.open_on(day.room_id, [day.pk]), drawer__place_kind="")
    opened = opened.select_related("drawer")
    if day.closed_at is not None:
        opened = opened.filter(closed_day=day)
    for session in opened.order_by("drawer__number", "id"):
        last = newest.get(session.pk)
        money, chips = (last.money_difference_cents, last.chips_difference_cents) if last else (0, 0)
        address = reverse("cage_session", args=[session.pk])
        name = _drawer(session.drawer.number, session.drawer.is_bank)
        yield ToCount(
            "drawer",
            session.pk,
            name,
            last.number if last else 0,
            address,
            money,
            chips,
            may_wait=False,
            money_cancels_out=last is not None and not money and (any(last.differences_cents[:2]) or last.notes_differ),
        )


def _drawer(number: int, is_bank: bool) -> str:
    return (_("bank %(number)s") if is_bank else _("drawer %(number)s")) % {"number": number}


def _named(ids: Collection[int]) -> Mapping[int, str]:
    sessions = DrawerSession.objects.filter(id__in=ids).values_list("id", "drawer__number", "drawer__is_bank")
    return {session_id: _drawer(number, is_bank) for session_id, number, is_bank in sessions}


def _fills(day: GamingDay) -> Iterator[ToCount]:
    """Yield the fill slips that were counted on a day, where it goes or where it came from, and differ. One query."""
    agree = Q(got_cash_cents=F("sent_cash_cents"), got_chips_cents=F("sent_chips_cents"))
    counted = FillSlip.objects.filter(room_id=day.room_id, got_transfer_id__isnull=False).exclude(agree)
    posted = Transfer.objects.filter(id=OuterRef("got_transfer_id"), day=day.pk)
    for slip in counted.filter(Exists(posted)).order_by("number"):
        name = _("fill slip %(number)s") % {"number": slip.number}
        money, chips = slip.differences_cents
        yield ToCount("fill", slip.pk, name, 1, reverse("cage_fill", args=[slip.pk]), money, chips, may_wait=False)


register(CountsOf("drawer", _drawers, _named))
add_found(_fills)
