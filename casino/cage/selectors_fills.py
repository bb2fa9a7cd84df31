"""Questions about fill slips, and who carries what."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from casino.cage import fill_places
from casino.cage.labels import FILL_REASONS, FILL_STATUSES, KINDS
from casino.cage.models import Drawer
from casino.cage.models_fills import FillSlip
from casino.cage.vault_counts import check_not_counted_first
from casino.errors import Refusal
from casino.rooms.errors import NoOpenDay
from casino.rooms.selectors import open_day

NAMED = ("requested_by", "authorised_by", "sent_by", "runner", "ended_by", "ended_with", "judged_by", "day")


@dataclass(frozen=True)
class Shown:
    """A fill slip with its words, in the active language: what it is, where it goes, how it stands."""

    slip: FillSlip
    is_of_bank: bool

    @classmethod
    def read(cls, slip: FillSlip) -> "Shown":
        """Return a slip that `named_by_place` has read."""
        return cls(slip, slip.is_of_bank)  # type: ignore[attr-defined] # annotated

    @property
    def kind(self) -> str:
        return str(KINDS[self.slip.kind])

    @property
    def place(self) -> str:
        is_bank = self.is_of_bank and self.slip.place_kind == fill_places.DRAWER
        return fill_places.label(self.slip.place_kind, self.slip.place_number, is_bank=is_bank)

    @property
    def status(self) -> str:
        return str(FILL_STATUSES[self.slip.status])

    @property
    def reason(self) -> str:
        return str(FILL_REASONS.get(self.slip.reason, ""))


@dataclass(frozen=True)
class Carrying:
    """Who has something with them, by the slips that they signed for; not how much, for counts are blind."""

    name: str
    slips: list[Shown]


def named_by_place(slips: QuerySet[FillSlip]) -> QuerySet[FillSlip]:
    """Have fill slips read with what tells a runner's bank from a drawer."""
    return slips.annotate(is_of_bank=Exists(Drawer.objects.filter(id=OuterRef("place_id"), is_bank=True)))


def fills(room_id: int) -> QuerySet[FillSlip]:
    """Return the room's fill slips with everybody whom their paper names."""
    return named_by_place(FillSlip.objects.filter(room_id=room_id).select_related(*NAMED))


def fills_under_way(room_id: int) -> list[Shown]:
    """Return what goes its way, oldest first. One query."""
    return [Shown.read(slip) for slip in fills(room_id).filter(FillSlip.OPEN).order_by("number")]


def last_fills(room_id: int, *, most: int = 40) -> list[Shown]:
    """Return what has ended, the newest first. One query."""
    return [Shown.read(slip) for slip in fills(room_id).exclude(FillSlip.OPEN).order_by("-number")[:most]]


def carrying(under_way: list[Shown]) -> list[Carrying]:
    """Return who carries what of these, by name."""
    by_runner: dict[str, list[Shown]] = {}
    for each in under_way:
        if each.slip.is_blind and each.slip.runner is not None:
            by_runner.setdefault(each.slip.runner.display_name, []).append(each)
    return [Carrying(name, slips) for name, slips in sorted(by_runner.items())]


def why_not_now(slip: FillSlip, *, staff_id: int | None, at: datetime, is_brought_back: bool = False) -> Refusal | None:
    """
    Return what the next step of a slip is refused by, whatever is typed: being given to a runner, or counted where it
    goes, or where it came from (`is_brought_back`). None where it is not refused. A few queries.
    """
    try:
        if slip.status == FillSlip.Status.AUTHORISED:
            _check_given(slip, staff_id=staff_id, at=at)
        elif slip.status == FillSlip.Status.DELIVERED:
            _check_moves(slip, is_at_place=(slip.kind == FillSlip.Kind.FILL) is not is_brought_back)
    except Refusal as refusal:
        return refusal
    return None


def _check_given(slip: FillSlip, *, staff_id: int | None, at: datetime) -> None:
    _check_moves(slip, is_at_place=True)
    place = fill_places.of(slip.place_kind)
    if slip.kind == FillSlip.Kind.FILL:
        place.check_takes(slip.place_id, at=at)
        check_not_counted_first(slip.room_id, staff_id, at=at)
    else:
        place.check_gives(slip.place_id)


def _check_moves(slip: FillSlip, *, is_at_place: bool) -> None:
    if open_day(slip.room_id) is None:
        raise NoOpenDay
    if is_at_place:
        fill_places.of(slip.place_kind).check_open(slip.place_id)
