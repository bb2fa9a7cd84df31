"""One movement over the counter, read from a window's form, for the question before money moves."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from casino.cage import rules
from casino.cage.models import Slip
from casino.cage.selectors import slip_of
from casino.errors import Malformed, NotFound
from casino.money import cents_from_text
from casino.people.models import Player
from casino.people.standing import player_of


@dataclass(frozen=True)
class Movement:
    """One movement as it was typed: `slip` is the waiting slip it pays, if it pays one; `voucher` as on its paper."""

    kind: str
    amount_cents: int
    method: str
    player: Player | None
    slip: Slip | None
    version: int | None
    voucher: str = ""

    @property
    def player_id(self) -> int | None:
        return self.player.pk if self.player else None


def read_movement(form: QueryDict, room_id: int) -> Movement:
    """
    Read the window's form.

    A slip that was paid meanwhile is the service's to refuse: the same tap, sent again, gets its first answer.

    :raises Malformed: a field is missing or cannot be read.
    :raises NotFound: no such player or slip.
    """
    if slip_id := _number(form, "slip_id"):
        slip = slip_of(room_id, slip_id)
        if slip is None:
            raise NotFound(what="slip")
        method = _choice(form, "method", rules.METHODS[slip.kind])
        return Movement(slip.kind, slip.amount_cents, method, slip.player, slip, _number(form, "version"), _paper(form))
    player_id = _number(form, "player_id")
    # A prize is paid by its slip alone.
    kind = _choice(form, "kind", tuple(kind for kind in rules.METHODS if kind != Slip.Kind.PRIZE))
    return Movement(
        kind=kind,
        amount_cents=_amount(form),
        method=_choice(form, "method", rules.METHODS[kind]),
        player=None if player_id is None else player_of(room_id, player_id),
        slip=None,
        version=None,
        voucher=_paper(form),
    )


def _choice(form: QueryDict, field: str, choices: tuple[str, ...] | Mapping[str, object]) -> str:
    text = form.get(field) or ""
    if text not in choices:
        raise Malformed(field=field)
    return text


def _paper(form: QueryDict) -> str:
    return (form.get("voucher") or "").strip().upper()[:20]


def _number(form: QueryDict, field: str) -> int | None:
    text = form.get(field) or ""
    if text and not (text.isdecimal() and len(text) < 19):
        raise Malformed(field=field)
    return int(text) if text else None


def _amount(form: QueryDict) -> int:
    try:
        cents = cents_from_text(form.get("amount") or "")
    except ValueError:
        raise Malformed(field="amount") from None
    if not 0 < cents < 10**10:
        raise Malformed(field="amount")
    return cents
