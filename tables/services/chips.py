"""Chips that reach a table in the player's hands, and those that end in its tip box."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.selectors.accounts import room_figure
from casino.ledger.services import post
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day
from casino.rows import relate
from tables.chart import of_table
from tables.errors_counts import MoreThanInHand
from tables.models import Seating, Table, ToDo
from tables.selectors.tip_boxes import box_of
from tables.services.buying import check_purchase_at
from tables.services.protection import check_may_buy, lock_who_sits
from tables.services.stacks import doubt_what_left
from tables.services.state import done, lock_day_and_table_for_fact, lock_table, opening_of, save_seating, seating_of


@service("tables.bring_chips")
def bring_chips(
    command: Command,
    *,
    table_id: int,
    seating_id: int,
    chips_cents: int,
    stack: int | str | None = None,
    stands: bool = False,
    version: int | None = None,
) -> Outcome:
    """
    Put chips from the player's hands on the table: bought earlier, another day, at another game.

    `stack` is what the player has there: cents counted, "under_blind" or "full"; needed where a limit hangs
    on it and the player has chips on the table already. `stands`: a sum that cannot be was counted again.

    :raises Malformed: no chips, or a stack that is neither a count nor one of the words.
    :raises SeatEmpty: the player has left.
    :raises BuyInUnderMinimum, BuyInOverMaximum, StackNeeded: the game's limits (H1.62, H2.14-H2.21).
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp: nothing more comes to this player's seat.
    :raises StackToBring: the player comes back and brings less than they left with (H1.64).
    :raises MoreThanInHand: as `look_twice`.
    :raises Stale: the seat has changed since the screen showed `version`.
    """
    if chips_cents <= 0:
        raise Malformed(field="chips")
    day = lock_open_day(command.room_id)
    lock_who_sits(command, seating_id, table_id=table_id)
    table = lock_table(command, table_id)
    opening = opening_of(table)
    seating = seating_of(table, seating_id, version=version)
    check_may_buy(seating, day_id=day.pk, at=command.at)
    # The one that came with the lock: else its terms and limits would be read once more, opening and game.
    relate(seating, opening=opening)
    try:
        is_short = check_purchase_at(seating, amount_cents=chips_cents, stack=stack, at=command.at)
    except ValueError:
        raise Malformed(field="stack") from None
    look_twice(command, seating, chips_cents, stands=stands)
    bring_to_seat(command, day=day, table=table, seating=seating, cents=chips_cents, is_short=is_short)
    return done(table, data={"seating": seating.pk, "chips_cents": chips_cents})


def look_twice(command: Command, seating: Seating, cents: int, *, stands: bool) -> None:
    """
    Ask back once about chips that are said to be brought along and that no player can have; if they stand, the floor
    judges it.

    Asked is above the usual buy-in only, and where the game has no maximum, which would refuse them. One query then.

    :raises MoreThanInHand: they are more than what all players together have in hand.
    """
    opening = seating.opening
    if opening.game.buy_in_max_cents is not None or cents <= max(opening.terms.quick_buy_ins):
        return
    in_hand = max(room_figure(command.room_id, "hands"), 0)
    if cents <= in_hand:
        return
    if not stands:
        raise MoreThanInHand(asked_cents=cents, limit_cents=in_hand)
    ToDo.objects.create(
        room_id=command.room_id,
        table_id=seating.table_id,
        kind=ToDo.Kind.BROUGHT_UNSEEN,
        data={"seat": seating.seat_number, "cents": cents, "over_cents": cents - in_hand},
        raised_at=command.at,
    )


def bring_to_seat(
    command: Command,
    *,
    day: GamingDay,
    table: Table,
    seating: Seating,
    cents: int,
    is_short: bool = False,
    line: int = 0,
    **about: int,
) -> None:
    """
    Move chips out of the player's hands into play at the table, and note them on the seat.

    `line` tells several of one command apart; `about` is what else the transfer says.
    """
    post(
        room_id=table.room_id,
        day_id=day.pk,
        kind="chips_brought",
        lines=[of_table(table.pk, "hands", -cents), of_table(table.pk, "in_play", cents)],
        key=f"brought.{command.id}.{line}" if line else f"brought.{command.id}",
        made_by_id=command.by.staff_id,
        at=command.at,
        table_id=table.pk,
        about={"seating": seating.pk, **about},
    )
    seating.chips_in_cents += cents
    seating.short_buy_in_cents += cents if is_short else 0
    save_seating(seating)


@service("tables.count_tip_box")
def count_tip_box(command: Command, *, table_id: int, counted_cents: int) -> Outcome:
    """
    Post what was counted in the table's tip box: out of the chips in play. A fact.

    Tips are not tapped; until they are counted, the table's figure of chips in play reads "less tips".
    `counted_cents` is what was found since the last count. They lie in the box that hung there when it was tapped: of
    one that a dealer has taken along meanwhile (`close_tips`) as long as nobody has counted it, and else in the next.
    """
    day, table = lock_day_and_table_for_fact(command, table_id)
    tapped_at = min(command.tapped_at, command.at)
    if counted_cents:
        # Only what a tablet kept is older than a box that was taken along since; it is asked of a few rows.
        if tapped_at < command.at and (box := box_of(table, at=tapped_at, now=command.at)) is not None:
            box.noted_cents += counted_cents
            box.save(update_fields=["noted_cents"])
        post(
            room_id=table.room_id,
            day_id=day.pk,
            kind="tips_counted",
            lines=[of_table(table.pk, "in_play", -counted_cents), of_table(table.pk, "tip_box", counted_cents)],
            key=f"tips.{command.id}",
            made_by_id=command.by.staff_id,
            at=command.at,
            table_id=table.pk,
            # A tablet without a line sends it later: in whose box they lie is told by when it was tapped.
            about={"tapped_at": tapped_at.isoformat()},
        )
        doubt_what_left(command, table.pk, ToDo.Kind.TIPS_ABOVE_PLAY, cents=counted_cents)
    return done(table, data={"counted_cents": counted_cents})
