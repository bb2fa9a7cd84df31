"""
A promotion's fund: steps for services inside their own transaction, and money that two managers put in or take out.

Whoever calls the steps holds the gaming day, then locks the fund, and only then posts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.chart import PostingLine
from casino.ledger.services import open_accounts, post, reverse
from casino.people.services.signatures import check_signed
from casino.promotions.chart import OWNER, of_fund
from casino.promotions.errors import FundTooSmall
from casino.promotions.models import Fund
from casino.promotions.push import NEWS
from casino.promotions.selectors.funds import figures
from casino.promotions.terms import promotion_of
from casino.rooms.selectors import lock_open_day, room_of, rule_book_in_force

# What whoever signs under a fund must be allowed to do; whoever asks is a manager too.
NEEDS = "promotions.sign_fund"


def fund_signs(promotion: str, *, version: int, amount_cents: int, takes_out: bool) -> str:
    """Return what is signed: which promotion, as it stands, and how much the house puts in or takes out."""
    return f"change_fund.{promotion}.{version}.{-amount_cents if takes_out else amount_cents}"


@service("promotions.change_fund")
def change_fund(
    command: Command,
    *,
    promotion: str,
    version: int,
    amount_cents: int,
    approved_by_id: int,
    takes_out: bool = False,
) -> Outcome:
    """
    Put the house's money into a promotion's fund, or take out of it what no period has promised, and is carried to
    none: that can be taken out once the book has the promotion no more.

    `version` is the fund's, 0 where there is none yet. `approved_by_id` has signed `fund_signs`
    (`people.services.second_person`, before this command).

    :raises Malformed: the amount is nothing.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NoOpenDay, Stale: as they say.
    :raises NoPromotion: money is put in for none of the book's.
    :raises NotFound: there is no fund to take it out of.
    :raises FundTooSmall: it is more than is free.
    """
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    signs = fund_signs(promotion, version=version, amount_cents=amount_cents, takes_out=takes_out)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    if not takes_out:
        _make(command, promotion)
    fund = lock_fund(command.room_id, promotion, version=version)
    if takes_out:
        _let_go(command, fund)
        check_covers(fund, amount_cents)
    cents = -amount_cents if takes_out else amount_cents
    step(fund)
    lines = [of_fund(fund.pk, "free", cents), of_fund(fund.pk, "put_in", -cents)]
    move(command, fund, day_id=day.pk, kind="promotion_fund", lines=lines, approved_by_id=approved_by_id)
    data = {"amount_cents": amount_cents, "approved_by_id": approved_by_id, "takes_out": takes_out}
    return done(fund, data)


def _make(command: Command, code: str) -> None:
    """Make the fund of a promotion where there is none. :raises NoPromotion: the book in force has none such."""
    promotion_of(rule_book_in_force(command.room_id, at=command.at)[1], code)
    fund, is_new = Fund.objects.get_or_create(room_id=command.room_id, code=code, defaults={"made_at": command.at})
    if is_new:
        open_accounts(room_of(command.room_id), OWNER, fund.pk)


def _let_go(command: Command, fund: Fund) -> None:
    """Carry nothing any more to a promotion that the book in force has no more: there comes no period to pay it."""
    _version_id, book = rule_book_in_force(command.room_id, at=command.at)
    if fund.code not in {each.code for each in book.promotions}:
        fund.carried_cents = 0


def lock_fund(room_id: int, code: str, *, version: int | None = None) -> Fund:
    """
    Lock a promotion's fund, and return it. One query.

    :raises NotFound: it has none.
    :raises Stale: something was done to the promotion since `version`.
    """
    fund = Fund.objects.select_for_update(no_key=True).filter(room_id=room_id, code=code).first()
    if fund is None:
        raise NotFound(what="fund")
    if version is not None and fund.version != version:
        raise Stale(what="fund", version=fund.version)
    return fund


def check_covers(fund: Fund, cents: int) -> None:
    """
    Let an amount pass that is free in the locked fund, and carried to no period. One query.

    :raises FundTooSmall: less is.
    """
    free = figures(fund)["free"] - fund.carried_cents
    if free < cents:
        raise FundTooSmall(free_cents=free, needed_cents=cents)


def step(fund: Fund) -> None:
    """Give the locked fund its next version, and keep what is carried."""
    fund.version += 1
    fund.save(update_fields=["version", "carried_cents"])


def move(
    command: Command,
    fund: Fund,
    *,
    day_id: int,
    kind: str,
    lines: Sequence[PostingLine],
    approved_by_id: int | None = None,
    about: Mapping[str, Any] | None = None,
) -> int:
    """Post what one step does with the fund's money, and return the transfer's id."""
    return post(
        room_id=fund.room_id,
        day_id=day_id,
        kind=kind,
        lines=lines,
        key=f"promotion.{fund.pk}.{fund.version}",
        made_by_id=command.by.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"fund": fund.pk, **(about or {})},
    )


def move_back(
    command: Command, fund: Fund, transfer_id: int, *, day_id: int, approved_by_id: int, about: Mapping[str, Any]
) -> int:
    """Reverse what an earlier step did with the fund's money, signed by two, and return the new transfer's id."""
    return reverse(
        room_id=fund.room_id,
        day_id=day_id,
        transfer_id=transfer_id,
        key=f"promotion.{fund.pk}.{fund.version}.back",
        made_by_id=command.by.staff_id,
        at=command.at,
        about={"fund": fund.pk, **about},
        approved_by_id=approved_by_id,
    )


def done(fund: Fund, data: Mapping[str, Any], *, audiences: Sequence[str] = ()) -> Outcome:
    """Return what became of a command about a promotion, which whoever shows promotions hears."""
    return Outcome(
        chain=fund.chain,
        data={"promotion": fund.code, **data},
        version=fund.version,
        audiences=(NEWS, *audiences),
    )
