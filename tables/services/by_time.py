"""What a whole table pays by the time instead of a charge of its hands, and by the hand again (H7.18)."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Stale
from casino.rooms.selectors import lock_open_day
from tables.audiences import DEALERS, of_table
from tables.charges import ByTime, alternatives
from tables.errors import HandInProgress
from tables.errors_moves import TableCloses
from tables.errors_time import NobodyToAgree, NoSuchPeriod, NoTimeCharge
from tables.models import Opening, Seating, Table
from tables.services.continuing import (
    check_all_consent,
    check_no_time_owed,
    check_none_to_log_again,
    continued,
    lock_with_linked,
)
from tables.services.must_move import follow_stakes
from tables.services.state import done, opening_of


@service("tables.pay_by_time")
def pay_by_time(
    command: Command, *, table_id: int, kind: str, minutes: int, consents: list[int], version: int | None = None
) -> Outcome:
    """
    Let a table pay a `kind` of charge of its hands by the time instead, for each started period of so many `minutes`.

    `consents` are the seatings whose players agree (`check_all_consent`): it takes them all. From the next hand on none
    pays that charge, and time runs from it; periods are taken as any time charge is, into that charge's own box. Who
    sits down later pays as the table does; who leaves gets nothing back, for a started period is due whole. Hands that
    were dealt before keep their terms.

    :raises NoTimeCharge: the game leaves no choice at all.
    :raises NoSuchPeriod: it leaves none of that kind for periods of that length.
    :raises NobodyToAgree: nobody sits there.
    :raises NotAllConsent: somebody at the table has not agreed.
    :raises HandInProgress: a hand is being played.
    :raises TableCloses: its last orbit has been announced.
    :raises HandToLogAgain: a hand was undone and is not logged again yet.
    :raises TimeOwed: a period has begun that was neither taken nor let go.
    :raises Stale: the table pays so already, has changed since the screen showed `version`, or a must-move link came.
    Rules: H7.18, H7.19.
    """
    day = lock_open_day(command.room_id)
    table, others = lock_with_linked(command, table_id)
    old, there = _running(table, version)
    choices = {(each.kind, each.charge.period_minutes): each for each in alternatives(old.game.charges)}
    if not choices:
        raise NoTimeCharge(table_number=table.number)
    chosen = choices.get((kind, minutes))
    if chosen is None:
        raise NoSuchPeriod(table_number=table.number, minutes=minutes)
    if chosen == old.agreed:
        raise Stale(what="table", version=table.version)
    if not there:
        raise NobodyToAgree(table_number=table.number)
    check_all_consent(there, consents)
    check_no_time_owed(old, there, at=command.at)
    table.opening = continued(
        command, old, day=day, game=old.game, book_version_id=old.rule_book_version_id, by_time=chosen
    )
    data = {"minutes": minutes, "charge_cents": chosen.charge.due_cents, "kind": chosen.kind}
    data |= {"consents": sorted(consents), "players": [seating.player_id for seating in there]}
    return _gone_on(table, old, there, others, data)


@service("tables.pay_by_hand")
def pay_by_hand(command: Command, *, table_id: int, version: int | None = None) -> Outcome:
    """
    Let a table's hands be charged again: from the next one, or from the end of what was paid by the time (H7.18).

    It takes nobody's consent: it is what the book says of every table where not all agree.

    :raises NoTimeCharge: the table pays by the hand.
    :raises HandInProgress, TableCloses, HandToLogAgain, TimeOwed, Stale: as `pay_by_time`.
    """
    day = lock_open_day(command.room_id)
    table, others = lock_with_linked(command, table_id)
    old, there = _running(table, version)
    agreed: ByTime | None = old.agreed
    if agreed is None:
        raise NoTimeCharge(table_number=table.number)
    check_no_time_owed(old, there, at=command.at)
    table.opening = continued(
        command, old, day=day, game=old.game, book_version_id=old.rule_book_version_id, by_time=None
    )
    data = {"kind": agreed.kind, "free_until": table.opening.free_until.get(agreed.kind)}
    return _gone_on(table, old, there, others, data)


def _running(table: Table, version: int | None) -> tuple[Opening, list[Seating]]:
    """:raises TableClosed, Stale, HandInProgress, TableCloses, HandToLogAgain: something stands against it."""
    old = opening_of(table)
    if version is not None and version != table.version:
        raise Stale(what="table", version=table.version)
    if table.hand is not None:
        raise HandInProgress(hand_number=table.hand.number)
    if old.is_closing:
        raise TableCloses(table_number=table.number)
    check_none_to_log_again(old)
    return old, list(Seating.objects.filter(table=table, left_at=None).order_by("seat_number", "id"))


def _gone_on(table: Table, old: Opening, there: list[Seating], others: list[Table], data: dict[str, object]) -> Outcome:
    new = opening_of(table)
    Seating.objects.filter(id__in=[seating.pk for seating in there]).update(opening=new)
    follow_stakes(old, new, others)
    audiences = (DEALERS, *(name for other in others for name in of_table(other)))
    return done(table, data={"opening": new.pk, **data}, audiences=audiences)
