"""The stack of a player who has left: counted after all, counted anew, and taken back."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound, Stale
from casino.ledger.selectors.accounts import standing_transfer
from casino.ledger.services import post, reverse
from tables.chart import of_table
from tables.models import Seating, ToDo
from tables.owners import table_figures
from tables.selectors.counts import gone_on
from tables.services.state import done, lock_day_and_table, save_seating


@service("tables.count_stack")
def count_stack(
    command: Command, *, table_id: int, seating_id: int, stack_cents: int, version: int | None = None
) -> Outcome:
    """
    Supply the stack of a player who left uncounted, because somebody knows it after all.

    A count that was wrong is put right by another one that names the seat's `version`: the first is reversed.

    :raises NotFound: that seating is not of this table, or has not ended.
    :raises Stale: it has been counted already, or changed since the screen showed `version`.
    :raises StackMoved, StackSigned: the chips have gone on, to another table or by two to the cage.
    """
    day, table = lock_day_and_table(command, table_id)
    seating = Seating.objects.filter(id=seating_id, table=table, left_at__isnull=False).first()
    if seating is None:
        raise NotFound(what="seating")
    is_counted = seating.left_stack_cents is not None
    if version != seating.version and (is_counted or version is not None):
        raise Stale(what="seat", version=seating.version)
    if refusal := gone_on(seating):
        raise refusal
    if is_counted:
        take_back_stack(command, day_id=day.pk, seating=seating)
    supply_stack(command, day_id=day.pk, seating=seating, cents=stack_cents)
    return done(table, data={"seating": seating.pk, "stack_cents": stack_cents})


def supply_stack(command: Command, *, day_id: int, seating: Seating, cents: int, slip_id: int | None = None) -> None:
    """
    Write the stack of an uncounted departure and move its chips out of play into the player's hands.

    `slip_id` is the cash-out that supplied it, which takes it along when it is voided.
    """
    seating.left_stack_cents = cents
    save_seating(seating)
    if cents:
        post(
            room_id=seating.room_id,
            day_id=day_id,
            kind="leave",
            lines=[of_table(seating.table_id, "in_play", -cents), of_table(seating.table_id, "hands", cents)],
            # By the version, which has just risen: counted anew, a stack is posted once more after its reversal.
            key=f"leave.{seating.pk}.{seating.version}",
            made_by_id=command.by.staff_id,
            at=command.at,
            table_id=seating.table_id,
            about={"seating": seating.pk, **({"slip_id": slip_id} if slip_id else {})},
        )
        about = {"seating": seating.pk, "seat": seating.seat_number}
        doubt_what_left(command, seating.table_id, ToDo.Kind.STACK_ABOVE_PLAY, cents=cents, **about)


def doubt_what_left(command: Command, table_id: int, kind: ToDo.Kind, *, cents: int, **about: int) -> None:
    """Put on the floor's to-do that more was counted, and posted, than lay in play there. One query if it was not."""
    left = table_figures(table_id)["in_play"]
    if left < 0:
        data = {**about, "cents": cents, "over_cents": min(-left, cents)}
        ToDo.objects.create(room_id=command.room_id, table_id=table_id, kind=kind, data=data, raised_at=command.at)


def take_back_stack(command: Command, *, day_id: int, seating: Seating) -> None:
    """Take back what was written of a departure's stack, by reversal: it is uncounted again."""
    # Saved first: the version rises by it, and else the reversal would have the key of what it reverses.
    seating.left_stack_cents = None
    save_seating(seating)
    about = {"seating": seating.pk}
    doubted = ToDo.objects.filter(table=seating.table_id, kind=ToDo.Kind.STACK_ABOVE_PLAY, done_at=None)
    doubted.filter(data__seating=seating.pk).update(done_at=command.at, done_by_id=command.by.staff_id)
    counted = standing_transfer(seating.room_id, kind="leave", about=about, since_day_id=seating.opening.day_id)
    if counted is not None:
        reverse(
            room_id=seating.room_id,
            day_id=day_id,
            transfer_id=counted.pk,
            key=f"leave.{seating.pk}.{seating.version}",
            made_by_id=command.by.staff_id,
            at=command.at,
            about=about,
        )
