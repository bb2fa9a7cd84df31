"""Players who change tables: who asked, who went, and the draw where there were too few seats."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from casino.rooms.models import Room
from tables.models.seats import Seating
from tables.models.tables import Opening, Table


class TableChange(models.Model):
    """
    A player's wish to change to another table of the same game (H2.8); `to_table` None: to any.

    It lives as long as the player sits where it was asked. `ended_why` is a code: "moved", "refused", "withdrawn", or
    "other_stakes" where one of the two tables went on with another game.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    seating = models.ForeignKey(Seating, on_delete=models.PROTECT, related_name="table_changes")
    to_table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True)
    wished_at = models.DateTimeField(db_column="asked_at")
    noted_by_id = models.BigIntegerField(null=True, db_column="asked_by_id")
    ended_at = models.DateTimeField(null=True)
    ended_by_id = models.BigIntegerField(null=True)
    ended_why = models.CharField(max_length=20, blank=True)

    may_change = ("ended_at", "ended_by_id", "ended_why")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["seating"], condition=Q(ended_at__isnull=True), name="table_change_asked_once_per_seating"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("wished_at")),
                name="table_change_ends_after_it_was_asked",
            ),
        ]
        indexes = [
            # Who asks now is looked for with each proposal of seats, among years of wishes that ended.
            models.Index(fields=["room", "wished_at"], condition=Q(ended_at__isnull=True), name="table_change_open"),
        ]

    def __str__(self) -> str:
        return f"table change {self.pk}"


class TableMove(models.Model):
    """
    One player's move from table to table.

    `why` is by what: a `Why` of the rules. `chips_cents` is what came along. `after_hand_id` is the new table's newest
    hand then, `claim_ref` the claim to a seat that ended with it: for taking the move back while nothing was dealt.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    seating_from = models.ForeignKey(Seating, on_delete=models.PROTECT, related_name="moves_away")
    seating_to = models.OneToOneField(Seating, on_delete=models.PROTECT, related_name="moved_from")
    why = models.CharField(max_length=20)
    chips_cents = models.PositiveBigIntegerField(default=0)
    moved_at = models.DateTimeField()
    moved_by_id = models.BigIntegerField(null=True)
    after_hand_id = models.BigIntegerField(null=True)
    claim_ref = models.BigIntegerField(null=True)
    taken_back_at = models.DateTimeField(null=True)

    may_change = ("taken_back_at",)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["seating_from"], condition=Q(taken_back_at__isnull=True), name="table_move_once_from_a_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"move {self.pk}"


class SeatDraw(models.Model):
    """
    A draw for seats among the players of a closing table (H2.10, A22, R-§3-5).

    `commitment` is shown from `prepared_at` on, `seed` only once drawn. `seats` are those who draw, `cards` what each
    drew, by seat, and `order` the seats from the highest card down.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    opening = models.ForeignKey(Opening, on_delete=models.PROTECT, related_name="seat_draws")
    commitment = models.CharField(max_length=64)
    seed = models.CharField(max_length=64)
    seats = ArrayField(models.PositiveSmallIntegerField())
    prepared_at = models.DateTimeField()
    drawn_at = models.DateTimeField(null=True)
    cards = models.JSONField(null=True)
    order = ArrayField(models.PositiveSmallIntegerField(), default=list)

    may_change = ("drawn_at", "cards", "order")
    may_be_deleted = True

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["opening"], condition=Q(drawn_at__isnull=True), name="seat_draw_one_prepared_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(drawn_at__isnull=True) | Q(cards__isnull=False), name="seat_draw_shows_its_cards"
            ),
        ]

    def __str__(self) -> str:
        return f"draw {self.pk}"
