"""Who deals where and for how long, and which deck is in play there."""

from django.db import models
from django.db.models import F, Q

from casino.rooms.models import GamingDay, Room
from tables.models.tables import Opening, Table


class Down(models.Model):
    """
    One dealer's time at one table, from pushing in to being relieved.

    `how` says whose word opened it: the dealer's own PIN on the table's tablet, or the floor's tap. `opening` and `day`
    are what the table ran then and on which day; None where nothing was open yet. `from_sheet` is the number of the
    paper sheet from which it was caught up.

    `counts_rack` is what the push asked about the rack: True a count, which was drawn; False a count or "as left"; None
    nothing, for no rack lay there.

    `tips_place` is the place in the log (a posting's id) up to which tips were noted at the table when it ended, 0 for
    none; None while it goes on, where it ended on paper, and of older rows.
    """

    class How(models.TextChoices):
        PIN = "pin"
        FLOOR = "floor"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="downs")
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, null=True)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, null=True)
    dealer_id = models.BigIntegerField()
    how = models.CharField(max_length=5, choices=How)
    began_at = models.DateTimeField()
    began_by_id = models.BigIntegerField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by_id = models.BigIntegerField(null=True)
    counts_rack = models.BooleanField(null=True)
    tips_place = models.BigIntegerField(null=True)
    from_sheet = models.PositiveBigIntegerField(null=True)

    may_change = ("ended_at", "ended_by_id", "tips_place")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at__isnull=True), name="down_one_dealer_per_table"
            ),
            models.UniqueConstraint(
                fields=["room", "dealer_id"], condition=Q(ended_at__isnull=True), name="down_one_table_per_dealer"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("began_at")), name="down_ends_after_it_begins"
            ),
        ]
        indexes = [models.Index(fields=["room", "began_at"], name="down_by_time")]

    def __str__(self) -> str:
        return f"down {self.pk}"


class DeckChange(models.Model):
    """
    A deck that came into play at a table: the newest row is the one in play (H1.11, H1.12).

    A set is the box of two or more decks of different colours that a table plays with in turn. `from_sheet` is the
    number of the paper sheet that it was caught up from.
    """

    class Colour(models.TextChoices):
        RED = "red"
        BLUE = "blue"
        GREEN = "green"
        BLACK = "black"

    class Why(models.TextChoices):
        PUSH = "push"
        FAULT = "fault"
        FLOOR = "floor"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="deck_changes")
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, null=True)
    colour = models.CharField(max_length=10, choices=Colour)
    set_number = models.PositiveSmallIntegerField(default=1)
    why = models.CharField(max_length=10, choices=Why, default=Why.PUSH)
    at = models.DateTimeField()
    by_id = models.BigIntegerField(null=True)
    from_sheet = models.PositiveBigIntegerField(null=True)

    may_change = ()

    class Meta:
        indexes = [models.Index(fields=["table", "-id"], name="deck_newest_of_table")]

    def __str__(self) -> str:
        return f"{self.colour} {self.set_number}"
