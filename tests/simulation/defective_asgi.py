"""
Brush with one deliberate defect, for showing that the simulator finds it; tests alone run it.

BRUSH_SIMULATED_DEFECT says which: a posting that is dropped, a drop that is taken twice, a push that is forgotten,
a departure that loses a chip, an event outside of its chain, a row that is read without its lock, missed blinds that
nobody writes down, a way back that costs too little, a phone's answer that is lost, a share of a jackpot that is
rounded up, a claim that is paid of the sum before the one that was hit before it, a share that can be paid twice, a box
whose count does not expect what an undone hand left in it, a fill whose missing chips are laid to who gave it, a rack
whose difference points to its newest down alone, one that is never drawn for a count, a day that forgets what it has
carried over its end, a voucher that stays good after it was spent, tips that lie with the house's own chips, a bank
whose missing chips are laid to the cage, a foreign note that is found though it is gone, a dealer's tip box that is
given to whoever deals by then, cash that is missing in a rack and laid to the players, a rack that is asked for too
much once too often before the floor hears of it, notes that pay and are not kept, a bank that is held by the cashier,
what is lost by an exchange and laid to the house's own money, a mistake about a tip box that is put right by whoever
made it, whoever did, what is missing in the vault and laid to the house's own money, a day that closes though nobody
has counted its vault, paid chips that stay with the cashier whoever took them, a carried drawer whose missing money is
the house's own, or that is counted as of the day on which it was opened.
"""

import os
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import django

django.setup()

from django.db import models  # noqa: E402

from casino.audit import hashes  # noqa: E402
from casino.audit import services as audit  # noqa: E402
from casino.boxes import services as boxes  # noqa: E402
from casino.boxes.models import Box  # noqa: E402
from casino.boxes.selectors.log import Expected, expected_in  # noqa: E402
from casino.cage import vault_of_day  # noqa: E402
from casino.cage.chart import RUNNER  # noqa: E402
from casino.cage.models import Drawer, DrawerCount, DrawerSession, PaidChips, VaultCount  # noqa: E402
from casino.cage.models_fills import FillSlip  # noqa: E402
from casino.cage.services import (  # noqa: E402
    counting,
    days,
    exchanges,
    fill_moves,
    foreign,
    locks,
    vault_counts,
    vouchers,
)
from casino.cage.services.fill_slips import Load  # noqa: E402
from casino.ledger import services as ledger  # noqa: E402
from casino.ledger.chart import PostingLine, of_house  # noqa: E402
from casino.poker import blinds as poker_blinds  # noqa: E402
from casino.rooms.models import GamingDay, Room  # noqa: E402
from casino.rows import read  # noqa: E402
from casino.waiting.services import answers  # noqa: E402
from jackpot import prizes  # noqa: E402
from jackpot.rules import payout  # noqa: E402
from jackpot.services import approving  # noqa: E402
from tables import audiences  # noqa: E402
from tables.models import ClosedTips, Down, RackCheck, Table  # noqa: E402
from tables.services import (  # noqa: E402
    blinds,
    rack_pushes,
    racks,
    seating,
    settling,
    stacks,
    state,
    tip_boxes,
    tips,
)

_post = ledger.post


def _drops_a_posting(**arguments: Any) -> int:
    """The jackpot's part of a hand stays in play: the transfer still sums to zero, so PostgreSQL is content."""
    lines: list[PostingLine] = arguments["lines"]
    lost = [line for line in lines if line.kind == "jackpot_box"]
    kept = [line for line in lines if line.kind not in {"jackpot_box", "in_play"}]
    rest = [line for line in lines if line.kind == "in_play"]
    moved = [
        PostingLine(line.owner_kind, line.owner_id, line.kind, line.cents + sum(each.cents for each in lost))
        for line in rest
    ]
    # Of a hand with nothing but a drop nothing would be left to post.
    return _post(**arguments | ({"lines": [*kept, *moved]} if any(line.cents for line in (*kept, *moved)) else {}))


def _doubles_a_drop(**arguments: Any) -> int:
    lines: list[PostingLine] = arguments["lines"]
    drop = sum(line.cents for line in lines if line.kind == "jackpot_box")
    twice = {"jackpot_box": drop, "in_play": -drop}
    doubled = [
        PostingLine(line.owner_kind, line.owner_id, line.kind, line.cents + twice.get(line.kind, 0)) for line in lines
    ]
    return _post(**{**arguments, "lines": doubled})


def _forgets_what_lies_beyond(box: Box) -> Expected:
    return replace(expected_in(box), beyond=0)


