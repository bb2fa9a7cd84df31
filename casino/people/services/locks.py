"""Fetching and locking the one row that a command about people decides on; another room's row is not found."""

from collections.abc import Iterable

from casino.commands.carrying_out import Command
from casino.errors import NotFound
from casino.people.models import Device, Player, Staff
from casino.rows import read

_PLAYER = "WHERE id = %s AND room_id = %s AND erased_at IS NULL AND merged_into_id IS NULL FOR NO KEY UPDATE"


def lock_staff(command: Command, staff_id: int) -> Staff:
    """Return the person, locked until the command ends. :raises NotFound: not of this room, or gone."""
    rows = Staff.objects.select_for_update(no_key=True)
    staff = rows.filter(pk=staff_id, room_id=command.room_id, is_active=True).first()
    if staff is None:
        raise NotFound(what="person")
    return staff


def lock_staff_ever(command: Command, staff_id: int) -> Staff:
    """Return somebody who works here or did, locked. :raises NotFound: nobody of this room, or erased."""
    rows = Staff.objects.select_for_update(no_key=True)
    staff = rows.filter(pk=staff_id, room_id=command.room_id, erased_at=None).first()
    if staff is None:
        raise NotFound(what="person")
    return staff


def lock_device(command: Command, device_id: int | None) -> Device:
    """Return the device with its place, locked. :raises NotFound: not of this room, or revoked."""
    # The place is read once the device is locked: a query that waits brings its joined rows as they were before.
    rows = Device.objects.select_for_update(no_key=True).prefetch_related("place")
    device = rows.filter(pk=device_id or 0, room_id=command.room_id, revoked_at=None).first()
    if device is None:
        raise NotFound(what="device")
    return device


def lock_player(command: Command, player_id: int) -> Player:
    """
    Return the player, locked. :raises NotFound: not of this room, erased, or merged into another record.

    Players come after the gaming day and before tables, lists, drawers and slips, by id (docs/architecture.md): so
    nobody is seated, listed or sold chips while they are being excluded.
    """
    for player in read(Player, _PLAYER, player_id, command.room_id):
        return player
    raise NotFound(what="player")


def lock_players(command: Command, player_ids: Iterable[int]) -> dict[int, Player]:
    """Return several players by id, locked in the order of their ids. :raises NotFound: as `lock_player`."""
    return {player_id: lock_player(command, player_id) for player_id in sorted(set(player_ids))}
