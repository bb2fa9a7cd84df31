"""What a push asks about the rack, and what is left to the floor where nobody counted it. Steps of other services."""

from casino import chance
from casino.commands.carrying_out import Command
from casino.ledger.models import Account
from casino.rooms.models import GamingDay
from casino.rooms.selectors import rule_book
from tables.chart import OWNER, RACK, RACK_CASH
from tables.models import Down, Opening, Table, ToDo
from tables.rules.racks import Asked, counts_done, drawn_among
from tables.services.state import leave_to_the_floor


def asked_at_push(command: Command, table: Table, day: GamingDay | None) -> bool | None:
    """
    Return what a push at the locked table asks about its rack: True a count, which was just drawn; False a count or "as
    left"; None nothing, for the house keeps no rack or none lies there.

    A count that was drawn before and never made goes to the floor. One query where no rack is kept, else three.
    """
    opening = Opening.objects.filter(id=table.opening_id or 0).first()
    if opening is None or day is None:
        return None
    terms = rule_book(opening.rule_book_version_id).dealers.rack
    if not terms.is_kept or not lies_there(table):
        return None
    downs = _asked_on(table, day)
    pushes = [_asked(down) for down in downs]
    if downs and pushes[-1].is_missed:
        _left_to_the_floor(command, table, downs[-1])
    below = drawn_among(
        pushes,
        within=terms.counted_within_pushes,
        per_day=terms.counted_pushes_per_day,
        is_closing=opening.is_closing,
    )
    # Nobody plays against this draw, and nothing of it is kept before the push: there is nothing to be bound to.
    return chance.number(chance.new_seed(), "rack", below) == 0


def follow_closing(command: Command, table: Table, opening: Opening) -> None:
    """Leave it to the floor where a table that closes has had too few counts at a push. One query, else three."""
    terms = rule_book(opening.rule_book_version_id).dealers.rack
    if not terms.is_kept:
        return
    downs = _asked_on(table, opening.day)
    if downs and _asked(downs[-1]).is_missed:
        _left_to_the_floor(command, table, downs[-1])
    done = counts_done([_asked(down) for down in downs])
    if downs and done < terms.counted_pushes_per_day:
        data = {"done": done, "needed": terms.counted_pushes_per_day}
        leave_to_the_floor(table, ToDo.Kind.RACK_NOT_COUNTED, at=command.at, data=data)


def lies_there(table: Table) -> bool:
    """Whether the log has chips in the table's rack, or cash. One query."""
    kinds = (RACK, RACK_CASH)
    racks = Account.objects.filter(room_id=table.room_id, owner_kind=OWNER, owner_id=table.pk, kind__in=kinds)
    return racks.exclude(balance_cents=0).exists()


def cash_lies_there(table: Table) -> bool:
    """Whether the log has cash in the table's rack. One query."""
    racks = Account.objects.filter(room_id=table.room_id, owner_kind=OWNER, owner_id=table.pk, kind=RACK_CASH)
    return racks.exclude(balance_cents=0).exists()


def _asked_on(table: Table, day: GamingDay) -> list[Down]:
    asked = Down.objects.filter(table=table, day=day, counts_rack__isnull=False)
    return list(asked.prefetch_related("rack_checks").order_by("id"))


def _asked(down: Down) -> Asked:
    counted = any(check.is_counted for check in down.rack_checks.all())
    return Asked(is_drawn=bool(down.counts_rack), was_counted=counted)


def _left_to_the_floor(command: Command, table: Table, down: Down) -> None:
    data = {"down": down.pk, "dealer": down.dealer_id}
    leave_to_the_floor(table, ToDo.Kind.RACK_NOT_COUNTED, at=command.at, data=data)
