"""Questions about fill slips, and who carries what."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from casino.cage import fill_places
from casino.cage.labels import FILL_REASONS, FILL_STATUSES, KINDS
from casino.cage.models import Drawer
from casino.cage.models_fills import FillSlip
from casino.cage.selectors.vault_counts import why_not_given
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


@dataclass(frozen=True)
class Refused:
    """
    What the next step of a slip is refused by now, whatever is typed, None where nothing: being given to a runner, or
    counted where it goes (`forth`); and being counted where it came from (`back`), of one that is on its way.
    """

    forth: Refusal | None = None
    back: Refusal | None = None


def refused_now(slips: Sequence[FillSlip], *, staff_id: int | None, at: datetime) -> dict[int, Refused]:
    """
    Return what refuses the next step of a room's slips to somebody, by slip; of slips that wait for no such step
    nothing does. A few queries for each kind of place, however many slips there are.
    """
    statuses = FillSlip.Status
    next_ones = [slip for slip in slips if slip.status in (statuses.AUTHORISED, statuses.DELIVERED)]
    found = {slip.pk: Refused() for slip in slips}
    if not next_ones:
        return found
    room_id = next_ones[0].room_id
    if open_day(room_id) is None:
        return found | {slip.pk: Refused(NoOpenDay(), NoOpenDay()) for slip in next_ones}
    places = _standings(next_ones, at=at)
    vault = why_not_given(room_id, staff_id, at=at) if any(_is_filled(slip) for slip in next_ones) else None
    for slip in next_ones:
        place = places[slip.place_kind, slip.place_id]
        if slip.is_blind:
            goes_there = slip.kind == FillSlip.Kind.FILL
            found[slip.pk] = Refused(forth=place.moves) if goes_there else Refused(back=place.moves)
        else:
            found[slip.pk] = Refused(place.moves or ((place.takes or vault) if _is_filled(slip) else place.gives))
    return found


def _is_filled(slip: FillSlip) -> bool:
    """Say whether the next step takes something out of the vault."""
    return slip.status == FillSlip.Status.AUTHORISED and slip.kind == FillSlip.Kind.FILL


def _standings(slips: Sequence[FillSlip], *, at: datetime) -> dict[tuple[str, int], fill_places.Standing]:
    by_kind: dict[str, set[int]] = {}
    for slip in slips:
        by_kind.setdefault(slip.place_kind, set()).add(slip.place_id)
    return {
        (kind, place_id): standing
        for kind, ids in by_kind.items()
        for place_id, standing in fill_places.of(kind).standings(ids, at=at).items()
    }
