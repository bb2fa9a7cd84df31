"""
Fill slips on their way: given to a runner who signs for it, counted blind by two where it goes, or brought back.

What the runner was given lies on the runner's own accounts until two others have counted it. A count is a fact: what
differs stays on the runner's difference account, and on the floor's to-do until somebody has judged it.
"""

from casino.cage import fill_places, rules
from casino.cage.chart import RUNNER
from casino.cage.errors import CarriedIt, FillOfNothing, MoreThanAuthorised, OwnFill, ReceiverMissing
from casino.cage.errors_banks import BankWithoutHolder
from casino.cage.models_fills import FillSlip
from casino.cage.services.amounts import Pieces
from casino.cage.services.fill_slips import Load, check_stands_at, lock_fill, look_at_fill, outcome_of, read_load, saved
from casino.cage.services.locks import follow_short
from casino.cage.services.vault_gives import check_vault_gives
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.ledger.chart import PostingLine, of_house
from casino.ledger.services import open_accounts, post
from casino.people.models import Staff
from casino.people.permissions import may_of
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import lock_open_day

# What a runner must be allowed to do, and the second person under a count.
NEEDS_TO_CARRY, NEEDS_TO_COUNT = "cage.carry_fill", "cage.count_fill"
# What one of the two who count at the vault must be allowed to do.
RECEIVES_AT_VAULT = "cage.receive_at_vault"
_SENT = (
    "status", "sent_at", "sent_by", "runner", "sent_cash", "sent_chips", "sent_cash_cents", "sent_chips_cents",
    "sent_transfer_id",
)  # fmt: skip
_GOT = (
    "status", "reason", "ended_at", "ended_by", "ended_with", "got_cash", "got_chips", "got_cash_cents",
    "got_chips_cents", "got_transfer_id", "unjudged",
)  # fmt: skip
# On a runner's accounts: where cash and chips lie that are carried, and what counts found missing of them.
_CARRIED = {rules.CASH: ("carried_cash", "over_short"), rules.CHIPS: ("carried", "chips_over_short")}


def carry_signs(fill_id: int, *, cash: Pieces, chips: Pieces) -> str:
    """Return what the runner signs who is given a fill: which one, and what it comes to."""
    return f"fill.{fill_id}.sent.{Load.by(cash, chips)}"


def count_signs(fill_id: int, *, cash: Pieces, chips: Pieces) -> str:
    """Return what the second person signs under a fill's count: of which one, and what it comes to."""
    return f"fill.{fill_id}.got.{Load.by(cash, chips)}"


