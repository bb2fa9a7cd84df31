"""
Whether somebody may play, and what stands about them: exclusions, limits of their own, pairs kept apart.

A player about whom nothing ever stood (`Player.is_watched`) costs no statement; everybody else costs one.
"""

import json
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import BooleanField, F, Func, Q
from django.db.models.functions import Coalesce

from casino.audit.models import DONE, Event
from casino.errors import NotFound
from casino.people.models import Exclusion, KeptApart, Player, Staff
from casino.people.permissions import Role, may_of
from casino.people.rules.exclusions import Excluded, holds, may_be_lifted
from casino.people.rules.limits import Limit, Wish, limit_on
from casino.people.selectors import nicknames, staff_names
from casino.rooms.models import GamingDay
from casino.rooms.selectors import night_began_after


@dataclass(frozen=True)
class Standing:
    """
    What stands about a player: exclusions that were not lifted, limits by kind, and who is kept apart from them.

    Limits are as they are on the day that was asked for.
    """

    exclusions: tuple[Excluded, ...] = ()
    limits: Mapping[str, Limit] = field(default_factory=dict)
    apart: frozenset[int] = frozenset()

    def limit(self, kind: str) -> int | None:
        """Return the limit of a kind that holds, in cents or minutes; None: no limit."""
        return self.limits.get(kind, Limit()).amount


CLEAR = Standing()

# One statement for three kinds of rows: what they are, an amount or another player's id, a moment, a text, a day.
_STANDING = """
SELECT 'exclusion', NULL::bigint, kind, clause, until, NULL::bigint, id
FROM people_exclusion WHERE player_id = %(player)s AND lifted_at IS NULL
UNION ALL
SELECT 'limit', amount, kind, '', NULL, coalesce(day_id, 0), id FROM people_ownlimit WHERE player_id = %(player)s
UNION ALL
SELECT 'apart', CASE WHEN one_id = %(player)s THEN other_id ELSE one_id END, '', '', NULL, NULL, id
FROM people_keptapart WHERE (one_id = %(player)s OR other_id = %(player)s) AND ended_at IS NULL
ORDER BY 1, 7
"""


def standing_of(player: Player, *, day_id: int) -> Standing:
    """
    Return what stands about a player on a gaming day. One statement, none for somebody about whom nothing ever stood.

    Under the player's lock (`lock_player`) it stays so until the transaction ends.
    """
    if not player.is_watched:
        return CLEAR
    exclusions: list[Excluded] = []
    wishes: dict[str, list[Wish]] = {}
    apart: set[int] = set()
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, {"player": player.pk})
        for what, number, kind, clause, until, day, _id in cursor.fetchall():
            if what == "exclusion":
                exclusions.append(Excluded(kind, until, clause))
            elif what == "limit":
                wishes.setdefault(kind, []).append(Wish(number, day))
            else:
                apart.add(number)
    limits = {kind: limit_on(day_id, each) for kind, each in wishes.items()}
    return Standing(tuple(exclusions), limits, frozenset(apart))


def newest_day_id(room_id: int) -> int:
    """Return the id of the room's newest gaming day, open or closed; 0 before the first. One query."""
    return GamingDay.objects.filter(room_id=room_id).order_by("-id").values_list("id", flat=True).first() or 0


def ids_of(player_id: int, *, by: str = "player") -> Q:
    """Return the condition "this player's, or of a record merged into this one" for rows with a player as `by`."""
    # An array is looked up once, and the rows are then found by their index on the player. PostgreSQL plans IN as a
    # join, and in a new house that join read all players for each slip.
    records = Player.objects.filter(Q(pk=player_id) | Q(merged_into_id=player_id)).values("pk")
    return Q(_AnyOf(F(by), ArraySubquery(records)))


class _AnyOf(Func):
    """Whether a value is in an array: `= ANY`."""

    arg_joiner = " = ANY ("
    template = "%(expressions)s)"
    output_field = BooleanField()


def persons_of(player_ids: Collection[int]) -> dict[int, int]:
    """Return whose record each of these is: what was merged is the kept one's. One query."""
    players = Player.objects.filter(id__in=player_ids).values_list("id", "merged_into_id")
    return {each: kept or each for each, kept in players}


def excluded_ids(players: Iterable[Player], *, at: datetime) -> set[int]:
    """Return which of these players may not play. One query, none where nothing ever stood about any of them."""
    watched = [player.pk for player in players if player.is_watched]
    if not watched:
        return set()
    rows = Exclusion.objects.filter(player_id__in=watched, lifted_at=None)
    return {each.player_id for each in rows if holds(Excluded(each.kind, each.until), at)}


# ---- the player's page


@dataclass(frozen=True)
class ExclusionRow:
    """One exclusion as its page shows it; `reason` is "" for whoever may not read reasons."""

    exclusion: Exclusion
    last_day: str
    made_by: str
    lifted_by: str
    signed_by: str
    reason: str
    holds: bool
    may_be_lifted: bool

    @property
    def last_date(self) -> date | None:
        return date.fromisoformat(self.last_day) if self.last_day else None

    @property
    def is_own(self) -> bool:
        return self.exclusion.kind == Exclusion.Kind.OWN


@dataclass(frozen=True)
class PairRow:
    """Somebody who is kept apart from the player."""

    pair: KeptApart
    player_id: int
    nickname: str
    made_by: str
    reason: str


@dataclass(frozen=True)
class PlayerCard:
    """A player with all that stands about them, newest first. Limits by kind, as of the newest gaming day."""

    player: Player
    exclusions: Sequence[ExclusionRow]
    limits: Mapping[str, Limit]
    pairs: Sequence[PairRow]
    merged: Sequence[Player]

    @property
    def excluded(self) -> ExclusionRow | None:
        return next((row for row in self.exclusions if row.holds), None)