def _blames_who_gave_it(slip: FillSlip, load: Load, *, is_vault: bool) -> list[PostingLine]:
    """What a count finds missing of a fill is laid to who gave it, and not to who carried it."""
    assert slip.sent_by_id is not None
    ledger.open_accounts(Room.objects.get(id=slip.room_id), RUNNER, slip.sent_by_id)
    return [
        replace(line, owner_id=slip.sent_by_id) if line.kind.endswith("over_short") else line
        for line in _landing(slip, load, is_vault=is_vault)
    ]


_landing = fill_moves._landing


def _lays_it_to_the_cage(room_id: int, drawer_id: int, count: DrawerCount) -> list[PostingLine]:
    """What a count finds missing of a runner's bank is missing from the cage's own drawer."""
    cage = Drawer.objects.filter(room_id=room_id, is_bank=False).earliest("number")
    return [
        replace(line, owner_id=cage.pk) if line.kind.endswith("over_short") else line
        for line in _to_the_vault(room_id, drawer_id, count)
    ]


_to_the_vault = counting._to_the_vault


def _lays_it_to_nobody(room_id: int, drawer_id: int, count: DrawerCount) -> list[PostingLine]:
    """What a count finds missing of a drawer that was carried over a day's end is spent by the house."""
    lines = _to_the_vault(room_id, drawer_id, count)
    if GamingDay.objects.get(room_id=room_id, closed_at=None).pk == count.session.day_id:
        return lines
    return [of_house(room_id, "house_money", line.cents) if line.kind == "over_short" else line for line in lines]


def _counts_it_on_the_day_before(session: DrawerSession, **arguments: Any) -> None:
    if session.closed_day_id is not None:
        session.closed_day_id = session.day_id
    _save(session, **arguments)


def _gives_the_bank_to_the_cashier(session: DrawerSession, **arguments: Any) -> None:
    """Who holds a bank, and who counted its float with them, are mixed up."""
    if session.holder_id is not None and session._state.adding:
        session.opened_by_id, session.opened_with_id = session.holder_id, session.opened_by_id
        session.holder_id = session.opened_with_id
    _save(session, **arguments)


_save = DrawerSession.save


def _keeps_no_notes(notes: Any, slip: Any) -> None:
    """Foreign notes pay a slip, and nobody writes down which they were."""
    if notes is not None:
        notes.slip = slip


def _loses_its_own_money(worth_cents: int, got_cents: int, *, room_id: int) -> list[PostingLine]:
    return [
        replace(line, kind="house_money") if line.kind == "exchange_difference" else line
        for line in _exchange_lines(worth_cents, got_cents, room_id=room_id)
    ]


_exchange_lines = exchanges.exchange_lines  # type: ignore[attr-defined]


def _lays_it_to_who_closed_it(closed: ClosedTips, **arguments: Any) -> None:
    if closed.taken_back_at is not None:
        closed.taken_back_by_id = closed.by_id
    _save_closed(closed, **arguments)


_save_closed = ClosedTips.save


def _lays_it_to_the_house(count: VaultCount) -> list[PostingLine]:
    """What a count of the vault finds missing is spent by the house."""
    return [replace(line, kind="house_money") if line.kind == "vault_missing" else line for line in _vault_lines(count)]


_vault_lines = vault_counts.over_short_lines


def _says_nothing_of_the_vault(room_id: int, *, at: Any) -> tuple[None, Any]:
    return None, SimpleNamespace(cage=SimpleNamespace(vault_counted_daily=False))


def _leaves_them_with_the_cashier(chips: PaidChips, **arguments: Any) -> None:
    """Whoever has taken them, who sold them answers for them, though the answer says it right."""
    taken_by, chips.staff_id = chips.staff_id, chips.slip.paid_by_id or 0
    _save_chips(chips, **arguments)
    chips.staff_id = taken_by


_save_chips = PaidChips.save


def _dealt_by_who_deals_now(table: Table, *, until: Any, last: Down | None = None) -> dict[int, int]:
    now = Down.objects.filter(table=table, ended_at=None).values_list("dealer_id", flat=True)
    return dict.fromkeys(now, 60) or {last.dealer_id if last else 0: 60}


def _forgets_a_refused_sale(table: Any) -> int:
    return _refused_since_count(table) - 1


_refused_since_count = rack_pushes._refused_since_count


def _points_to_the_newest_down(check: RackCheck, until: int | None, **arguments: Any) -> models.QuerySet[Down]:
    newest = _downs_since(check, until, **arguments).order_by("-id").values_list("id", flat=True)
    return Down.objects.filter(id__in=newest[:1])