@service("cage.deliver_fill", refused=follow_short)
def deliver_fill(
    command: Command,
    *,
    fill_id: int,
    approved_by_id: int,
    cash: Pieces = (),
    chips: Pieces = (),
    version: int | None = None,
) -> Outcome:
    """
    Give what was authorised to a runner, counted by pieces: from the vault, or for a credit from its place.

    `approved_by_id` is the runner, who has signed `carry_signs` with their own PIN (`people.services.second_person`,
    before this command). Other pieces than were wished are right, and less; more is another fill.

    :raises Malformed: there is no such piece, or less than none of it.
    :raises FillOfNothing: it is nothing.
    :raises NeedsSecondSignature: the runner is the asker, or has not signed this.
    :raises NotPermitted: the device stands elsewhere.
    :raises NoOpenDay, DrawerClosed: nothing is moved now, or not from there.
    :raises NotFound, Stale, FillNotAt: there is no such slip, it has changed, or it is not authorised.
    :raises BankWithoutHolder: the runner who holds a bank hands over what is taken out, and carries nothing into it.
    :raises MoreThanAuthorised: of cash or of chips.
    :raises VaultShort, CashShort, ChipsShort: there is less than that.
    :raises DrawerCountedFirst, VaultCountedFirst: there was less too often.
    :raises Refusal: by the book it is not filled any more.
    """
    load = read_load(command, cash, chips)
    if not load.cash_cents and not load.chips_cents:
        raise FillOfNothing
    check_signed(command, approved_by_id, needs=NEEDS_TO_CARRY, signs=carry_signs(fill_id, cash=cash, chips=chips))
    seen = look_at_fill(command.room_id, fill_id)
    is_vault = seen.kind == FillSlip.Kind.FILL
    place, day = fill_places.of(seen.place_kind), _lock_to_give(command, seen, is_vault=is_vault)
    slip = lock_fill(command, fill_id, version, at={FillSlip.Status.AUTHORISED})
    _check_carrier(command, place.holder_id(slip.place_id), approved_by_id, into_place=is_vault)
    if load.cash_cents > slip.wished_cash_cents or load.chips_cents > slip.wished_chips_cents:
        raise MoreThanAuthorised
    lines = _giving(slip, load, approved_by_id, is_vault=is_vault)
    if not is_vault:
        place.check_holds(slip.place_id, lines)
    # Who carries for the first time has no accounts; opened again they stay as they are.
    open_accounts(Room.objects.get(id=command.room_id), RUNNER, approved_by_id)
    slip.sent_transfer_id = _post(command, slip, "fill_sent", lines, day_id=day.pk, approved_by_id=approved_by_id)
    # Once it is posted, which locks the vault's accounts: before that, two fills at once would both find enough there.
    check_vault_gives(command, lines)
    slip.status, slip.sent_at = FillSlip.Status.DELIVERED, command.ends(slip.requested_at)
    slip.sent_by_id, slip.runner_id = command.staff_id, approved_by_id
    _note_load(slip, "sent", load)
    return saved(slip, *_SENT)


def _lock_to_give(command: Command, seen: FillSlip, *, is_vault: bool) -> GamingDay:
    """
    Lock the day and the slip's place, and return the day; `is_vault`: the vault gives, else the place does.

    :raises NotPermitted: the device stands elsewhere.
    :raises Refusal: no day or drawer is open, or by the book the place is not filled any more.
    """
    check_stands_at(command, None if is_vault else seen.place_kind, seen.place_number)
    day = lock_open_day(command.room_id)
    place = fill_places.of(seen.place_kind)
    if is_vault:
        # The book may be another than when it was asked for.
        place.check_takes(seen.place_id, at=command.at)
    place.lock(seen.place_id)
    return day


def _check_carrier(command: Command, holder_id: int | None, runner_id: int, *, into_place: bool) -> None:
    """:raises BankWithoutHolder: who holds a bank counts what is brought into it, and hands over what is taken out."""
    is_wrong = holder_id == runner_id if into_place else holder_id not in (command.staff_id, runner_id)
    if holder_id is not None and is_wrong:
        raise BankWithoutHolder


@service("cage.verify_fill")
def verify_fill(
    command: Command,
    *,
    fill_id: int,
    approved_by_id: int,
    cash: Pieces = (),
    chips: Pieces = (),
    version: int | None = None,
) -> Outcome:
    """
    Count what a runner brought, where it goes, blind and by two: only now it lies there. A fact, whatever it comes to.

    `approved_by_id` is the second person, who has signed `count_signs` with their own PIN. Of both the one counts who
    has not given it to the runner, the asker before the other; the runner is neither, and one of both works there: the
    dealer of a table, the cashier of a drawer, who keeps the vault, the runner who holds a bank. What was sent is in
    the answer alone.

    :raises Malformed: there is no such piece, or less than none of it.
    :raises FillOfNothing: nobody says anything.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed this.
    :raises NotPermitted: the device stands elsewhere.
    :raises NoOpenDay, DrawerClosed: nothing is posted now, or not there: what was brought goes back.
    :raises NotFound, Stale, FillNotAt: there is no such slip, it has changed, or it is not on its way.
    :raises CarriedIt, ReceiverMissing, BankWithoutHolder: who may not count it, and who is missing.
    """
    return _land(command, fill_id, approved_by_id, (cash, chips), version)


