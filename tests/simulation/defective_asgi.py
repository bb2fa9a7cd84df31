"""
Brush with one deliberate defect, for showing that the simulator finds it; tests alone run it.

BRUSH_SIMULATED_DEFECT says which: a posting that is dropped, a drop that is taken twice, a push that is forgotten,
a departure that loses a chip, an event outside of its chain, a row that is read without its lock, missed blinds that
nobody writes down, a way back that costs too little, a phone's answer that is lost, a share of a jackpot that is
rounded up, a claim that is paid of the sum before the one that was hit before it, a share that can be paid twice, a box
whose count does not expect what an undone hand left in it.
"""

import os
from dataclasses import replace
from typing import Any

import django

django.setup()

from django.db import models  # noqa: E402

from casino.audit import services as audit  # noqa: E402
from casino.boxes import services as boxes  # noqa: E402
from casino.boxes.log import Expected, expected_in  # noqa: E402
from casino.boxes.models import Box  # noqa: E402
from casino.cage.models import Drawer  # noqa: E402
from casino.ledger import services as ledger  # noqa: E402
from casino.ledger.chart import PostingLine  # noqa: E402
from casino.poker import blinds as poker_blinds  # noqa: E402
from casino.rows import read  # noqa: E402
from casino.waiting.services import answers  # noqa: E402
from jackpot import prizes  # noqa: E402
from jackpot.rules import payout  # noqa: E402
from jackpot.services import approving  # noqa: E402
from tables import audiences  # noqa: E402
from tables.models import Table  # noqa: E402
from tables.services import blinds, seating, settling, stacks, state  # noqa: E402

_post = ledger.post


def _drops_a_posting(**said: Any) -> int:
    """The jackpot's part of a hand stays in play: the transfer still sums to zero, so PostgreSQL is content."""
    lines: list[PostingLine] = said["lines"]
    lost = [line for line in lines if line.kind == "jackpot_box"]
    kept = [line for line in lines if line.kind not in {"jackpot_box", "in_play"}]
    rest = [line for line in lines if line.kind == "in_play"]
    moved = [
        PostingLine(line.owner_kind, line.owner_id, line.kind, line.cents + sum(each.cents for each in lost))
        for line in rest
    ]
    return _post(**{**said, "lines": [*kept, *moved]})


def _doubles_a_drop(**said: Any) -> int:
    lines: list[PostingLine] = said["lines"]
    drop = sum(line.cents for line in lines if line.kind == "jackpot_box")
    twice = {"jackpot_box": drop, "in_play": -drop}
    doubled = [
        PostingLine(line.owner_kind, line.owner_id, line.kind, line.cents + twice.get(line.kind, 0)) for line in lines
    ]
    return _post(**{**said, "lines": doubled})


def _forgets_what_lies_beyond(box: Box) -> Expected:
    return replace(expected_in(box), beyond=0)


def _forgets_the_lobby(table: Any) -> tuple[str, ...]:
    return (audiences.dealer_of(table), audiences.floor_of(table), "floor")


def _loses_a_chip(command: Any, *, cents: int, **said: Any) -> None:
    """A departure is counted and its chips are moved, all but one of them."""
    _supply(command, cents=max(cents - 1_00, 0), **said)


_supply = stacks.supply_stack
_link = audit.link
_lock = models.QuerySet.select_for_update


def _without_the_lock_of(model: type[models.Model]) -> Any:
    """The row that owns the decision is read, and whoever decides at the same moment reads it too."""

    def select_for_update(rows: Any, *args: Any, **said: Any) -> Any:
        return rows.all() if rows.model is model else _lock(rows, *args, **said)

    return select_for_update


def _reads_a_table_without_its_lock(model: Any, tail: Any, *values: Any) -> list[Any]:
    return read(model, tail.removesuffix("FOR NO KEY UPDATE") if model is Table else tail, *values)


def _forgets_the_dead_blind(missed: Any, *, small_blind_cents: int, big_blind_cents: int) -> tuple[int, int]:
    return big_blind_cents, 0


def _pays_others_a_cent_too_much(*said: Any, **more: Any) -> payout.Payout:
    """The last of them is rounded up, say."""
    found = _payout(*said, **more)
    return replace(found, other_cents=found.other_cents and found.other_cents + 1)


_payout = payout.payout


def _takes_the_order_for_said(claim: Any, *, is_first: bool) -> None:
    """Whoever approves first is paid of the whole sum, whatever was hit before."""


def _leaves_the_share_waiting(share: Any, slip: Any, command: Any) -> None:
    """Nobody notes that it is paid."""


def _plant(defect: str) -> None:
    planted: dict[str, tuple[Any, str, Any]] = {
        "drops a posting": (settling, "post", _drops_a_posting),
        "doubles a drop": (settling, "post", _doubles_a_drop),
        "forgets a push": (state, "of_table", _forgets_the_lobby),
        "links to nothing": (audit, "link", lambda previous, text: _link("", text)),
        "loses a chip": (seating, "supply_stack", _loses_a_chip),
        "forgets missed blinds": (blinds, "missed_with", lambda *said, **more: {}),
        "asks too little of who is back": (poker_blinds, "owed_to_come_back", _forgets_the_dead_blind),
        "loses a phone's answer": (answers, "save_entry", lambda entry, *fields: None),
        "rounds shares up": (payout, "payout", _pays_others_a_cent_too_much),
        "pays claims in any order": (approving, "_check_order", _takes_the_order_for_said),
        "forgets that a share is paid": (prizes.Share, "delivered", _leaves_the_share_waiting),
        "expects too little in a box": (boxes, "expected_in", _forgets_what_lies_beyond),
        "skips the lock of a table": (state, "read", _reads_a_table_without_its_lock),
        "skips the lock of a drawer": (models.QuerySet, "select_for_update", _without_the_lock_of(Drawer)),
    }
    module, name, replacement = planted[defect]
    assert hasattr(module, name), f"{module.__name__} has no {name} any more: plant the defect elsewhere"
    setattr(module, name, replacement)


_plant(os.environ["BRUSH_SIMULATED_DEFECT"])

from casino.asgi import application  # noqa: E402

__all__ = ["application"]