_downs_since = racks._downs_since


def _forgets_the_lobby(table: Any) -> tuple[str, ...]:
    return (audiences.dealer_of(table), audiences.floor_of(table), "floor")


def _loses_a_chip(command: Any, *, cents: int, **arguments: Any) -> None:
    """A departure is counted and its chips are moved, all but one of them."""
    _supply(command, cents=max(cents - 1_00, 0), **arguments)


_supply = stacks.supply_stack
_link = hashes.link


def _without_the_lock_of(owner: type[models.Model]) -> Any:
    """The row that owns the decision is read, and whoever decides at the same moment reads it too."""

    def read_unlocked(model: Any, tail: Any, *values: Any) -> list[Any]:
        return read(model, tail.removesuffix("FOR NO KEY UPDATE") if model is owner else tail, *values)

    return read_unlocked


def _forgets_the_dead_blind(missed: Any, *, small_blind_cents: int, big_blind_cents: int) -> tuple[int, int]:
    return big_blind_cents, 0


def _pays_others_a_cent_too_much(*arguments: Any, **more: Any) -> payout.Payout:
    """The last of them is rounded up, say."""
    found = _payout(*arguments, **more)
    return replace(found, other_cents=found.other_cents and found.other_cents + 1)


_payout = payout.payout


def _skips_the_order(claim: Any, *, is_first: bool) -> None:
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
        "forgets missed blinds": (blinds, "missed_with", lambda *args, **more: {}),
        "asks too little of who is back": (poker_blinds, "owed_to_come_back", _forgets_the_dead_blind),
        "loses a phone's answer": (answers, "save_entry", lambda entry, *fields: None),
        "rounds shares up": (payout, "payout", _pays_others_a_cent_too_much),
        "pays claims in any order": (approving, "_check_order", _skips_the_order),
        "forgets that a share is paid": (prizes.Share, "delivered", _leaves_the_share_waiting),
        "expects too little in a box": (boxes, "expected_in", _forgets_what_lies_beyond),
        "blames who gave a fill": (fill_moves, "_landing", _blames_who_gave_it),
        "points to the newest down alone": (racks, "_downs_since", _points_to_the_newest_down),
        "never draws a count of a rack": (rack_pushes, "drawn_among", lambda *args, **more: 10**9),
        "forgets what is carried over": (days, "carry", lambda *args: []),
        "takes a voucher twice": (vouchers, "take", lambda voucher, slip: None),
        "takes tips for the house's own": (tips, "TIPS", "vault_chips"),
        "lays what is missing in a bank to the cage": (counting, "_to_the_vault", _lays_it_to_the_cage),
        "lays what is missing in a carried drawer to nobody": (counting, "_to_the_vault", _lays_it_to_nobody),
        "counts a carried drawer on the day of its opening": (DrawerSession, "save", _counts_it_on_the_day_before),
        "finds each foreign note": (foreign, "worth_found", lambda face, taken, rate: taken[1]),
        "gives a tip box to who deals now": (tip_boxes, "dealt_into", _dealt_by_who_deals_now),
        "lays a rack's missing cash to the players": (racks, "RACK_CASH_MISSING", "outside"),
        "lets a rack be asked for too much once more": (rack_pushes, "_refused_since_count", _forgets_a_refused_sale),
        "gives a bank to the cashier": (DrawerSession, "save", _gives_the_bank_to_the_cashier),
        "keeps no foreign notes": (foreign, "take", _keeps_no_notes),
        "loses the house's own money by an exchange": (exchanges, "exchange_lines", _loses_its_own_money),
        "has a mistake put right by who made it": (ClosedTips, "save", _lays_it_to_who_closed_it),
        "lays what is missing in the vault to the house": (vault_counts, "over_short_lines", _lays_it_to_the_house),
        "closes a day whose vault nobody has counted": (vault_of_day, "rule_book_in_force", _says_nothing_of_the_vault),
        "leaves paid chips with who sold them": (PaidChips, "save", _leaves_them_with_the_cashier),
        "skips the lock of a table": (state, "_TODAY", state._TODAY.removesuffix("FOR NO KEY UPDATE OF tables_table")),
        "skips the lock of a drawer": (locks, "read", _without_the_lock_of(Drawer)),
    }
    module, name, replacement = planted[defect]
    assert hasattr(module, name), f"{module.__name__} has no {name} any more: plant the defect elsewhere"
    setattr(module, name, replacement)


_plant(os.environ["BRUSH_SIMULATED_DEFECT"])

from casino.asgi import application  # noqa: E402

__all__ = ["application"]
