"""One movement over the counter, read from a window's form, for the question before money moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from casino.cage import rules
from casino.cage.api.bodies import NotesBody
from casino.cage.models import Slip
from casino.cage.selectors import slip_of
from casino.errors import Malformed, NotFound
from casino.money import cents_from_text
from casino.people.inputs import read_on_page
from casino.people.models import Player
from casino.people.standing import player_of


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
        version, paper, notes = _number(form, "version"), _paper(form), _notes(form, method)
        return Movement(slip.kind, slip.amount_cents, method, slip.player, slip, version, paper, notes)
    player_id = _number(form, "player_id")
    # A prize is paid by its slip alone.
    kind = _choice(form, "kind", tuple(kind for kind in rules.METHODS if kind != Slip.Kind.PRIZE))
    method = _choice(form, "method", rules.METHODS[kind])
    is_all = method == rules.FOREIGN and not (form.get("amount") or "").strip()
    return Movement(
        kind=kind,
        amount_cents=0 if is_all else _amount(form),
        method=method,
        player=None if player_id is None else player_of(room_id, player_id),
        slip=None,
        version=None,
        voucher=_paper(form),
        foreign=_notes(form, method),
    )


def _choice(form: QueryDict, field: str, choices: tuple[str, ...] | Mapping[str, object]) -> str:
    text = form.get(field) or ""
    if text not in choices:
        raise Malformed(field=field)
    return text


def _paper(form: QueryDict) -> str:
    return (form.get("voucher") or "").strip().upper()[:20]


def _notes(form: QueryDict, method: str) -> dict[str, Any] | None:
    found = NotesBody.of_form(form) if method == rules.FOREIGN else {}
    return read_on_page(NotesBody, found) if found else None


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
