"""Boxes hang and wait over the day's end: who closes it is told, and nothing ends."""

from django.utils.translation import ngettext

from casino.boxes.models import Box
from casino.cage.day_ends import DayEnd
from casino.commands.carrying_out import Command


def _warning(room_id: int) -> str:
    waiting = Box.objects.filter(Box.WAITS & ~Box.OF_BEFORE, room_id=room_id).count()
    hanging = Box.objects.filter(Box.HANGS, room_id=room_id).count()
    numbers = [
        (waiting, ngettext("%(number)s box waits to be counted.", "%(number)s boxes wait to be counted.", waiting)),
        (hanging, ngettext("%(number)s box still hangs at its table.", "%(number)s boxes still hang.", hanging)),
    ]
    return " ".join(text % {"number": number} for number, text in numbers if number)


def _end(command: Command) -> dict[str, list[int]]:
    """End nothing: boxes are counted when there is time, on the next day too, and are posted then."""
    return {}


BOXES_WAIT = DayEnd(warning=_warning, end=_end, page=("page.boxes", "boxes"))
