"""
The dealer's rack: checked at pushes, counted by the floor, and by two as its table closes.

What comes into it from the vault and goes back goes as a fill slip of the cage (`casino.cage.services.fill_slips`), or
by two at once, where the rule book lets that be (`cage.fills_in_one_step`).

Each check holds the table's lock, so nothing falls into the rack meanwhile. A check is a fact: no amount is refused,
what differs is posted on an account of its own, and the downs between two counts are those whose difference it is.
"""

from datetime import datetime
from typing import Any

from django.db.models import Max, Min, Q, QuerySet
from django.db.models.functions import Greatest

from casino.audit import held
from casino.cage.models import Slip
from casino.cage.rules import added_up, cents_of
from casino.cage.selectors.drawers import values_counted
from casino.cage.services.amounts import Pieces
from casino.cage.services.fills import check_one_step
from casino.cage.services.locks import follow_short
from casino.cage.services.vault_gives import check_vault_gives
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.ledger.chart import of_house
from casino.ledger.models import Posting
from casino.ledger.services import open_accounts, post
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay, Room
from tables.audiences import DEALERS
from tables.chart import OWNER, RACK, RACK_CASH, RACK_CASH_MISSING, RACK_MISSING, of_table
from tables.errors_racks import NoRackKept, RackLeftUncounted
from tables.held import RACK_CASH_COUNT, RACK_CASH_SINCE
from tables.models import Down, Hand, RackCheck, RackFill, Table, ToDo
from tables.owners import newest_postings, table_figures
from tables.services.rack_moments import lay_there, since_tap
from tables.services.rack_pushes import follow_as_left, follow_count, is_counted_since_play
from tables.services.state import done, leave_to_the_floor, lock_day_and_table, lock_day_and_table_for_fact
from tables.terms import dealers_at

# What the second person under a fill or a closing count must be allowed to do.
NEEDS = "tables.sign_rack"
# What a dealer counts who pushes in, and what the floor counts by itself, as it says.
PUSH_KINDS = (RackCheck.Kind.PUSH, RackCheck.Kind.UNANNOUNCED)
FLOOR_KINDS = (RackCheck.Kind.OPENING.value, RackCheck.Kind.FLOOR.value)


def fill_signs(table_id: int, cents: int) -> str:
    """Return what the second person signs under a fill: which table's rack, and how much both have counted."""
    return f"rack.{table_id}.fill.{cents}"


def close_signs(table_id: int, cents: int, cash_cents: int = 0) -> str:
    """Return what the second person signs under the count of a closing: which table's rack, and what lay there."""
    return f"rack.{table_id}.close.{cents}.{cash_cents}"


def clear_signs(table_id: int, cents: int, cash_cents: int = 0) -> str:
    """Return what the second person signs when a rack goes back to the vault: which table's, and what lay there."""
    return f"rack.{table_id}.clear.{cents}.{cash_cents}"


@service("tables.fill_rack", refused=follow_short)
def fill_rack(command: Command, *, table_id: int, pieces: Pieces, approved_by_id: int) -> Outcome:
    """
    Bring chips from the vault into a table's rack in one step, counted by two.

    `pieces` is how many of each value, as `cents_of`; `approved_by_id` has signed `fill_signs`
    (`people.services.second_person`, before this command).

    :raises Malformed: no chips, or there are no such.
    :raises NeedsSecondSignature: nobody else signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises NotFound: the room has no such table.
    :raises NoRackKept: the table keeps none (`dealers_at`).
    :raises FillsInOneStep: the room's rule book does not let it be.
    :raises VaultShort, VaultCountedFirst: the vault holds less, or did too often.
    """
    cents = cents_counted(command, pieces)
    if cents <= 0:
        raise Malformed(field="pieces")
    check_signed(command, approved_by_id, needs=NEEDS, signs=fill_signs(table_id, cents))
    day, table = lock_day_and_table(command, table_id)
    if not dealers_at(table, at=command.at).rack.is_kept:
        raise NoRackKept
    check_one_step(command)
    number = _next(table.rack_fills.all())
    lines = [of_house(table.room_id, "vault_chips", -cents), of_table(table.pk, RACK, cents)]
    transfer_id = post(
        room_id=table.room_id,
        day_id=day.pk,
        kind="rack_filled",
        lines=lines,
        key=f"rack_fill.{table.pk}.{number}",
        made_by_id=command.staff_id,
        approved_by_id=approved_by_id,
        at=command.at,
        table_id=table.pk,
        about={"fill": number},
    )
    check_vault_gives(command, lines)
    fill = RackFill.objects.create(
        room_id=table.room_id,
        table=table,
        number=number,
        day=day,
        at=command.at,
        by_id=command.staff_id,
        approved_by_id=approved_by_id,
        pieces=added_up(pieces),
        cents=cents,
        transfer_id=transfer_id,
    )
    return done(
        table, data={"fill": fill.pk, "number": number, "filled_cents": cents, "approved_by_id": approved_by_id}
    )


