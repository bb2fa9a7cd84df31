"""Games on offer, as data."""

from django.db import models
from django.db.models import F, Q

from casino.poker.drop import DropPolicy, drop_from_dict
from casino.poker.rake import RakePolicy, rake_from_dict
from casino.rooms.models import Room

_SHORT = {"no_limit": "NL", "pot_limit": "PL", "limit": "L", "holdem": "H"}


def _units(cents: int) -> str:
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"


class Game(models.Model):
    """
    One game as the room offers it: variant, betting structure, blinds, buy-in limits, rake and drop.

    Amounts are cents. `rake` and `drop` are the plain forms of the policies in `casino.poker`; without
    a rake nothing is taken from pots (H1.91), without a drop the game is not attached to the jackpot.
    """

    class Structure(models.TextChoices):
        NO_LIMIT = "no_limit"
        POT_LIMIT = "pot_limit"
        LIMIT = "limit"

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    name = models.CharField(max_length=60)
    variant = models.CharField(max_length=30)
    structure = models.CharField(max_length=10, choices=Structure)
    small_blind_cents = models.PositiveBigIntegerField()
    big_blind_cents = models.PositiveBigIntegerField()
    buy_in_min_cents = models.PositiveBigIntegerField()
    buy_in_max_cents = models.PositiveBigIntegerField(null=True)
    seats = models.PositiveSmallIntegerField()
    chip_cents = models.PositiveBigIntegerField(default=1_00)
    rake = models.JSONField(null=True)
    drop = models.JSONField(null=True)
    is_offered = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["room", "name"], condition=Q(is_offered=True), name="game_offered_once_per_room"
            ),
            models.CheckConstraint(
                condition=Q(seats__gte=2, seats__lte=12),
                name="game_has_two_to_twelve_seats",
                violation_error_message="H2.2",
            ),
            models.CheckConstraint(
                condition=Q(drop__isnull=True) | Q(seats__lte=10), name="game_with_jackpot_has_ten_seats_at_most"
            ),
            models.CheckConstraint(
                condition=Q(small_blind_cents__gt=0, big_blind_cents__gte=F("small_blind_cents")),
                name="game_big_blind_is_not_under_the_small",
            ),
            models.CheckConstraint(
                condition=Q(buy_in_min_cents__gt=0),
                name="game_buy_in_minimum_is_something",
                violation_error_message="H2.14",
            ),
            models.CheckConstraint(
                condition=Q(buy_in_max_cents__isnull=True) | Q(buy_in_max_cents__gte=F("buy_in_min_cents")),
                name="game_buy_in_limits_leave_room",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rake_policy(self) -> RakePolicy | None:
        return rake_from_dict(self.rake) if self.rake else None

    @property
    def drop_policy(self) -> DropPolicy | None:
        return drop_from_dict(self.drop) if self.drop else None

    @property
    def short_name(self) -> str:
        """Return what staff call it among themselves, where there is little room: "NLH 2/2"."""
        blinds = "/".join(_units(cents) for cents in (self.small_blind_cents, self.big_blind_cents))
        return f"{_SHORT[self.structure]}{_SHORT.get(self.variant, self.variant)} {blinds}"

    @property
    def shows_pot(self) -> bool:
        """A pot total may be told to players in pot limit only (H1.29)."""
        return self.structure == self.Structure.POT_LIMIT
