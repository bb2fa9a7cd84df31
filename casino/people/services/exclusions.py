"""Bans and players' own exclusions: made in one tap, lifted by two persons."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.people.elsewhere import everywhere
from casino.people.errors import ExclusionOver, ExclusionStands, LastDayOver
from casino.people.models import Exclusion, Player
from casino.people.news import PLAYERS
from casino.people.rules.exclusions import OWN, Excluded, may_be_lifted, strictest
from casino.people.services.locks import lock_player
from casino.people.services.signatures import check_signed
from casino.people.standing import last_day_of, newest_day_id, standing_of
from casino.rooms.selectors import known_clauses, room_of

# What the second person under a lifting must be allowed to do.
NEEDS_TO_LIFT = "people.approve_lifting"


@service("people.ban_player", private=["reason"])
def ban_player(command: Command, *, player_id: int, last_day: str = "", clause: str = "", reason: str = "") -> Outcome:
    """
    Ban a player from now on, to the end of a day (ISO 8601) or until it is lifted; also one who sits just now.

    `clause` is the rule under which the house bans ("H1.76"); `reason` stays in people.

    :raises LastDayOver: that day is over.
    :raises Malformed: the room's books have no such clause.
    """
    if clause and clause not in known_clauses(command.room_id, at=command.at):
        raise Malformed(field="clause")
    return _exclude(command, Exclusion.Kind.BAN, player_id, last_day=last_day, clause=clause, reason=reason)


@service("people.exclude_by_own_wish", private=["reason"])
def exclude_by_own_wish(command: Command, *, player_id: int, last_day: str, reason: str = "") -> Outcome:
    """
    Keep a player out who asks for it, from now on and to the end of a day (ISO 8601) at least.

    Nothing shortens it: a second wish is another exclusion beside the first.

    :raises LastDayOver: that day is over.
    """
    if not last_day:
        raise Malformed(field="last_day")
    return _exclude(command, Exclusion.Kind.OWN, player_id, last_day=last_day, reason=reason)


def _exclude(
    command: Command, kind: Exclusion.Kind, player_id: int, *, last_day: str, clause: str = "", reason: str
) -> Outcome:
    until = end_of_day(last_day, ZoneInfo(room_of(command.room_id).time_zone)) if last_day else None
    if until is not None and until <= command.at:
        raise LastDayOver
    player = lock_player(command, player_id)
    made = Exclusion.objects.create(
        room_id=command.room_id,
        player=player,
        kind=kind,
        began_at=command.at,
        until=until,
        clause=clause,
        reason=reason,
        made_by_id=command.staff_id,
    )
    watch(player)
    audiences = [screen for app in everywhere() for screen in app.excluded(command, player)]
    return about(player, audiences, exclusion=made.pk, kind=kind.value, until=until, clause=clause)


@service("people.lift_exclusion")
def lift_exclusion(command: Command, *, exclusion_id: int, approved_by_id: int) -> Outcome:
    """
    Lift a ban, or a player's own exclusion once its end has passed. Two persons sign.

    `approved_by_id` has signed "exclusion.<id>" with their own PIN (`second_person`, before this command).

    :raises NotFound: no such exclusion.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed.
    :raises ExclusionStands: the player asked for it, and its end has not come.
    :raises ExclusionOver: it was lifted before, or has ended by itself.
    """
    player_id = Exclusion.objects.filter(id=exclusion_id, room_id=command.room_id).values_list("player_id", flat=True)
    whose = player_id.first()
    if whose is None:
        raise NotFound(what="exclusion")
    check_signed(command, approved_by_id, needs=NEEDS_TO_LIFT, signs=f"exclusion.{exclusion_id}")
    player = lock_player(command, whose)
    # Read only now: of two who lift it at once the second finds it lifted.
    exclusion = Exclusion.objects.get(id=exclusion_id)
    _check_liftable(exclusion, at=command.at)
    exclusion.lifted_at = command.at
    exclusion.lifted_by_id, exclusion.lift_signed_by_id = command.by.staff_id, approved_by_id
    exclusion.save(update_fields=["lifted_at", "lifted_by_id", "lift_signed_by_id"])
    standing = standing_of(player, day_id=newest_day_id(command.room_id))
    audiences: list[str] = []
    if strictest(standing.exclusions, command.at) is None:
        audiences = [screen for app in everywhere() for screen in app.included(command, player)]
    return about(player, audiences, exclusion=exclusion.pk, kind=exclusion.kind, signed_by=approved_by_id)


def _check_liftable(exclusion: Exclusion, *, at: datetime) -> None:
    if exclusion.lifted_at is not None:
        raise ExclusionOver
    if may_be_lifted(Excluded(exclusion.kind, exclusion.until), at):
        return
    if exclusion.kind == OWN:
        zone = ZoneInfo(room_of(exclusion.room_id).time_zone)
        raise ExclusionStands(last_day=last_day_of(exclusion.until, zone))
    raise ExclusionOver


def end_of_day(last_day: str, zone: ZoneInfo) -> datetime:
    """Return the moment after a last day (ISO 8601) by the room's clock. :raises Malformed: it is none."""
    try:
        return datetime.combine(parse_day(last_day, field="last_day") + timedelta(days=1), time(), zone)
    # The last day that there is has none after it.
    except OverflowError:
        raise Malformed(field="last_day") from None


def parse_day(text: str, *, field: str) -> date:
    """Return the day that a command was told in ISO 8601. :raises Malformed: it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Malformed(field=field) from None


def watch(player: Player) -> None:
    """Note on the locked player that something stands, or stood, about them."""
    if not player.is_watched:
        player.is_watched = True
        player.save(update_fields=["is_watched"])


def about(player: Player, audiences: list[str] | tuple[str, ...] = (), **data: object) -> Outcome:
    """Return the outcome of a command about a player: ids and codes, and every screen that may show it."""
    screens = tuple(dict.fromkeys((*PLAYERS, *audiences)))
    return Outcome(chain=f"player.{player.pk}", data={"player_id": player.pk, **data}, audiences=screens)
