"""One movement over the counter, read from a window's form, for the question before money moves."""

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from casino.cage import rules
from casino.cage.api.bodies import CashierBuyInBody, NotesBody, TakeMoneyBody
from casino.cage.models import Slip
from casino.cage.selectors.slips import slip_of
from casino.errors import Malformed, NotFound
from casino.people.inputs import read_on_page
from casino.people.models import Player
from casino.people.standing import player_of
from casino.rest import Cents, Id, Whole


@dataclass(frozen=True)
class Movement:
    """
    One movement as it was typed: `slip` is the waiting slip it pays, if it pays one; `voucher` as on its paper;
    `foreign` the notes that pay, whose amount may be nothing: then it is all that they buy.
    """

    kind: str
    amount_cents: int
    method: str
    player: Player | None
    slip: Slip | None
    version: int | None
    voucher: str = ""
    foreign: dict[str, Any] | None = None

    @property
    def player_id(self) -> int | None:
        return self.player.pk if self.player else None


class AtCounterBody(CashierBuyInBody):
    """
    What a window's form says before it is tapped: the fields of a sale, and which kind of movement it is to be.

    Each kind's own call takes a part of them within the same bounds, but for who signs. A prize is paid by its slip.
    """

    kind = serializers.ChoiceField([kind for kind in rules.METHODS if kind != Slip.Kind.PRIZE])
    amount_cents = Cents(min_value=1, allow_null=True, default=None)
    # At which rate they pay is what the question answers, and not what the page says.
    foreign = NotesBody(allow_null=True, default=None)  # type: ignore[assignment]  # less than the tap says of them


class OfSlipBody(TakeMoneyBody):
    """What a window's form says of a waiting slip before it is paid."""

    slip_id = Id()
    version = Whole(min_value=0, allow_null=True, default=None)
    foreign = NotesBody(allow_null=True, default=None)  # type: ignore[assignment]  # as above


def read_movement(form: QueryDict, room_id: int, *, drawer_number: int) -> Movement:
    """
    Read the form of a drawer's window.

    A slip that was paid meanwhile is the service's to refuse: the same tap, sent again, gets its first answer.

    :raises Malformed: a field is missing or cannot be read.
    :raises NotFound: no such player or slip.
    """
    if form.get("slip_id"):
        return _of_slip(read_on_page(OfSlipBody, {**OfSlipBody.of_form(form), "drawer_number": drawer_number}), room_id)
    fields = read_on_page(AtCounterBody, AtCounterBody.of_form(form))
    kind, player_id, amount_cents = fields["kind"], fields["player_id"], fields["amount_cents"]
    method = _method(kind, fields)
    if amount_cents is None and method != rules.FOREIGN:
        raise Malformed(field="amount_cents")
    player = None if player_id is None else player_of(room_id, player_id)
    return Movement(kind, amount_cents or 0, method, player, None, None, **_paid_by(fields))


def _of_slip(fields: dict[str, Any], room_id: int) -> Movement:
    slip = slip_of(room_id, fields["slip_id"])
    if slip is None:
        raise NotFound(what="slip")
    method = _method(slip.kind, fields)
    return Movement(slip.kind, slip.amount_cents, method, slip.player, slip, fields["version"], **_paid_by(fields))


def _method(kind: str, fields: dict[str, Any]) -> str:
    """Return how it is paid. :raises Malformed: nothing of this kind is paid so."""
    if fields["method"] not in rules.METHODS[kind]:
        raise Malformed(field="method")
    return str(fields["method"])


def _paid_by(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the paper and the notes that pay, where something pays by them."""
    notes = fields["foreign"] if fields["method"] == rules.FOREIGN else None
    return {"voucher": (fields["voucher"] or "").upper(), "foreign": notes}