@service("tables.check_rack")
def check_rack(
    command: Command, *, table_id: int, down_id: int, pieces: Pieces | None = None, cash: Pieces | None = None
) -> Outcome:
    """
    Take a table's rack over at a push: counted, or as it was left (None). A fact.

    What a tablet without a connection had waiting is held against the rack as it was at the moment of the tap.
    `down_id` is the down of who takes it over; `cash` how many notes and coins of each value lie there: nothing of each
    where none does, and None where it was not counted, and is as it was left. A rack that was to be counted and is said
    to be as left stays on the floor's to-do; "as left" said again changes nothing.

    :raises Malformed: there are no such chips or no such cash, or cash is counted without chips.
    :raises NotFound: the room has no such table, or it never had that down.
    """
    if pieces is None and cash:
        raise Malformed(field="pieces")
    cents = None if pieces is None else cents_counted(command, pieces, cash)
    day, table = lock_day_and_table_for_fact(command, table_id)
    down = Down.objects.filter(table=table, id=down_id).first()
    if down is None:
        raise NotFound(what="down")
    if cents is None and (known := down.rack_checks.order_by("id").first()) is not None:
        return done(table, data={"check": known.pk, "down": down.pk, "known": True, **_logged(known)})
    kind = RackCheck.Kind.UNANNOUNCED if down.counts_rack and cents is not None else RackCheck.Kind.PUSH
    # By their moments: what is caught up from paper gets its number later.
    earlier = Down.objects.filter(table=table, began_at__lt=down.began_at).order_by("-began_at", "-id")
    before = earlier.values_list("dealer_id", flat=True)
    # Before its first hand a down has nothing to do with what is missing.
    counted_at = min(command.tapped_at, command.at)
    dealt_since = Hand.objects.filter(
        Q(dealt_at__range=(down.began_at, counted_at))
        | Q(dealt_at=None, settled_at__range=(down.began_at, counted_at)),
        table=table,
    )
    # Nor before a sale: whoever sells reaches into it.
    sold_since = Slip.objects.filter(
        session__drawer__place_kind=OWNER,
        session__drawer__place_id=table.pk,
        # A check that was kept may arrive on the next day.
        session__day__in={day.pk, down.day_id or day.pk},
        paid_at__range=(down.began_at, counted_at),
    )
    # Up to the down before this one, while its own dealer has dealt no hand and sold nothing.
    until = down.pk if cents is not None and (dealt_since.exists() or sold_since.exists()) else down.pk - 1
    check = _check(command, table, day, kind, pieces, cash, until=until, down=down, dealer_id=before.first())
    return done(table, data={"check": check.pk, "down": down.pk, **_logged(check)}, audiences=(DEALERS,))


