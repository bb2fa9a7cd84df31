"""Fill slips for tests: asked for, authorised, given to a runner, counted by two."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from casino.cage.models import Slip
from casino.cage.models_fills import FillSlip
from casino.cage.services import (
    authorise_fill,
    deliver_fill,
    fill_drawer,
    refuse_fill,
    request_fill,
    return_fill,
    return_to_vault,
    verify_fill,
)
from casino.cage.services.fill_moves import NEEDS_TO_CARRY, NEEDS_TO_COUNT, carry_signs, count_signs
from casino.cage.services.fills import NEEDS, signs_for
from casino.commands.carrying_out import Answer, Command
from casino.people.models import Staff
from casino.people.services import second_person
from tests.cage.counting import CHIPS, pieces, signed
from tests.cast import TONIGHT, Cast, command, demo_person


class Filling:
    """Who does what with fill slips: Carla asks, Frans authorises, she gives it to Dan, and counts it with Frans."""

    def __init__(self, cast: Cast, *, at: datetime = TONIGHT) -> None:
        self.cast, self.at = cast, at

    def asks(
        self, cash: int = 0, chips: int = 0, *, kind: str = "fill", at: tuple[str, int] = ("drawer", 1), **more: Any
    ) -> FillSlip:
        by = more.pop("by", self.cast.carla)
        arguments = {"kind": kind, "place_kind": at[0], "place_number": at[1], **load(cash, chips)}
        return slip_of(request_fill(self.command(by), **arguments))

    def authorises(self, slip: FillSlip, by: Staff | None = None) -> FillSlip:
        return slip_of(authorise_fill(self.command(by or self.cast.frans), fill_id=slip.pk))

    def refuses(self, slip: FillSlip, reason: str = "not_needed", by: Staff | None = None) -> FillSlip:
        return slip_of(refuse_fill(self.command(by or self.cast.frans), fill_id=slip.pk, reason=reason))

    def authorised(self, cash: int = 0, chips: int = 0, **more: Any) -> FillSlip:
        return self.authorises(self.asks(cash, chips, **more))

    def sends(
        self, slip: FillSlip, cash: int = 0, chips: int = 0, *, by: Staff | None = None, runner: Staff | None = None
    ) -> FillSlip:
        runner, loaded = runner or self.cast.dan, load(cash, chips)
        signing = self.signed(by or self.cast.carla, runner, NEEDS_TO_CARRY, carry_signs(slip.pk, **loaded))
        return slip_of(deliver_fill(signing, fill_id=slip.pk, approved_by_id=runner.pk, **loaded))

    def sent(self, cash: int = 0, chips: int = 0, **more: Any) -> FillSlip:
        return self.sends(self.authorised(cash, chips, **more), cash, chips)

    def counts(
        self,
        slip: FillSlip,
        cash: int = 0,
        chips: int = 0,
        *,
        by: Staff | None = None,
        second: Staff | None = None,
        reason: str = "",
    ) -> FillSlip:
        by, second, loaded = by or self.cast.carla, second or self.cast.frans, load(cash, chips)
        signing = self.signed(by, second, NEEDS_TO_COUNT, count_signs(slip.pk, **loaded))
        arguments: dict[str, Any] = {"fill_id": slip.pk, "approved_by_id": second.pk, **loaded}
        return slip_of(
            return_fill(signing, reason=reason, **arguments) if reason else verify_fill(signing, **arguments)
        )

    def command(self, by: Staff) -> Command:
        return command(by, at=self.at)

    def signed(self, by: Staff, second: Staff, needs: str, signs: str) -> Command:
        signing = self.command(by)
        # Whoever else works here has Frans's PIN.
        name = second.username if second.username in self.cast.staff else "frans"
        second_person(signing, username=second.username, pin=demo_person(name).pin, needs=needs, signs=signs)
        return signing


def filled_at_once(
    by: Staff,
    second: Staff,
    drawer_id: int,
    cents: int,
    what: str = "cash",
    *,
    kind: str = "fill",
    at: datetime = TONIGHT,
) -> Slip:
    """Have two bring so much between the vault and a drawer in one step, where the book lets them."""
    answer = filling_at_once(by, second, drawer_id, cents, what, kind=kind, at=at)()
    return Slip.objects.get(id=answer.data["slip_id"])


def filling_at_once(
    by: Staff,
    second: Staff,
    drawer_id: int,
    cents: int,
    what: str = "cash",
    *,
    kind: str = "fill",
    at: datetime = TONIGHT,
) -> Callable[[], Answer]:
    """Return such a fill, signed and ready to be sent."""
    signs = signs_for(kind, drawer_id=drawer_id, what=what, amount_cents=cents)
    signing = signed(by, second, signs, needs=NEEDS, at=at)
    work = {"fill": fill_drawer, "credit": return_to_vault}[kind]
    return partial(work, signing, drawer_id=drawer_id, amount_cents=cents, what=what, approved_by_id=second.pk)


def load(cash: int = 0, chips: int = 0) -> dict[str, Any]:
    """Return what a call says of so much."""
    return {"cash": pieces(cash), "chips": pieces(chips, CHIPS)}


def slip_of(answer: Answer) -> FillSlip:
    return FillSlip.objects.get(id=answer.data["fill_id"])
