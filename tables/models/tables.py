"""The tables of the room, and each time that one is opened."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import F, Q

from casino.poker.positions import ButtonRule, LastHand
from casino.poker.time_charge import time_from_dict
from casino.rooms.models import GamingDay, Place, Room
from casino.rooms.selectors import rule_book
from casino.rulebooks.schema import RuleBook
from tables.charges import ByTime
from tables.models.games import Game
from tables.terms import Terms, terms_of


class Table(models.Model):
    """
    A table of the room. Its row is the lock that owns every decision at the table.

    `version` grows with each command; `hand_number` is the running number of its newest hand. `held_for` says by a code
    why nothing is dealt after that hand until the floor has decided, "" where nothing stands against it.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    place = models.OneToOneField(Place, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    opening = models.ForeignKey("Opening", on_delete=models.PROTECT, null=True, related_name="+")
    # No index: of forty tables nobody looks one up by its hand, and each deal and each pot would write them all anew.
    hand = models.ForeignKey("Hand", on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    hand_number = models.PositiveBigIntegerField(default=0)
    held_for = models.CharField(max_length=20, blank=True)
    version = models.PositiveBigIntegerField(default=0)

    may_change = ("opening", "hand", "hand_number", "held_for", "version")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="table_numbered_once_per_room"),
            models.CheckConstraint(
                condition=Q(hand__isnull=True) | Q(opening__isnull=False), name="table_plays_hands_while_it_is_open"
            ),
        ]

    def __str__(self) -> str:
        return f"Table {self.number}"

    @property
    def is_open(self) -> bool:
        return self.opening_id is not None

    @property
    def chain(self) -> str:
        return f"table.{self.number}"


class Opening(models.Model):
    """
    One time that a table runs a game: from the floor's decision (H2.1) to its closing.

    `draw` is the button draw as it happened (H4.22): {"seats": [...], "players": [...], "winner": seat}.
    `last` is who held the button and posted the blinds on the hand before (A37), None before the first;
    `button_here` is the seat where the dealer said that the button is, until the next hand is played.
    `feeds` is the main game that this one keeps full (must-move), as long as both are the same game.
    `last_hand_number` is the final hand's: the table closes after it (H2.22, A24). `continues` is what the table ran
    until its stakes were changed, or how it is charged: each hand keeps its own `terms`.

    `by_time` is what all players agreed to pay by the time instead of a charge of their hands, {"kind": the charge's
    code, "charge": {...}} (H7.18), None where hands pay. `free_until` has by the kind of charge until when (ISO) time
    was paid before: hands that are dealt earlier pay none of it. `has_cash_plays`: where the book lets tables sell out
    of their racks, this one does, as the floor said when it was opened.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="openings")
    game = models.ForeignKey(Game, on_delete=models.PROTECT)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    rule_book_version_id = models.BigIntegerField()
    opened_at = models.DateTimeField()
    opened_by_id = models.BigIntegerField()
    closed_at = models.DateTimeField(null=True)
    closed_by_id = models.BigIntegerField(null=True)
    draw = models.JSONField(null=True)
    # `last` and `last_hand_number` are not called after the hand before and the final hand: what undone hands keep
    # (`Hand.before`), answers, the log and the tablet's data have these names, for years.
    last = models.JSONField(null=True)
    button_here = models.PositiveSmallIntegerField(null=True)
    feeds = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="fed_by")
    continues = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="continued_by")
    last_hand_number = models.PositiveBigIntegerField(null=True)
    by_time = models.JSONField(null=True)
    free_until = models.JSONField(default=dict)
    has_cash_plays = models.BooleanField(default=True, db_default=True)

    may_change = ("closed_at", "closed_by_id", "draw", "last", "button_here", "feeds", "last_hand_number", "free_until")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(closed_at__isnull=True), name="opening_one_at_a_time_per_table"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(closed_at__gte=F("opened_at")),
                name="opening_ends_after_it_starts",
            ),
        ]

    def __str__(self) -> str:
        return f"opening {self.pk}"

    @property
    def book(self) -> RuleBook:
        """The book under which the table was opened: what its sentences cite. No query once it has been read."""
        return rule_book(self.rule_book_version_id)

    @cached_property
    def terms(self) -> Terms:
        """What the rule book decides of this game at this table. No query where the opening's game has been read."""
        return terms_of(self.game, self.rule_book_version_id, by_time=self.agreed, has_cash_plays=self.has_cash_plays)

    @property
    def agreed(self) -> ByTime | None:
        """What the table pays by the time instead of a charge of its hands."""
        return ByTime(self.by_time["kind"], time_from_dict(self.by_time["charge"])) if self.by_time else None

    def free_of(self, at: datetime) -> list[str]:
        """Return the kinds of charge that a hand dealt then does not pay, for time was paid (H7.18)."""
        return [kind for kind, until in self.free_until.items() if at < datetime.fromisoformat(until)]

    def ran_at(self, at: datetime) -> bool:
        """Say whether the table ran this game at that moment."""
        return self.opened_at <= at and (self.closed_at is None or at <= self.closed_at)

    @property
    def is_closing(self) -> bool:
        """Whether the last orbit has been announced (H2.22): nobody new sits down."""
        return self.last_hand_number is not None

    def hands_left(self, hand_number: int) -> int | None:
        """Return how many hands are still begun here, after the table's newest one; None before it is announced."""
        return None if self.last_hand_number is None else max(0, self.last_hand_number - hand_number)

    @property
    def hand_before(self) -> LastHand | None:
        return as_hand_before(self.last)

    @hand_before.setter
    def hand_before(self, played: LastHand | None) -> None:
        self.last = dict(vars(played)) if played else None

    @property
    def betting_button(self) -> int | None:
        """Return where the second button lies on the hand that is played or comes (H4.16), None with one button."""
        if self.game.button != ButtonRule.TWO_BUTTONS:
            return None
        last = self.hand_before
        if last is None:
            return self.draw_winner
        return last.won_button(before=last.betting_button_seat or last.button_seat)

    @property
    def button_lies_at(self) -> int:
        """Return where the button lies between two hands if the winner gets it (H4.15), or somebody said where."""
        last = self.hand_before
        won = last.won_button(before=last.button_seat) if last else self.draw_winner
        return self.button_here or won or self.game.seats

    @property
    def draw_winner(self) -> int | None:
        return self.draw["winner"] if self.draw else None


def as_hand_before(kept: Mapping[str, Any] | None) -> LastHand | None:
    """Return the hand that `Opening.last` keeps, or that a hand keeps for its undo."""
    return LastHand(**kept) if kept else None