def player_of(room_id: int, player_id: int) -> Player:
    """
    Return a player of the room. One query.

    :raises NotFound: there is none such, or the record is erased or merged into another.
    """
    player = Player.objects.filter(id=player_id, room_id=room_id, erased_at=None, merged_into=None).first()
    if player is None:
        raise NotFound(what="player")
    return player


def kept_record_of(room_id: int, player_id: int) -> Player | None:
    """
    Return the record under which the room knows a player now: their own, or the one that it was joined to; None where
    it is erased. One query.

    For what is shown once a command is done: when its tap is sent again, the record may have been joined or erased.
    """
    player = Player.objects.select_related("merged_into").filter(id=player_id, room_id=room_id).first()
    record = player and (player.merged_into or player)
    return record if record and record.erased_at is None else None


def player_card(player: Player, *, zone: ZoneInfo, at: datetime, reads_reasons: bool) -> PlayerCard:
    """Return everything on a player's page. Seven queries at most, however much stands there."""
    exclusions = list(Exclusion.objects.filter(player=player).order_by("-id"))
    pairs = list(KeptApart.objects.filter(Q(one=player) | Q(other=player), ended_at=None).order_by("-id"))
    merged = list(Player.objects.filter(merged_into=player).order_by("-merged_at", "-id"))
    by = staff_names(_staff_in(exclusions, pairs))
    others = nicknames(_other(pair, player) for pair in pairs) if pairs else {}
    return PlayerCard(
        player=player,
        exclusions=[_exclusion_row(each, by, zone=zone, at=at, reads_reasons=reads_reasons) for each in exclusions],
        limits=own_limits(player),
        pairs=[
            PairRow(
                pair=pair,
                player_id=_other(pair, player),
                nickname=others.get(_other(pair, player), ""),
                made_by=by.get(pair.made_by_id, ""),
                reason=pair.reason if reads_reasons else "",
            )
            for pair in pairs
        ],
        merged=merged,
    )


def own_limits(player: Player) -> dict[str, Limit]:
    """Return a player's limits by kind, as of the room's newest gaming day. Two queries."""
    return dict(standing_of(player, day_id=newest_day_id(player.room_id)).limits) if player.is_watched else {}


def last_day_of(until: datetime | None, zone: ZoneInfo) -> str:
    """Return the last whole day before an exclusion's end, by the room's clock, in ISO 8601; "" where it has none."""
    return (until - timedelta(microseconds=1)).astimezone(zone).date().isoformat() if until else ""


def may_sign(room_id: int, *, needs: str, without: Container[int | None]) -> list[Staff]:
    """
    Return who is on shift and may sign what needs this permission, by name, but for some. One query.

    Who has no PIN could only be refused, as one could whose PIN somebody else has set, or locked themself out.
    """
    on_shift = Staff.objects.filter(room_id=room_id, is_active=True, is_on_shift=True, locked_at=None)
    signs = (staff for staff in on_shift.order_by("display_name", "id") if staff.pin and not staff.is_pin_to_be_changed)
    return [staff for staff in signs if staff.pk not in without and needs in may_of(staff.roles)]


@dataclass(frozen=True)
class Leading:
    """Who manages a room or holds compliance, or did as the night began: ids."""

    ids: frozenset[int]

    def takes(self, signer_id: int, *, without: Collection[int | None]) -> bool:
        """
        Say whether somebody's signature will do where compliance is given or taken, by two who do not sign it.

        A room with one manager alone has the floor sign: one person by themselves makes no officer anywhere.
        """
        could = self.ids.difference(without)
        return not could or signer_id in could


def leading(room_id: int) -> Leading:
    """
    Return who manages a room or holds compliance, or did as the night began. Two queries.

    Who takes a role away, or has somebody leave, does not make the floor the only one left to sign.
    """
    tonight = Event.objects.filter(
        room_id=room_id,
        name__in=["people.change_roles", "people.deactivate_staff"],
        result=DONE,
        id__gt=Coalesce(night_began_after(room_id), 0),
    )
    changed = [json.loads(text)["data"] for text in tonight.values_list("text", flat=True)]
    lead = [Role.MANAGER.value, Role.COMPLIANCE.value]
    now = Q(is_active=True) | Q(id__in=[each["staff_id"] for each in changed])
    leaders = Staff.objects.filter(now, room_id=room_id, roles__overlap=lead).values_list("id", flat=True)
    before = (each["staff_id"] for each in changed if {*lead} & {*each.get("roles_before", ())})
    return Leading(frozenset([*leaders, *before]))


def _exclusion_row(
    each: Exclusion, by: Mapping[int, str], *, zone: ZoneInfo, at: datetime, reads_reasons: bool
) -> ExclusionRow:
    fact = Excluded(each.kind, each.until, each.clause)
    stands = each.lifted_at is None
    return ExclusionRow(
        exclusion=each,
        last_day=last_day_of(each.until, zone),
        made_by=by.get(each.made_by_id, ""),
        lifted_by=by.get(each.lifted_by_id or 0, ""),
        signed_by=by.get(each.lift_signed_by_id or 0, ""),
        reason=each.reason if reads_reasons else "",
        holds=stands and holds(fact, at),
        may_be_lifted=stands and may_be_lifted(fact, at),
    )


def _staff_in(exclusions: Iterable[Exclusion], pairs: Iterable[KeptApart]) -> set[int]:
    of_exclusions = ((each.made_by_id, each.lifted_by_id, each.lift_signed_by_id) for each in exclusions)
    return {id for ids in of_exclusions for id in ids if id} | {pair.made_by_id for pair in pairs}


def _other(pair: KeptApart, player: Player) -> int:
    return pair.other_id if pair.one_id == player.pk else pair.one_id