@service("cage.return_fill")
def return_fill(
    command: Command,
    *,
    fill_id: int,
    reason: str,
    approved_by_id: int,
    cash: Pieces = (),
    chips: Pieces = (),
    version: int | None = None,
) -> Outcome:
    """
    Count back what a runner was given and could not deliver, where it came from; else as `verify_fill`.

    `reason` is a `FillSlip.Reason`.

    :raises Malformed, FillOfNothing: as `verify_fill`; or no such reason, or cash out of a place that gave none.
    :raises Refusal: as `verify_fill`.
    """
    if reason not in FillSlip.Reason.values:
        raise Malformed(field="reason")
    return _land(command, fill_id, approved_by_id, (cash, chips), version, reason=reason)


def _land(
    command: Command,
    fill_id: int,
    approved_by_id: int,
    pieces: tuple[Pieces, Pieces],
    version: int | None,
    *,
    reason: str = "",
) -> Outcome:
    cash, chips = pieces
    if not cash and not chips:
        raise FillOfNothing
    load = read_load(command, cash, chips)
    seen = look_at_fill(command.room_id, fill_id)
    is_vault = (seen.kind == FillSlip.Kind.FILL) == bool(reason)
    _check_cash_lands(seen, load, is_vault=is_vault, is_return=bool(reason))
    check_signed(command, approved_by_id, needs=NEEDS_TO_COUNT, signs=count_signs(fill_id, cash=cash, chips=chips))
    check_stands_at(command, None if is_vault else seen.place_kind, seen.place_number)
    day = lock_open_day(command.room_id)
    if not is_vault:
        fill_places.of(seen.place_kind).lock(seen.place_id)
    slip = lock_fill(command, fill_id, version, at={FillSlip.Status.DELIVERED})
    counter_id = _counter_at(command, slip, approved_by_id, is_vault=is_vault)
    lines = _landing(slip, load, is_vault=is_vault)
    kind = "fill_returned" if reason else "fill_verified"
    slip.got_transfer_id = _post(command, slip, kind, lines, day_id=day.pk, approved_by_id=approved_by_id)
    slip.status, slip.reason = FillSlip.Status.RETURNED if reason else FillSlip.Status.VERIFIED, reason
    slip.ended_at = command.ends(slip.sent_at or slip.requested_at)
    slip.ended_by_id = counter_id
    slip.ended_with_id = command.staff_id if counter_id == approved_by_id else approved_by_id
    _note_load(slip, "got", load)
    slip.unjudged = any(slip.differences_cents)
    saved(slip, *_GOT)
    return _landed(slip, load)


def _check_cash_lands(seen: FillSlip, load: Load, *, is_vault: bool, is_return: bool) -> None:
    """:raises Malformed: cash is counted where none is brought. It comes back there if it was taken out of there."""
    lay_there = is_return and bool(seen.sent_cash_cents)
    if load.cash_cents and not is_vault and not lay_there and rules.CASH not in fill_places.of(seen.place_kind).holds:
        raise Malformed(field="cash")


def _landed(slip: FillSlip, load: Load) -> Outcome:
    """Return the answer to a count: who counted, what there was, and by how much it differs from what was sent."""
    cash_difference, chips_difference = slip.differences_cents
    return outcome_of(
        slip,
        counted_by_id=slip.ended_by_id,
        counted_with_id=slip.ended_with_id,
        got_cash_cents=load.cash_cents,
        got_chips_cents=load.chips_cents,
        cash_difference_cents=cash_difference,
        chips_difference_cents=chips_difference,
        **({"reason": slip.reason} if slip.reason else {}),
    )


@service("cage.judge_fill")
def judge_fill(command: Command, *, fill_id: int) -> Outcome:
    """
    Take a fill whose count differs off the floor's to-do, having looked at it.

    :raises NotFound: it is not there, or was judged by somebody else.
    :raises OwnFill: by who gave it out, carried it or counted it: it is missing from one of them.
    """
    slip = lock_fill(command, fill_id, None)
    if not slip.unjudged:
        raise NotFound(what="slip")
    if command.staff_id in slip.handled_by:
        raise OwnFill
    slip.unjudged, slip.judged_at = False, command.ends(slip.ended_at or slip.requested_at)
    slip.judged_by_id = command.staff_id
    return saved(slip, "unjudged", "judged_at", "judged_by")


