"""The room itself: its book, its gaming days, the places where its tablets stand."""

from django.db import models
from django.db.models import F, Q


class Room(models.Model):
    """One poker room. Every other row of the house belongs to one; rooms share no rows."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=80)
    currency = models.CharField(max_length=3, default="EUR")
    # How the room writes money and numbers, whoever reads them.
    locale = models.CharField(max_length=10, default="fi_FI")
    language = models.CharField(max_length=5, default="en")
    time_zone = models.CharField(max_length=40, default="Europe/Helsinki")

    def __str__(self) -> str:
        return self.name


class RuleBookVersion(models.Model):
    """One version of the room's rule book, whole, with the moment from which it holds."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    book = models.CharField(max_length=40)
    number = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    holds_from = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="rule_book_version_numbered_once_per_room"),
        ]

    def __str__(self) -> str:
        return f"{self.book} {self.number}"


class Place(models.Model):
    """Where a device stands: a table, the floor, a cage window, a display."""

    class Kind(models.TextChoices):
        TABLE = "table"
        FLOOR = "floor"
        CAGE = "cage"
        DISPLAY = "display"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    kind = models.CharField(max_length=10, choices=Kind)
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "kind", "number"], name="place_numbered_once_per_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class GamingDay(models.Model):
    """
    The house's day, which is not the calendar's: it is named for the date on which it opened.

    Closed is final: a closed day takes no posting, and what is found later is posted on the open day
    and names this one.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    date = models.DateField()
    opened_at = models.DateTimeField()
    opened_by_id = models.BigIntegerField()
    closed_at = models.DateTimeField(null=True)
    closed_by_id = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "date"], name="gaming_day_opens_once_per_date"),
            models.UniqueConstraint(
                fields=["room"], condition=Q(closed_at__isnull=True), name="gaming_day_one_open_per_room"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(closed_at__gte=F("opened_at")),
                name="gaming_day_closes_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return str(self.date)
