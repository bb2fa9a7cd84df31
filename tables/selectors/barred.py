"""Who waits or sits and may not sit where: kept apart (H1.75), own hours used up, penalised (H1.48), excluded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from casino import clock
from casino.people.models import KeptApart, OwnLimit, Player
from casino.people.rules.limits import Wish, limit_on
from casino.people.standing import newest_day_id
from tables.models import Incident, Seating
from tables.rules.hours import plays_until
from tables.selectors.penalties import penalties_of


@dataclass(frozen=True)
class Barred:
    """
    What keeps players from seats just now. `apart` names by player who may not sit at their table, `plays_no_more` who
    sits down nowhere now, `penalties` by player those that run.
    """

    apart: Mapping[int, frozenset[int]] = field(default_factory=dict)
    plays_no_more: frozenset[int] = frozenset()
    penalties: Mapping[int, Incident] = field(default_factory=dict)

    def keeps_from(self, player_id: int, there: Iterable[int]) -> bool:
        """Say whether somebody of `there` is kept apart from this player."""
        return not self.apart.get(player_id, frozenset()).isdisjoint(there)


def barred(room_id: int, *, waiting: Iterable[Player], sitting: Iterable[Seating]) -> Barred:
    """
    Return what keeps these players from seats, as it stands now.

    No query where nothing ever stood about any of them, else three; two more where somebody who waits has hours of
    their own. However many they are.
    """
    at = clock.now()
    sitting = list(sitting)
    of_lists = {player.pk for player in waiting if player.is_watched}
    watched = of_lists | {each.player_id for each in sitting if each.player.is_watched}
    if not watched:
        return Barred()
    over = {each.player_id for each in sitting if each.barred_since or (each.plays_until and each.plays_until <= at)}
    penalties = penalties_of(watched, at=at)
    over |= penalties.keys() | _hours_used_up(room_id, of_lists, at=at)
    return Barred(_apart(watched), frozenset(over), penalties)


def watched_of(sitting: Iterable[Seating]) -> list[Seating]:
    """Return the seatings, with their holders', of whom `barred` may say anything: hardly any of forty tables."""
    holders = (each for seating in sitting for each in (seating.holder, seating) if each is not None)
    return [each for each in holders if each.player.is_watched or each.barred_since or each.plays_until]


def _apart(watched: set[int]) -> dict[int, frozenset[int]]:
    apart: dict[int, set[int]] = {}
    pairs = KeptApart.objects.filter(Q(one__in=watched) | Q(other__in=watched), ended_at=None)
    for one, other in pairs.values_list("one_id", "other_id"):
        apart.setdefault(one, set()).add(other)
        apart.setdefault(other, set()).add(one)
    return {player_id: frozenset(others) for player_id, others in apart.items()}


def _hours_used_up(room_id: int, watched: set[int], *, at: datetime) -> set[int]:
    """Return which of these have played as long as they want to today, as `protection.hours_end` has it for one."""
    wishes: dict[int, list[Wish]] = {}
    limits = OwnLimit.objects.filter(player_id__in=watched, kind=OwnLimit.Kind.HOURS).order_by("id")
    for player_id, amount, day_id in limits.values_list("player_id", "amount", "day_id"):
        wishes.setdefault(player_id, []).append(Wish(amount, day_id or 0))
    if not wishes:
        return set()
    day_id = newest_day_id(room_id)
    minutes = {player_id: limit_on(day_id, wish).amount for player_id, wish in wishes.items()}
    limited = {player_id: most for player_id, most in minutes.items() if most is not None}
    sat: dict[int, list[tuple[datetime, datetime | None]]] = {player_id: [] for player_id in limited}
    mine = Q(player__in=list(limited)) | Q(player__merged_into__in=list(limited))
    rows = Seating.objects.filter(mine, opening__day_id=day_id)
    sittings = rows.values_list("player", "player__merged_into", Seating.SAT_ON_DAY, "left_at")
    for player_id, kept_id, began, left in sittings:
        sat[player_id if player_id in sat else kept_id or 0].append((began, left))
    return {
        player_id for player_id, most in limited.items() if plays_until(sat[player_id], limit_minutes=most, at=at) <= at
    }
