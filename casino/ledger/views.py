"""The ledger page: accounts by place, the trial balance, one account's postings."""

from itertools import groupby

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_safe
from casino.ledger.chart import CHART, Text
from casino.ledger.errors import CountedBlind
from casino.ledger.models import Account
from casino.ledger.owners import held_by, names_of
from casino.ledger.selectors.accounts import account_statement, days_of, places, trial_balance
from casino.ledger.words import transfer_name
from casino.people.http import ActorRequest, actor_of, page
from casino.people.selectors import staff_names

PAGE_LINES = 40


@page("page.ledger")
@require_safe
@never_cache
def ledger(request: ActorRequest) -> HttpResponse:
    """The trial balance, and every account grouped by its place; of what the reader holds open no figure."""
    by = actor_of(request)
    room_id, held = by.room_id, held_by(by.room_id, by.staff_id)
    # A sum over several would tell of one's own what the others do not hold.
    hidden = {owner_kind for owner_kind, _owner_id in held}
    rows = trial_balance(room_id)
    sums = {unit: sum(row.cents for row in rows if row.unit == unit) for unit in ("money", "chips")}
    trial = [
        (CHART[owner_kind].words, owner_kind in hidden, [(_words(owner_kind, row.kind), row) for row in group])
        for owner_kind, group in groupby(rows, key=lambda row: row.owner_kind)
    ]
    grouped = [
        (
            CHART[here.owner_kind].words,
            here.name,
            (here.owner_kind, here.owner_id) in held,
            [(_words(here.owner_kind, each.kind), each) for each in here.accounts],
        )
        for here in places(room_id)
    ]
    return render(
        request, "ledger/ledger.html", {"trial": trial, "sums": sums, "places": grouped, "is_blind": bool(held)}
    )


@page("page.ledger")
@require_safe
@never_cache
def account(request: ActorRequest, account_id: int) -> HttpResponse:
    """One account's postings, newest first, by pages, for one gaming day or all."""
    by = actor_of(request)
    room_id = by.room_id
    of_owner = Account.objects.filter(room_id=room_id, id=account_id).first()
    if of_owner is None:
        raise Http404
    if (of_owner.owner_kind, of_owner.owner_id) in held_by(room_id, by.staff_id):
        raise CountedBlind
    day_id = _number(request.GET.get("day", ""))
    at_page = _number(request.GET.get("page", "")) or 1
    offset = (at_page - 1) * PAGE_LINES
    # One more than the page holds: whether there are older ones. How many, only counting all of them would tell.
    postings = account_statement(of_owner, day_id=day_id, offset=offset, most=PAGE_LINES + 1)
    lines = postings[:PAGE_LINES]
    names = staff_names(who for line in lines for who in (line.made_by_id, line.approved_by_id) if who)
    context = {
        "account": of_owner,
        "place": CHART[of_owner.owner_kind].words,
        "owner": names_of(of_owner.owner_kind, [of_owner.owner_id])[of_owner.owner_id],
        "name": _words(of_owner.owner_kind, of_owner.kind),
        "lines": [
            (transfer_name(line.kind), names.get(line.made_by_id or 0, ""), names.get(line.approved_by_id or 0), line)
            for line in lines
        ],
        "days": days_of(room_id),
        "day_id": day_id,
        "page": at_page,
        "has_older": len(postings) > PAGE_LINES,
    }
    return render(request, "ledger/account.html", context)


def _words(owner_kind: str, kind: str) -> Text:
    return CHART[owner_kind].accounts[kind].words


def _number(text: str) -> int | None:
    """Return what an address says; an address that was typed wrongly says nothing."""
    return int(text) if text.isdecimal() and 0 < len(text) < 10 and int(text) else None