@service("tables.count_rack")
def count_rack(
    command: Command, *, table_id: int, kind: str, pieces: Pieces | None = None, cash: Pieces | None = None
) -> Outcome:
    """
    Count a table's rack, as the floor does before a table begins (`opening`) or at any time (`floor`). A fact.

    `cash` as in `check_rack`. Before a table begins, `pieces` None says that the rack is as its closing count left it.

    :raises Malformed: none of these, nothing was said of any chip, or there are no such chips or no such cash.
    :raises NotFound: the room has no such table.
    :raises RackLeftUncounted: nobody has counted it since the table played last, so nobody knows how it was left.
    """
    if kind not in FLOOR_KINDS:
        raise Malformed(field="kind")
    if pieces is not None:
        cents_counted(command, pieces, cash)
    elif kind != RackCheck.Kind.OPENING or cash:
        raise Malformed(field="pieces")
    day, table = lock_day_and_table_for_fact(command, table_id)
    if pieces is None and not is_counted_since_play(table):
        raise RackLeftUncounted
    check = _check(command, table, day, RackCheck.Kind(kind), pieces, cash, dealer_id=_deals_at(table))
    return done(table, data={"check": check.pk, **_logged(check)})


@service("tables.close_rack")
def close_rack(
    command: Command, *, table_id: int, pieces: Pieces, approved_by_id: int, cash: Pieces | None = None
) -> Outcome:
    """
    Count a table's rack at its closing, by two. What was counted stays there, until a credit slip brings it to the
    vault.

    `cash` as in `check_rack`; `approved_by_id` has signed `close_signs`. What was expected is in the answer, after the
    count.

    :raises Malformed: nothing was said of any chip, or there are no such chips or no such cash.
    :raises NeedsSecondSignature: nobody else signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises NotFound: the room has no such table.
    """
    return _counted_by_two(command, RackCheck.Kind.AT_CLOSING, table_id, pieces, cash, approved_by_id)


@service("tables.clear_rack")
def clear_rack(
    command: Command, *, table_id: int, pieces: Pieces, approved_by_id: int, cash: Pieces | None = None
) -> Outcome:
    """
    Count a table's rack at its closing, by two, and bring what was counted to the vault in one step: nothing is left
    in it, but for cash that was not counted (`cash` is None).

    `approved_by_id` has signed `clear_signs`. What was expected is in the answer, after the count.

    :raises Malformed, NeedsSecondSignature, NoOpenDay, NotFound: as `close_rack`.
    :raises FillsInOneStep: the room's rule book does not let it be.
    """
    return _counted_by_two(command, RackCheck.Kind.CLOSING, table_id, pieces, cash, approved_by_id)


def _counted_by_two(
    command: Command,
    kind: RackCheck.Kind,
    table_id: int,
    pieces: Pieces,
    cash: Pieces | None,
    approved_by_id: int,
) -> Outcome:
    cents = cents_counted(command, pieces, cash)
    signs = clear_signs if kind == RackCheck.Kind.CLOSING else close_signs
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs(table_id, cents, cents_of(cash or ())))
    day, table = lock_day_and_table(command, table_id)
    if kind == RackCheck.Kind.CLOSING:
        check_one_step(command)
    dealer_id = _deals_at(table)
    check = _check(command, table, day, kind, pieces, cash, approved_by_id=approved_by_id, dealer_id=dealer_id)
    return done(table, data={"check": check.pk, "approved_by_id": approved_by_id, **_logged(check)})


