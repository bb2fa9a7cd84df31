"""
What of the lists ends with the gaming day.

Every entry that still waits, also one that has called in: a list is an evening's, and who comes tomorrow says so
tomorrow. That is recorded with the reason, and the manager hears before how many they are; it is not refused, for
nobody strikes forty names at six in the morning. Nobody is called any more by then: a day with open tables does not
close, and calls end with their table. A pass ends by itself, with its day.
"""

from django.db.models import Count
from django.utils.translation import ngettext

from casino.cage.day_ends import DayEnd
from casino.commands.carrying_out import Command
from casino.waiting.models import Waiting
from casino.waiting.services.state import end_entry, lock_list, touch
from tables.rules.reasons import DAY_CLOSED


def _warning(room_id: int) -> str:
    live = Waiting.objects.filter(room_id=room_id, status__in=Waiting.LIVE)
    players = live.aggregate(players=Count("player", distinct=True))["players"]
    if not players:
        return ""
    sentence = ngettext(
        "%(players)s player still waits: the place ends with the day.",
        "%(players)s players still wait: their places end with the day.",
        players,
    )
    return sentence % {"players": players}


def _end(command: Command) -> dict[str, list[int]]:
    return {"waiting": _end_lists(command)}


def _end_lists(command: Command) -> list[int]:
    live = Waiting.objects.filter(room_id=command.room_id, status__in=Waiting.LIVE)
    ended: list[int] = []
    for list_id in live.order_by("waiting_list_id").values_list("waiting_list_id", flat=True).distinct():
        waiting_list = lock_list(command, list_id)
        on_it = waiting_list.entries.filter(status__in=Waiting.LIVE).select_related("table")
        for entry in on_it.order_by("place", "id"):
            end_entry(command, entry, Waiting.Status.DROPPED, why=DAY_CLOSED)
            ended.append(entry.pk)
        touch(waiting_list)
    return ended


LISTS_END = DayEnd(warning=_warning, end=_end)
