"""The page on which floor and managers try whether a hand would win the jackpot. It writes nothing."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import ValidationError

from casino import clock
from casino.commands.methods import require_safe
from casino.errors import Malformed, NotFound, Refusal
from casino.hand_words import VARIANT_NAMES, hand_words
from casino.live.areas import BESIDE_PRIZES
from casino.people.http import ActorRequest, actor_of, page
from casino.poker.cards import DECK, RANKS
from casino.poker.variants import Variant, shape_of
from casino.rooms.selectors import room_of, rule_book_in_force
from casino.rulebooks import RuleBook
from casino.rulebooks.jackpots import Jackpot
from casino.rulebooks.units import SEATS_MAX
from jackpot.checking import Checked, check, of_form
from jackpot.posted import COLUMNS, posted
from jackpot.rules.claims import Judged, Point, Role
from jackpot.rules.payout import Base, Payout
from jackpot.selectors.pools import ended_codes
from jackpot.words import ROLES, VERDICTS, ShownCard, line_of, shown_card

# Four losers and four winners are what tables print, with room for two more.
HANDS_MOST = 10
HANDS_SHOWN = 3


@dataclass(frozen=True)
class _Row:
    """A row of the form for one player's hand."""

    number: int
    cards: str
    is_thrown_in: bool
    is_shown: bool


@page("page.jackpot")
@never_cache
@require_safe
def check_page(request: ActorRequest) -> HttpResponse:
    """Show the form with what the address says in it, and what would become of the hand; a tap asks for the latter."""
    room, at = room_of(actor_of(request).room_id), clock.now()
    _version_id, book = rule_book_in_force(room.pk, at=at)
    beside = BESIDE_PRIZES.gather(room_id=room.pk)
    if not book.jackpots:
        return render(request, "jackpot/none.html", {"beside": beside})
    may_pools = "page.jackpot_pools" in actor_of(request).may
    context = {"room": room, "may_pools": may_pools, "beside": beside, **_result(request, book)}
    if request.headers.get("HX-Request"):
        return render(request, "jackpot/result.html", context)
    return render(request, "jackpot/page.html", context | _form(request, book))


@page("page.jackpot_rules")
@never_cache
@require_safe
def rules_page(request: ActorRequest) -> HttpResponse:
    """
    Show what has to lose and what is paid, as it is announced; of a jackpot that has ended nothing. Public.

    :raises NotFound: there is no room yet.
    """
    if request.room is None:
        raise NotFound(what="room")
    _version_id, book = rule_book_in_force(request.room.pk, at=clock.now())
    ended = ended_codes(request.room.pk)
    jackpots = [posted(each, locale=request.room.locale) for each in book.jackpots if each.code not in ended]
    return render(request, "jackpot/rules.html", {"jackpots": jackpots, "columns": COLUMNS})


def _result(request: ActorRequest, book: RuleBook) -> dict[str, Any]:
    """Return what the result shows: what became of the hand, or what it lacks."""
    if not any(request.GET.getlist("hand")):
        return {}
    room_id = actor_of(request).room_id
    try:
        checked = check(room_id, of_form(request.GET), at=clock.now())
    except ValidationError as wrong:
        return {"lacks": Malformed(field=next(iter(wrong.detail))).text(room_of(room_id).money_format, book=book)}
    except Refusal as wrong:
        return {"lacks": wrong.text(room_of(room_id).money_format, book=book)}
    return _shown(checked)


def _shown(checked: Checked) -> dict[str, Any]:
    judged = checked.judged
    hands = [
        (
            number,
            ROLES[role] if judged.category else "",
            hand_words(hand.worth),
            [shown_card(card, is_own=card in hand.own) for card in hand.cards],
        )
        for number, (hand, role) in enumerate(judged.hands, start=1)
    ]
    return {
        "verdict": judged.verdict.value,
        "verdict_name": VERDICTS[judged.verdict],
        "category": judged.category if checked.paid else 0,
        "lines": [(line_of(point, checked.book), how(point, judged)) for point in judged.points],
        "hands": hands,
        "paid": shown_payout(checked.jackpot, judged, checked.paid) if checked.paid else None,
    }


def how(point: Point, judged: Judged) -> str:
    """Return how a criterion stands: "met", "unmet", or "beside", where another category than its own is met."""
    if point.is_met:
        return "met"
    return "beside" if judged.category and point.category else "unmet"


def shown_payout(jackpot: Jackpot, judged: Judged, paid: tuple[Payout, Base]) -> dict[str, Any]:
    """Return what a payout shows: who gets what, what stays, the next sum."""
    payout, base = paid
    each: list[tuple[str | Promise, int, int]] = [
        (ROLES[Role.LOSER], payout.losers, payout.loser_cents),
        (ROLES[Role.WINNER], payout.winners, payout.winner_cents),
        (ROLES[Role.OTHER], payout.others, payout.other_cents),
    ]
    category = jackpot.categories[judged.category - 1]
    return {
        "rows": [(name, number, cents, number * cents) for name, number, cents in each if number],
        "payout": payout,
        "beside_cents": abs(payout.beside_law_cents),
        "base": base,
        "clause": category.clause or "",
    }


def _form(request: ActorRequest, book: RuleBook) -> dict[str, Any]:
    query = request.GET
    jackpot = next((each for each in book.jackpots if each.code == query.get("jackpot")), book.jackpots[0])
    cards, thrown_in = query.getlist("hand")[:HANDS_MOST], query.getlist("thrown_in")
    cards += [""] * (HANDS_MOST - len(cards))
    filled = max((number for number, text in enumerate(cards, start=1) if text), default=0)
    return {
        "jackpot": jackpot,
        "jackpots": book.jackpots,
        "variant": query.get("variant", Variant.HOLDEM),
        "variants": [(each.value, VARIANT_NAMES[each], shape_of(each)) for each in Variant],
        "board": query.get("board", ""),
        "rows": [
            _Row(number, text, str(number) in thrown_in, number <= max(HANDS_SHOWN, filled))
            for number, text in enumerate(cards, start=1)
        ],
        "numbers": [str(number) for number in range(1, SEATS_MAX + 1)],
        "dealt_in": query.get("dealt_in", ""),
        "away": query.get("away", "0"),
        "sum": query.get("sum", ""),
        "is_tournament": "is_tournament" in query,
        "was_talked_about": "told" in query,
        "deck": deck(),
    }


def deck() -> list[list[ShownCard]]:
    """Return the pad's cards, a row for each suit, aces first."""
    return [[shown_card(card) for card in DECK[at : at + len(RANKS)]] for at in range(0, len(DECK), len(RANKS))]
