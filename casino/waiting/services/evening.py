"""
What of the lists ends with the gaming day.

Every entry that still waits, also one that has called in: a list is an evening's, and who comes tomorrow says so
tomorrow. That is recorded with the reason, and the manager hears before how many they are; it is not refused, for
nobody strikes forty names at six in the morning. Nobody is called any more by then: a day with open tables does not
close, and calls end with their table. A pass ends by itself, with its day.
"""

from django.db.models import Count, F, Value
from django.db.models.functions import Greatest
from django.utils.translation import ngettext

from casino.cage.day_ends import DayEnd
from casino.commands.carrying_out import Command
from casino.waiting.models import Waiting, WaitingList
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
    """End whatever still waits, in the order of lists and places. Four statements, however many wait."""
    live = Waiting.objects.filter(room_id=command.room_id, status__in=Waiting.LIVE)
    lists = WaitingList.objects.filter(id__in=live.values("waiting_list_id")).order_by("id")
    locked = list(lists.select_for_update(no_key=True).values_list("id", flat=True))
    # Read only once the lists are locked: who waits may have dropped out by phone meanwhile.
    on_them = live.filter(waiting_list__in=locked)
    ended = list(on_them.order_by("waiting_list_id", "place", "id").values_list("id", flat=True))
    ends = Greatest(F("joined_at"), Value(command.at))
    on_them.filter(id__in=ended).update(
        status=Waiting.Status.DROPPED, ended_at=ends, ended_by_id=command.by.staff_id, ended_why=DAY_CLOSED,
        table=None, seat_number=None, called_at=None, call_expires_at=None, version=F("version") + 1,
    )  # fmt: skip
    WaitingList.objects.filter(id__in=locked).update(version=F("version") + 1)
    return ended


LISTS_END = DayEnd(warning=_warning, end=_end)
