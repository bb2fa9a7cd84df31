"""What the floor has yet to judge."""

from django.db import models
from django.db.models import Q

from casino.rooms.models import Room
from tables.models.tables import Table


class ToDo(models.Model):
    """
    Something that a fact left for the floor: a log that differs from the felt, a hand to be supplied.

    `kind` is a code and `data` ids, seats and amounts; `tables.selectors.todo` writes the sentence from them.
    """

    class Kind(models.TextChoices):
        HAND_DIFFERS = "hand_differs"
        RAKE_DIFFERS = "rake_differs"
        HAND_NOT_LOGGED = "hand_not_logged"
        HAND_ABANDONED = "hand_abandoned"
        LATE_FACT = "late_fact"
        KEPT_APART = "kept_apart"
        TIME_DIFFERS = "time_differs"
        TAP_KEPT = "tap_kept"
        STACK_ABOVE_PLAY = "stack_above_play"
        TIPS_ABOVE_PLAY = "tips_above_play"
        FLOOR_CALLED = "floor_called"
        BOX_DIFFERS = "box_differs"
        BROUGHT_UNSEEN = "brought_unseen"
        RACK_DIFFERS = "rack_differs"
        RACK_NOT_COUNTED = "rack_not_counted"
        CAUGHT_UP = "caught_up"
        TIPS_DIFFER = "tips_differ"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT)
    kind = models.CharField(max_length=20, choices=Kind)
    data = models.JSONField(default=dict)
    raised_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    done_by_id = models.BigIntegerField(null=True)

    may_change = ("done_at", "done_by_id")

    class Meta:
        indexes = [
            # What is open is few among years of what was judged, and the floor's pages ask for it.
            models.Index(fields=["room", "raised_at"], condition=Q(done_at__isnull=True), name="todo_open"),
        ]

    def __str__(self) -> str:
        return self.kind