def _check(
    command: Command,
    table: Table,
    day: GamingDay,
    kind: RackCheck.Kind,
    pieces: Pieces | None,
    cash: Pieces | None,
    *,
    until: int | None = None,
    approved_by_id: int | None = None,
    dealer_id: int | None,
    **of_push: Any,
) -> RackCheck:
    """Keep a check of a locked table's rack, post what it found, and leave what differs to the floor."""
    figures = table_figures(table.pk)
    check = RackCheck(
        room_id=table.room_id,
        table=table,
        number=_next(table.rack_checks.all()),
        opening=table.opening,
        day=day,
        kind=kind,
        # Only what a dealer's tablet had waiting is of then: the floor's keeps nothing, and its clock may be wrong.
        at=min(command.tapped_at, command.at) if kind in PUSH_KINDS else command.at,
        by_id=command.by.staff_id,
        approved_by_id=approved_by_id,
        dealer_id=dealer_id,
        expected_cents=figures.get(RACK, 0),
        expected_cash_cents=figures.get(RACK_CASH, 0),
        place=max(newest_postings(table, [RACK, RACK_CASH]).values(), default=0),
        **of_push,
    )
    since = since_tap(table, check.at, now=command.at)
    if since.is_any:
        check.is_late = True
        check.expected_cents, check.expected_cash_cents = lay_there(table, check.at)
    if pieces is not None:
        check.pieces, check.cents = added_up(pieces), cents_of(pieces)
        if cash or (cash is not None and check.expected_cash_cents):
            check.cash_pieces, check.cash_cents = added_up(cash), cents_of(cash)
        check.first_down_id, check.last_down_id = _downs_between(check, until)
        if check.cash_difference_cents:
            check.cash_first_down_id, check.cash_last_down_id = _downs_between(check, until, of_cash=True)
        # The rack has been counted anew since: what this one found is part of what that count has posted.
        check.transfer_id = None if since.is_counted else _post(command, check)
    # Once it is posted: a check that is kept never changes, so it has its transfer from the start.
    check.save(force_insert=True)
    if check.is_counted:
        follow_count(command, table, counted_at=check.at)
    else:
        follow_as_left(command, table, tapped_at=check.at)
    if check.cash_cents is not None:
        held.note(RACK_CASH_COUNT.kind, check.pk)
    if check.cash_first_down_id is not None:
        held.note(RACK_CASH_SINCE.kind, check.pk)
    if check.differs:
        _leave_difference(command, check)
    return check


def _downs_between(check: RackCheck, until: int | None, *, of_cash: bool = False) -> tuple[int | None, int | None]:
    """Return the first and the last of `_downs_since`, None where there are none."""
    ends = _downs_since(check, until, of_cash=of_cash).aggregate(first=Min("id"), last=Max("id"))
    return ends["first"], ends["last"]


def _downs_since(check: RackCheck, until: int | None, *, of_cash: bool) -> QuerySet[Down]:
    """
    Return the downs since a locked table's rack was counted last, or its cash was, or else since it was filled first,
    until a down's id, included.

    A count with a push is the beginning of its down; the floor's own falls within one, which is one of both sides. What
    came after a count is told by ids: the clock may have been set back since, and the tap have told a wrong moment.
    """
    downs = Down.objects.filter(table=check.table_id)
    if until is not None:
        downs = downs.filter(id__lte=until)
    counts = check.table.rack_checks.filter(cents__isnull=False)
    if of_cash:
        # Cash that the last count left as it was may have been missing then.
        counts = counts.filter(Q(cash_cents__isnull=False) | Q(expected_cash_cents=0))
    if check.is_late:
        # Of what came late moments alone say what was before it.
        downs, counts = downs.filter(began_at__lte=check.at), counts.filter(at__lte=check.at)
    last = counts.order_by(*(["-at"] if check.is_late else []), "-number").first()
    if last is None:
        since = _first_filled_at(check.table)
        return downs if since is None else downs.filter(Q(ended_at=None) | Q(ended_at__gt=since))
    # Of what is caught up from paper the ids are newer than the downs.
    downs = downs.exclude(from_sheet__isnull=False, ended_at__lte=last.at)
    if last.down_id is not None:
        return downs.filter(id__gte=last.down_id)
    newest = counts.aggregate(id=Max(Greatest("down_id", "last_down_id")))["id"]
    if newest is None:
        # Nobody has dealt between the filling and the counts so far.
        return downs.filter(Q(ended_at=None) | Q(ended_at__gt=_first_filled_at(check.table) or last.at))
    return downs.filter(id__gte=newest) if last.dealer_id is not None else downs.filter(id__gt=newest)


def _deals_at(table: Table) -> int | None:
    """Return who deals at a locked table, None for nobody. One query."""
    return Down.objects.filter(table=table, ended_at=None).values_list("dealer_id", flat=True).first()


def _first_filled_at(table: Table) -> datetime | None:
    """Return when chips first came into a table's rack, by the floor or by a fill slip of the cage. One query."""
    came = Posting.objects.filter(
        account__owner_kind=OWNER, account__owner_id=table.pk, account__kind=RACK, cents__gt=0
    )
    return came.order_by("id").values_list("transfer__at", flat=True).first()


