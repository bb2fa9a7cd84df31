"""
Vouchers: issued by two, taken once for chips, void by two, and over with the gaming day of their last date.

What the house promises so is one account, `house.vouchers`, with `house.vouchers_given` as its other end. Whoever
changes a voucher has locked its row, after the drawer and the slip.
"""

import re
from datetime import date, datetime

from django.db.models import QuerySet
from django.utils.translation import ngettext

from casino.cage import day_ends
from casino.cage.errors import (
    VoucherForTooLong,
    VoucherNeeded,
    VoucherOfOtherAmount,
    VoucherOver,
    VoucherSpent,
    VoucherUnknown,
)
from casino.cage.models import Slip, Voucher, VoucherPrint
from casino.cage.rules import VOUCHER, voucher_lines
from casino.cage.services.amounts import check_amount
from casino.cage.services.locks import lock_numbering, next_number, own_chain
from casino.commands.carrying_out import Actor, Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.ledger.services import open_accounts, post
from casino.people.secrets import new_code
from casino.people.services.addresses import code_tried
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day, open_day, rule_book_in_force

# What the second person must be allowed to do.
NEEDS = "cage.approve_voucher"


def issue_signs(*, amount_cents: int, origin: str, last_date: str) -> str:
    """Return what the second person signs under a new voucher."""
    return f"voucher.{amount_cents}.{origin}.{last_date}"


def void_signs(*, voucher_id: int, reason: str) -> str:
    """Return what the second person signs when a voucher is to be void."""
    return f"voucher.{voucher_id}.void.{reason}"


@service("cage.issue_voucher")
def issue_voucher(command: Command, *, amount_cents: int, origin: str, last_date: str, approved_by_id: int) -> Outcome:
    """
    Issue a voucher over an amount in chips: from now on the house owes it, to whoever brings the paper.

    `origin` is one of `Voucher.Origin`, `last_date` the last gaming day on which it is taken, ISO 8601.
    `approved_by_id` is the second person, who has signed `issue_signs`.

    :raises Malformed: no such amount, origin or date, or one of the past.
    :raises VoucherForTooLong: a date beyond what the house grants.
    :raises TooMuchAtOnce, NotInChips: no such amount is sold here.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    """
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    if origin not in Voucher.Origin.values:
        raise Malformed(field="origin")
    book = rule_book_in_force(command.room_id, at=command.at)[1]
    check_amount(command.room_id, Slip.Kind.BUY_IN, amount_cents, book, at=command.at)
    signs = issue_signs(amount_cents=amount_cents, origin=origin, last_date=last_date)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    room = lock_numbering(command.room_id)
    day = lock_open_day(room.pk)
    last = _date(last_date, day, days_max=book.cage.voucher_days_max)
    number = next_number(Voucher.objects.filter(room=room))
    open_accounts(room, "house", room.pk)
    transfer_id = post(
        room_id=room.pk,
        day_id=day.pk,
        kind="voucher_issued",
        lines=voucher_lines(amount_cents, room_id=room.pk),
        key=f"voucher.{number}",
        made_by_id=command.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"voucher": number},
    )
    voucher = Voucher.objects.create(
        room=room,
        number=number,
        check_letters=new_code()[:4],
        amount_cents=amount_cents,
        origin=origin,
        last_date=last,
        issued_at=command.at,
        issued_by_id=command.staff_id,
        approved_by_id=approved_by_id,
        transfer_id=transfer_id,
    )
    return Outcome(chain="vouchers", data=_data(voucher))


@service("cage.void_voucher")
def void_voucher(command: Command, *, voucher_id: int, reason: str, approved_by_id: int) -> Outcome:
    """
    Make a voucher void that nobody has brought: the house owes it no more. By two; `void_signs` is signed.

    :raises Malformed: no such reason.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NotFound: no such voucher.
    :raises VoucherSpent: it was taken, or has ended.
    """
    if reason not in Voucher.VoidReason.values:
        raise Malformed(field="reason")
    check_signed(command, approved_by_id, needs=NEEDS, signs=void_signs(voucher_id=voucher_id, reason=reason))
    day = lock_open_day(command.room_id)
    voucher = _lock(command.room_id, voucher_id)
    if voucher.state != "open":
        raise VoucherSpent(number=voucher.number)
    voucher.void_reason, voucher.void_approved_by_id = reason, approved_by_id
    _end(command, voucher, Voucher.EndedAs.VOID, day, approved_by_id=approved_by_id)
    return Outcome(chain="vouchers", data={**_data(voucher), "reason": reason})


@service("cage.note_voucher_print")
def note_voucher_print(command: Command, *, voucher_id: int) -> Outcome:
    """
    Note that a voucher's paper is printed: from the second time on it is a copy, numbered from 1, and says so.

    :raises NotFound: no such voucher.
    :raises VoucherSpent: it was taken, or has ended: there is no paper of it any more.
    """
    voucher = _lock(command.room_id, voucher_id)
    if voucher.state != "open":
        raise VoucherSpent(number=voucher.number)
    row = VoucherPrint.objects.create(
        voucher=voucher,
        number=voucher.printings.count() + 1,
        printed_at=command.at,
        printed_by_id=command.staff_id,
    )
    data = {"voucher_id": voucher.pk, "voucher_number": voucher.number, "prints": row.number, "copy": row.copy_number}
    return Outcome(chain=own_chain(command.by), data=data)


