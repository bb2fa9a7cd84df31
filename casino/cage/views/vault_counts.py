"""The vault's page: the form by which two count it, what was counted before, and each count with its paper."""

from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.api.vault import CountVault, count_vault_by_two
from casino.cage.models import VaultCount
from casino.cage.selectors.drawers import values_counted
from casino.cage.selectors.foreign import note_texts, rates_of
from casino.cage.selectors.vault_counts import (
    KNOWS,
    counted_first_since,
    vault_count_by_id,
    vault_counts_of,
    vault_version,
)
from casino.cage.services import judge_vault
from casino.cage.services.vault_counts import NEEDS
from casino.commands.methods import require_POST, require_safe
from casino.money import format_cents
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.models import Room
from casino.rooms.selectors import open_day


@page("page.vault")
@require_safe
@never_cache
def counts_page(request: ActorRequest) -> HttpResponse:
    """The form of a count, which shows nothing of what is expected, and the newest counts."""
    assert request.room is not None
    by, room = actor_of(request), request.room
    values = values_counted(by.room_id, at=clock.now())
    context = {
        "day": open_day(by.room_id),
        "counts": vault_counts_of(by.room_id, most=30),
        "version": vault_version(by.room_id),
        "gives_nothing": counted_first_since(by.room_id, at=clock.now()) is not None,
        "note_values": values.cash,
        "chip_values": values.chips,
        "foreign_counted": [(each.currency, note_texts(each.currency, room)) for each in rates_of(by.room_id)],
        "counters": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
    }
    return render(request, "cage/vault_counts.html", context)


@page("cage.count_vault")
@require_POST
def count(request: ActorRequest) -> HttpResponse:
    """Count the vault by two; what differs is shown afterwards."""
    answer = count_vault_by_two(command_for(request), **arguments_of_form(request, CountVault))
    return done(request, to=reverse("cage_vault_count", args=[answer.data["vault_count_id"]]))


@page("page.vault")
@require_safe
@never_cache
def count_page(request: ActorRequest, vault_count_id: int) -> HttpResponse:
    """
    One count: its paper, and the floor's judgement of what differs.

    Who does not read the books reads by how much, not what lies there: they count it the next time.
    """
    assert request.room is not None
    by = actor_of(request)
    vault_count = vault_count_by_id(by.room_id, vault_count_id)
    if vault_count is None:
        raise Http404
    context = {
        "count": vault_count,
        "printed_at": clock.now(),
        "parts": _parts(vault_count, request.room),
        "reads_books": KNOWS in by.may,
        "is_judge": by.staff_id not in (vault_count.counted_by_id, vault_count.counted_with_id),
    }
    return render(request, "cage/vault_count.html", context)


@page("cage.judge_vault")
@require_POST
def judge(request: ActorRequest, vault_count_id: int) -> HttpResponse:
    """Take what differs off the floor's to-do."""
    judge_vault(command_for(request), vault_count_id=vault_count_id)
    return done(request, to=reverse("cage_vault_count", args=[vault_count_id]))


# What lies there of one kind: its label, for each value how many were counted, what that comes to and should have, and
# the difference.
Part = tuple[str, list[tuple[str, int]], int, int, int]


def _parts(vault_count: VaultCount, room: Room) -> list[Part]:
    cash, chips = (
        _by_value(pieces, room.currency, room) for pieces in (vault_count.cash_pieces, vault_count.chip_pieces)
    )
    parts = [
        (_("Cash"), cash, vault_count.cash_cents, vault_count.expected_cash_cents),
        (_("Card slips"), [], vault_count.card_slips_cents, vault_count.expected_card_slips_cents),
        *(
            (
                _("Foreign notes, %(currency)s") % {"currency": each.currency},
                _by_value(each.pieces, each.currency, room),
                each.cents,
                each.expected_cents,
            )
            for each in sorted(vault_count.notes.all(), key=lambda notes: notes.currency)
        ),
        (_("Chips"), chips, vault_count.chips_cents, vault_count.expected_chips_cents),
    ]
    return [(label, values, cents, expected, cents - expected) for label, values, cents, expected in parts]


def _by_value(pieces: Sequence[Sequence[int]], currency: str, room: Room) -> list[tuple[str, int]]:
    return [(format_cents(value, currency=currency, locale=room.locale), many) for value, many in pieces]