def _post(command: Command, check: RackCheck) -> int | None:
    """Move what a count found, and return the transfer's id; None where nothing moves."""
    counted, expected = check.cents or 0, check.expected_cents
    is_closing = check.kind == RackCheck.Kind.CLOSING
    lines = [
        of_table(check.table_id, RACK, (0 if is_closing else counted) - expected),
        of_house(check.room_id, "vault_chips", counted if is_closing else 0),
        of_table(check.table_id, RACK_MISSING, expected - counted),
        of_table(check.table_id, RACK_CASH, check.left_cash_cents - check.expected_cash_cents),
        of_house(check.room_id, "vault_cash", (check.cash_cents or 0) if is_closing else 0),
        of_table(check.table_id, RACK_CASH_MISSING, -check.cash_difference_cents),
    ]
    if not any(line.cents for line in lines):
        return None
    # Tables of before had no account for what is missing.
    open_accounts(Room.objects.get(id=check.room_id), OWNER, check.table_id)
    return post(
        room_id=check.room_id,
        day_id=check.day_id,
        kind="rack_to_vault" if is_closing else "rack_counted",
        lines=lines,
        key=f"rack.{check.table_id}.{check.number}",
        made_by_id=check.by_id,
        approved_by_id=check.approved_by_id,
        at=command.at,
        table_id=check.table_id,
        about={"check": check.number, "kind": str(check.kind)},
    )


def _leave_difference(command: Command, check: RackCheck) -> None:
    data: dict[str, Any] = {"check": check.pk, "difference_cents": check.difference_cents}
    dealers = _dealers(check.table_id, check.first_down_id, check.last_down_id)
    if check.cash_difference_cents:
        data["cash_difference_cents"] = check.cash_difference_cents
        since_cash = _dealers(check.table_id, check.cash_first_down_id, check.cash_last_down_id)
        if not check.difference_cents:
            dealers = since_cash
        elif since_cash != dealers:
            data["cash_dealers"] = since_cash
    data["dealers"] = dealers
    leave_to_the_floor(check.table, ToDo.Kind.RACK_DIFFERS, at=command.at, data=data)


def _dealers(table_id: int, first_down: int | None, last_down: int | None) -> list[int]:
    """Return who dealt in these downs of a table, in order. One query where there are any."""
    if first_down is None:
        return []
    between = Down.objects.filter(table=table_id, id__range=(first_down, last_down))
    return list(dict.fromkeys(between.order_by("id").values_list("dealer_id", flat=True)))


def _logged(check: RackCheck) -> dict[str, Any]:
    if not check.is_counted:
        return {"kind": str(check.kind), "how": "as_left"}
    return {
        "kind": str(check.kind),
        "how": "differs" if check.differs else "agrees",
        "counted_cents": check.cents,
        "expected_cents": check.expected_cents,
        "difference_cents": check.difference_cents,
        **_cash_found(check),
        "first_down": check.first_down_id,
        "last_down": check.last_down_id,
    }


def _cash_found(check: RackCheck) -> dict[str, int | None]:
    if check.cash_cents is None:
        return {}
    return {
        "counted_cash_cents": check.cash_cents,
        "expected_cash_cents": check.expected_cash_cents,
        "cash_difference_cents": check.cash_difference_cents,
        **(
            {"cash_first_down": check.cash_first_down_id, "cash_last_down": check.cash_last_down_id}
            if check.cash_difference_cents
            else {}
        ),
    }


def cents_counted(command: Command, pieces: Pieces, cash: Pieces | None = ()) -> int:
    """
    Return what pieces come to, beside cash that there may be. Two queries.

    :raises Malformed: nothing is said of chips, or there are no such chips or no such cash.
    """
    known = values_counted(command.room_id, at=command.at)
    if not pieces or any(each["value_cents"] not in known.chips or each["count"] < 0 for each in pieces):
        raise Malformed(field="pieces")
    if any(each["value_cents"] not in known.cash or each["count"] < 0 for each in cash or ()):
        raise Malformed(field="cash")
    return cents_of(pieces)


def _next(numbered: QuerySet[Any]) -> int:
    """Return the next number of a locked table's rows. One query."""
    return (numbered.aggregate(last=Max("number"))["last"] or 0) + 1
