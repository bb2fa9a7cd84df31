"""What boxes say before somebody who left is erased."""

from casino.boxes.models import Box
from casino.people.elsewhere import Elsewhere
from casino.people.errors import StillAnswersFor


class InBoxes(Elsewhere):
    """Boxes that somebody dropped."""

    def erasing_staff(self, staff_id: int) -> None:
        """Let somebody be erased whose dropped boxes are counted. :raises StillAnswersFor: one waits."""
        if Box.objects.filter(Box.WAITS, dropped_by_id=staff_id).exclude(Box.OF_BEFORE).exists():
            raise StillAnswersFor