def _counter_at(command: Command, slip: FillSlip, second_id: int, *, is_vault: bool) -> int:
    """Return who of the two counts at the vault, or at the slip's place. :raises Refusal: as `_counter`."""
    if is_vault:
        return _counter(command, slip, second_id, receives=RECEIVES_AT_VAULT)
    place = fill_places.of(slip.place_kind)
    return _counter(command, slip, second_id, receives=place.receives, holder_id=place.holder_id(slip.place_id))


def _counter(command: Command, slip: FillSlip, second_id: int, *, receives: str, holder_id: int | None = None) -> int:
    """
    Return who of the two counts; `holder_id` holds the place themselves, and is the one who works there.

    :raises CarriedIt, ReceiverMissing, BankWithoutHolder: they may not, or nobody of them works there.
    """
    assert slip.sent_by_id is not None
    if slip.runner_id in (command.staff_id, second_id):
        raise CarriedIt
    counter_id = rules.who_counts(command.staff_id, second_id, never={slip.sent_by_id})
    assert counter_id is not None, "two are two, and one gave it"
    if holder_id is not None:
        # What they carried out of it themselves and bring back, two others count.
        if holder_id not in (command.staff_id, second_id, slip.runner_id):
            raise BankWithoutHolder
    elif receives not in command.by.may and receives not in may_of(Staff.objects.get(id=second_id).roles):
        raise ReceiverMissing
    return counter_id


def _amounts(load: Load) -> tuple[tuple[str, int], ...]:
    return (rules.CASH, load.cash_cents), (rules.CHIPS, load.chips_cents)


def _note_load(slip: FillSlip, what: str, load: Load) -> None:
    """Keep on the slip what was `sent` or `got`: the pieces, and what they come to in cents."""
    for name, value in vars(load).items():
        setattr(slip, f"{what}_{name}", value)


def _giving(slip: FillSlip, load: Load, runner_id: int, *, is_vault: bool) -> list[PostingLine]:
    """Return the lines that take what is given from the vault or the place, and put it on the runner's accounts."""
    lines = []
    for what, cents in _amounts(load):
        if cents:
            lines += [
                _at_place_or_vault(slip, what, -cents, is_vault=is_vault),
                PostingLine(RUNNER, runner_id, _CARRIED[what][0], cents),
            ]
    return lines


def _landing(slip: FillSlip, load: Load, *, is_vault: bool) -> list[PostingLine]:
    """Return the lines that take from the runner what was given, and put down what was counted of it."""
    assert slip.runner_id is not None
    sent = {rules.CASH: slip.sent_cash_cents or 0, rules.CHIPS: slip.sent_chips_cents or 0}
    lines = []
    for what, cents in _amounts(load):
        carried, missing = _CARRIED[what]
        lines += [
            PostingLine(RUNNER, slip.runner_id, carried, -sent[what]),
            PostingLine(RUNNER, slip.runner_id, missing, sent[what] - cents),
        ]
        if cents:
            lines.append(_at_place_or_vault(slip, what, cents, is_vault=is_vault))
    return lines


def _at_place_or_vault(slip: FillSlip, what: str, cents: int, *, is_vault: bool) -> PostingLine:
    if is_vault:
        return of_house(slip.room_id, f"vault_{what}", cents)
    return fill_places.of(slip.place_kind).line(slip.place_id, what, cents)


def _post(
    command: Command, slip: FillSlip, kind: str, lines: list[PostingLine], *, day_id: int, approved_by_id: int
) -> int:
    return post(
        room_id=command.room_id,
        day_id=day_id,
        kind=kind,
        lines=lines,
        key=f"{kind}.{slip.pk}",
        made_by_id=command.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"fill": slip.number},
    )