def voucher_of_paper(by: Actor, text: str, *, at: datetime) -> Voucher:
    """
    Return the voucher that a paper names as "12-RW4K", in whatever spelling. One query.

    Numbers follow each other, and four letters could be tried through: whoever names papers that are none waits.

    :raises VoucherUnknown: there is none such: the number alone will not do.
    :raises TooSoon: after wrong ones the next one waits.
    """
    tidy = re.sub(r"[^0-9A-Z]", "", text.upper())
    number, letters = tidy[:-4], tidy[-4:]
    # Ten digits may be more than the 32 bits of a number hold.
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise VoucherUnknown
    with code_tried("voucher", by=_named(by), at=at):
        voucher = Voucher.objects.filter(room_id=by.room_id, number=int(number), check_letters=letters).first()
        if voucher is None:
            raise VoucherUnknown
    return voucher


def _named(by: Actor) -> str:
    return f"staff.{by.staff_id}" if by.staff_id is not None else f"device.{by.device_id}.{by.token_id}"


def lock_for(slip: Slip, voucher_id: int | None, day: GamingDay) -> Voucher | None:
    """
    Lock the voucher by which a slip is to be paid, None where it is paid otherwise. The slip is locked.

    :raises VoucherNeeded: it is to be paid by a voucher, and none is named.
    :raises Malformed: it is not, and one is named.
    :raises NotFound, VoucherSpent, VoucherOver, VoucherOfOtherAmount: this one does not pay it.
    """
    if slip.method != VOUCHER:
        if voucher_id is not None:
            raise Malformed(field="voucher")
        return None
    if voucher_id is None:
        raise VoucherNeeded
    voucher = _lock(slip.room_id, voucher_id)
    check_pays(voucher, amount_cents=slip.amount_cents, on=day.date)
    return voucher


def check_pays(voucher: Voucher, *, amount_cents: int, on: date) -> None:
    """:raises VoucherSpent, VoucherOver, VoucherOfOtherAmount: a voucher does not pay this amount on this day."""
    if voucher.state != "open":
        raise VoucherSpent(number=voucher.number)
    if voucher.last_date < on:
        raise VoucherOver(number=voucher.number, date=voucher.last_date.isoformat())
    if voucher.amount_cents != amount_cents:
        raise VoucherOfOtherAmount(asked_cents=amount_cents, voucher_cents=voucher.amount_cents)


def take(voucher: Voucher | None, slip: Slip) -> None:
    """Note that a locked voucher has paid a slip, where one has."""
    if voucher is not None:
        voucher.taken_with = slip
        voucher.save(update_fields=["taken_with"])


def lock_taken(slip: Slip) -> Voucher | None:
    """Lock the voucher that has paid a locked slip, before anything is posted; None where none has."""
    if slip.method != VOUCHER:
        return None
    return Voucher.objects.select_for_update(no_key=True).get(taken_with=slip)


def give_back(voucher: Voucher | None) -> None:
    """Have the locked voucher that had paid a slip be open again, where one had: the slip is reversed."""
    if voucher is not None:
        voucher.taken_with = None
        voucher.save(update_fields=["taken_with"])


def _lock(room_id: int, voucher_id: int) -> Voucher:
    voucher = Voucher.objects.select_for_update(no_key=True).filter(room_id=room_id, id=voucher_id).first()
    if voucher is None:
        raise NotFound(what="voucher")
    return voucher


def _end(
    command: Command, voucher: Voucher, how: Voucher.EndedAs, day: GamingDay, *, approved_by_id: int | None = None
) -> None:
    """Post what a voucher promised back, and end it."""
    voucher.end_transfer_id = post(
        room_id=voucher.room_id,
        day_id=day.pk,
        kind=f"voucher_{how}",
        lines=voucher_lines(-voucher.amount_cents, room_id=voucher.room_id),
        key=f"voucher_end.{voucher.number}",
        made_by_id=command.by.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"voucher": voucher.number},
    )
    voucher.ended_as, voucher.ended_at, voucher.ended_by_id = how, command.ends(voucher.issued_at), command.by.staff_id
    voucher.save(
        update_fields=["ended_as", "ended_at", "ended_by", "void_reason", "void_approved_by", "end_transfer_id"]
    )


def _date(text: str, day: GamingDay, *, days_max: int) -> date:
    try:
        last = date.fromisoformat(text)
    except ValueError:
        raise Malformed(field="last_date") from None
    if last < day.date:
        raise Malformed(field="last_date")
    if (last - day.date).days > days_max:
        raise VoucherForTooLong(days=days_max)
    return last


def _data(voucher: Voucher) -> dict[str, object]:
    return {
        "voucher_id": voucher.pk,
        "voucher_number": voucher.number,
        "amount_cents": voucher.amount_cents,
        "origin": voucher.origin,
        "date": voucher.last_date.isoformat(),
    }


# ---- with the gaming day


def _over(room_id: int, day: GamingDay | None) -> QuerySet[Voucher]:
    open_ones = Voucher.objects.filter(room_id=room_id, taken_with=None, ended_as="")
    # By id: the day's end locks them in this order.
    return open_ones.filter(last_date__lte=day.date).order_by("id") if day else open_ones.none()


def _warning(room_id: int) -> str:
    count = _over(room_id, open_day(room_id)).count()
    text = ngettext(
        "%(count)s voucher is good until this day and ends with it.",
        "%(count)s vouchers are good until this day and end with it.",
        count,
    )
    return text % {"count": count} if count else ""


def _end_with_day(command: Command) -> dict[str, list[int]]:
    day, ended = open_day(command.room_id), []
    for voucher in _over(command.room_id, day).select_for_update(no_key=True):
        assert day is not None
        _end(command, voucher, Voucher.EndedAs.OVER, day)
        ended.append(voucher.pk)
    return {"vouchers": ended} if ended else {}


day_ends.register(day_ends.DayEnd(_warning, _end_with_day, page=("page.vouchers", "cage_vouchers")))
