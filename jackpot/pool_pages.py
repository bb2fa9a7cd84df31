"""
The public page of each jackpot: its sum, where it came from, and its whole history.

It names nobody: strangers read it, and the tables' tablets show it. Who won stands in the claims, for the floor and the
books.
"""

import csv
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_safe
from casino.errors import NotFound
from casino.people.http import ActorRequest, page
from casino.rooms.selectors import open_day, rule_book_in_force
from casino.rulebooks import RuleBook
from jackpot.graph import graph_of
from jackpot.models import Movement, Pool
from jackpot.selectors.pools import jackpot_name, proof_of
from jackpot.selectors.takings import pending_by_pool
from jackpot.words import movement_words

# As many changes as a page lists; the file has them all.
NEWEST = 20
HITS = 5


@page("page.jackpot_sum")
@never_cache
@require_safe
def pool_page(request: ActorRequest, code: str) -> HttpResponse:
    """Show a jackpot as it stands now, with what the ledger says of it. :raises NotFound: the room has none such."""
    pool, book = _pool(request, code)
    return render(request, "jackpot/pool.html", _shown(pool, book))


@page("page.jackpot_sum")
@never_cache
@require_safe
def history_file(request: ActorRequest, code: str) -> HttpResponse:
    """Return every change of a jackpot's sum as CSV, oldest first. :raises NotFound: the room has none such."""
    pool, book = _pool(request, code)
    names = _names(pool, book)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="jackpot-{pool.code}.csv"'
    rows = csv.writer(response)
    rows.writerow(("number", "at", "gaming_day", "kind", "cents", "sum_after_cents", "transfer", "what"))
    for each in pool.movements.select_related("day").order_by("number").iterator():
        change = (each.number, each.at.isoformat(), each.day.date.isoformat(), each.kind)
        rows.writerow((*change, each.cents, each.sum_after_cents, each.transfer_id, movement_words(each, names)))
    return response


def _pool(request: ActorRequest, code: str) -> tuple[Pool, RuleBook]:
    if request.room is None:
        raise NotFound(what="room")
    pool = Pool.objects.filter(room_id=request.room.pk, code=code).select_related("moved_to").first()
    if pool is None:
        raise NotFound(what="jackpot")
    return pool, rule_book_in_force(request.room.pk, at=clock.now())[1]


def _names(pool: Pool, book: RuleBook) -> dict[int, str]:
    """Return what the room's jackpots are called, by their pools' ids. One query."""
    pools = Pool.objects.filter(room_id=pool.room_id).values_list("id", "code")
    return {pk: jackpot_name(book, code) for pk, code in pools}


def _shown(pool: Pool, book: RuleBook) -> dict[str, Any]:
    at, day, names = clock.now(), open_day(pool.room_id), _names(pool, book)
    jackpot = next((each for each in book.jackpots if each.code == pool.code), None)
    steps = list(pool.movements.order_by("number").values_list("at", "sum_after_cents"))
    newest = pool.movements.select_related("day").order_by("-number")
    hits = newest.filter(kind=Movement.Kind.CLAIM)
    return {
        "pool": pool,
        "name": names[pool.pk],
        "moved_to": names.get(pool.moved_to_id or 0, ""),
        "jackpot": jackpot,
        "proof": proof_of(pool),
        "today_cents": pending_by_pool(pool.room_id, day.pk, book).get(pool.pk, 0) if day else 0,
        "graph": graph_of(steps, until=at),
        "changes": [(each, movement_words(each, names)) for each in newest[:NEWEST]],
        "hits": [(each, -each.cents) for each in hits[:HITS]],
        "at": at,
    }
