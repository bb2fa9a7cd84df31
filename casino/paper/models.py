"""What was printed to play on by paper, and the numbers of the sheets."""

from django.db import models
from django.db.models import Q

from casino.rooms.models import Room
from tables.models import Opening, Table


class SheetNumbers(models.Model):
    """
    The room's numbers of sheets: `given` is the last one that was. Its row is the lock of whoever prints.

    A row of its own, so that no number ever comes again, whatever becomes of the sheets.
    """

    room = models.OneToOneField(Room, on_delete=models.PROTECT, related_name="+")
    given = models.PositiveBigIntegerField(default=0)

    may_change = ("given",)

    def __str__(self) -> str:
        return f"up to {self.given}"


class Printing(models.Model):
    """One time that everything was printed. Never changed: whoever prints again gets other sheets."""

    # `printing_newest` begins with it.
    room = models.ForeignKey(Room, on_delete=models.PROTECT, db_index=False)
    printed_at = models.DateTimeField()
    printed_by_id = models.BigIntegerField()

    may_change = ()

    class Meta:
        # The page of the paper shows the last printings alone.
        indexes = [models.Index(fields=["room", "-id"], name="printing_newest")]

    def __str__(self) -> str:
        return f"printing {self.pk}"


class Sheet(models.Model):
    """
    One sheet of paper under its own number, which no other sheet of the room ever has.

    With a `table` it has that table's seats, down slip and drop slip, as it ran `opening`; without one it has the
    waiting lists. `facts` is how they stood (`casino.paper.facts`).
    """

    # `sheet_numbered_once_per_room` begins with it.
    room = models.ForeignKey(Room, on_delete=models.PROTECT, db_index=False)
    printing = models.ForeignKey(Printing, on_delete=models.PROTECT, related_name="sheets")
    number = models.PositiveBigIntegerField()
    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True, related_name="+")
    # Sheets are looked for by their table or their number.
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    facts = models.JSONField()

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="sheet_numbered_once_per_room"),
            models.CheckConstraint(
                condition=Q(table__isnull=True, opening__isnull=True) | Q(table__isnull=False, opening__isnull=False),
                name="sheet_of_a_table_is_of_its_opening",
            ),
        ]

    def __str__(self) -> str:
        return f"sheet {self.number}"


class CaughtUp(models.Model):
    """
    A sheet that was caught up: what was written on it while Brush was down is in Brush since. Once for each sheet.

    `entered` is what somebody typed (`casino.paper.entered`, players as ids), `figures` what was recorded of it:
    numbers of hands, sums in cents, ids of slips. `floor_id` entered and signed it, `dealer_id` signed it too.
    """

    # `caught_up_newest` begins with it.
    room = models.ForeignKey(Room, on_delete=models.PROTECT, db_index=False)
    sheet = models.OneToOneField(Sheet, on_delete=models.PROTECT, related_name="caught_up")
    caught_up_at = models.DateTimeField()
    floor_id = models.BigIntegerField()
    dealer_id = models.BigIntegerField()
    from_at = models.DateTimeField()
    until_at = models.DateTimeField()
    entered = models.JSONField()
    figures = models.JSONField()

    may_change = ()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(floor_id=models.F("dealer_id")), name="caught_up_signed_by_two"),
            models.CheckConstraint(
                condition=Q(until_at__gte=models.F("from_at")), name="caught_up_ends_after_it_begins"
            ),
        ]
        indexes = [models.Index(fields=["room", "-id"], name="caught_up_newest")]

    def __str__(self) -> str:
        return f"caught up {self.pk}"
