"""Guests: the name they want to be called by, and the one that the cage may need."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotPermitted
from casino.people.errors import NicknameTaken
from casino.people.models import Player
from casino.people.news import PLAYERS
from casino.people.services.locks import lock_player


@dataclass(frozen=True)
class NewPlayer:
    """A guest whom nobody knows yet, as staff type them in."""

    nickname: str
    full_name: str = ""


def player_meant(command: Command, player_id: int | None, new_player: NewPlayer | None) -> int:
    """
    Return the id of the player whom another app's command is about; a new one is added in it.

    :raises Malformed: it names nobody.
    :raises NotPermitted: who may not add players.
    :raises NicknameTaken: another player is called so.
    """
    if new_player is None:
        if player_id is None:
            raise Malformed(field="player_id")
        return player_id
    if "people.add_player" not in command.by.may:
        raise NotPermitted
    return _added(command, new_player).pk


@service("people.add_player", private=["nickname", "full_name"])
def add_player(command: Command, *, nickname: str, full_name: str = "") -> Outcome:
    """Add a guest. The answer's data: `player_id`. :raises NicknameTaken: another player is called so."""
    player = _added(command, NewPlayer(nickname, full_name))
    return Outcome(chain=f"player.{player.pk}", data={"player_id": player.pk}, audiences=PLAYERS)


def _added(command: Command, whom: NewPlayer) -> Player:
    with _nickname_is_free():
        return Player.objects.create(
            room_id=command.room_id,
            nickname=whom.nickname,
            full_name=whom.full_name,
            created_at=command.at,
            created_by_id=command.by.staff_id,
        )


@service("people.rename_player", private=["nickname", "full_name"])
def rename_player(command: Command, *, player_id: int, nickname: str, full_name: str | None = None) -> Outcome:
    """
    Change a guest's nickname, and the full name unless it is None.

    :raises NicknameTaken: somebody has it.
    :raises NotPermitted: who may not read the full name does not write over it either.
    """
    if full_name is not None and "read.full_names" not in command.by.may:
        raise NotPermitted
    player = lock_player(command, player_id)
    player.nickname = nickname
    if full_name is not None:
        player.full_name = full_name
    with _nickname_is_free():
        player.save(update_fields=["nickname", "full_name"])
    return Outcome(chain=f"player.{player.pk}", data={"player_id": player.pk}, audiences=PLAYERS)


@contextmanager
def _nickname_is_free() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as problem:
        if "player_nickname_once_per_room" not in str(problem):
            raise
        raise NicknameTaken from None
