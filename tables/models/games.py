"""Games on offer, as data."""

from django.db import models
from django.db.models import F, Q

from casino.poker.positions import ButtonRule
from casino.poker.rake import RakePolicy, rake_from_dict
from casino.poker.straddles import Straddle, largest_opening_stake
from casino.poker.time_charge import TimeCharge, time_from_dict
from casino.rooms.models import Room
from casino.rulebooks.units import SEATS_MAX, SEATS_MIN


def of_game(game: "Game", path: str = "") -> Q:
    """
    Return what finds a game's rows under whatever terms: a new version of the book makes it a row of its own.

    It is the same game by its name; `path` leads to it ("opening__game").
    """
    to = f"{path}__" if path else ""
    return Q((f"{to}room_id", game.room_id), (f"{to}name", game.name))


_SHORT = {"no_limit": "NL", "pot_limit": "PL", "limit": "L", "holdem": "H"}


def _units(cents: int) -> str:
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"


class Game(models.Model):
    """
    One game as the room offers it: variant, betting structure, blinds, buy-in limits and charges.

    Amounts are cents. `straddle` and `button` are rules of `casino.poker`; `charges` are what its hands pay, the
    terms of each kind by its code (`tables.charges`): without a rake nothing is taken from pots (H1.91). `time_charge`
    is paid instead of a rake: a game has one of the two or neither (L-P17).
    `may_post_to_come_in` is False where everybody waits for the big blind (U11, U36). `players_min` and `may_two_go_on`
    say how many make a hand (U12, U13, UA1). `family` is "" for ordinary games; games of different families are never
    of the same stakes, whatever their blinds (U46).
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
    family = models.CharField(max_length=40, blank=True, default="")
    seats = models.PositiveSmallIntegerField()
    straddle = models.CharField(max_length=20, default=Straddle.OFF.value)
    button = models.CharField(max_length=20, default=ButtonRule.ROTATES.value)
    may_post_to_come_in = models.BooleanField(default=True)
    players_min = models.PositiveSmallIntegerField(default=2)
    may_two_go_on = models.BooleanField(default=False)
    chip_cents = models.PositiveBigIntegerField(default=1_00)
    charges = models.JSONField(default=dict)
    time_charge = models.JSONField(null=True)
    is_offered = models.BooleanField(default=True)

    may_change = ("is_offered",)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["room", "name"], condition=Q(is_offered=True), name="game_offered_once_per_room"
            ),
            models.CheckConstraint(
                condition=Q(seats__gte=SEATS_MIN, seats__lte=SEATS_MAX),
                name="game_has_two_to_twelve_seats",
            ),
            models.CheckConstraint(
                condition=~Q(charges__has_key="rake") | Q(time_charge__isnull=True),
                name="game_charges_in_one_way",
            ),
            models.CheckConstraint(
                condition=Q(small_blind_cents__gt=0, big_blind_cents__gte=F("small_blind_cents")),
                name="game_big_blind_is_not_under_the_small",
            ),
            models.CheckConstraint(
                condition=Q(buy_in_min_cents__gt=0),
                name="game_buy_in_minimum_is_something",
            ),
            models.CheckConstraint(
                condition=Q(buy_in_max_cents__isnull=True) | Q(buy_in_max_cents__gte=F("buy_in_min_cents")),
                name="game_buy_in_limits_leave_room",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def is_same_game(self, other: "Game") -> bool:
        """Say whether both are one game, if under other terms: tables and lists of the two belong together."""
        return (self.room_id, self.name) == (other.room_id, other.name)

    @property
    def rake_policy(self) -> RakePolicy | None:
        return rake_from_dict(self.charges["rake"]) if "rake" in self.charges else None

    @property
    def time_policy(self) -> TimeCharge | None:
        return time_from_dict(self.time_charge) if self.time_charge else None

    @property
    def opening_stake_max_cents(self) -> int:
        """The most that anybody posts before the cards (L-P93, L-PQ20)."""
        return largest_opening_stake(Straddle(self.straddle), big_blind_cents=self.big_blind_cents, seats=self.seats)

    @property
    def short_name(self) -> str:
        """Return what staff call it among themselves, where there is little room: "NLH 2/2"."""
        blinds = "/".join(_units(cents) for cents in (self.small_blind_cents, self.big_blind_cents))
        return f"{_SHORT[self.structure]}{_SHORT.get(self.variant, self.variant)} {blinds}"
