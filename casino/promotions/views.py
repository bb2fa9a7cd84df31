"""The promotions' pages: the floor's to run them, and the one that everybody may read. It names no player."""

from collections.abc import Callable
from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.models import Drawer
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotFound
from casino.hand_words import VARIANT_NAMES, hand_words
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.poker.variants import Variant, shape_of
from casino.promotions.api import (
    CallOffPeriod,
    ChangeFund,
    DecidePeriod,
    EnterHand,
    NoteSplash,
    PassSplash,
    Periods,
    TakeBackDecision,
    TakeBackHand,
    TakeBackSplash,
    call_off_by_two,
    change_fund_by_two,
    decide_by_two,
    entered,
    take_back_decision_by_two,
    take_back_splash_by_two,
)
from casino.promotions.models import Entry, Period, Splash
from casino.promotions.selectors.funds import held_by_rows
from casino.promotions.selectors.periods import splashed_in_open_drawers
from casino.promotions.selectors.shown import (
    ShownPeriod,
    ShownPromotion,
    now_of,
    open_periods,
    promotions,
    running,
    shown_periods,
)
from casino.promotions.services import funds, high_hands, periods, splashes
from casino.promotions.services.periods import look_at_period
from casino.promotions.terms import game_names, terms_of
from casino.promotions.words import (
    CALLED_OFF_FOR,
    DECISION_BACK_FOR,
    PASSED_FOR,
    SPLASH_BACK_FOR,
    TAKEN_BACK_FOR,
)
from casino.rooms.selectors import room_of, rule_book_in_force
from casino.rulebooks.jackpots import LeastHand
from casino.rulebooks.promotions import HighHand, Promotion
from jackpot.views import deck
from tables.models import Table

# As many decided periods as pages list.
NEWEST = 20


@page("page.promotions")
@never_cache
@require_safe
def promotions_page(request: ActorRequest) -> HttpResponse:
    """List the promotions with what lies in their funds, and who leads."""
    room = room_of(actor_of(request).room_id)
    runs = now_of(running(room.pk), at=clock.now())
    rows = [(each, runs.get(each.code)) for each in promotions(room.pk)]
    return render(request, "promotions/list.html", {"room": room, "rows": rows})


@page("page.promotions")
@never_cache
@require_safe
def desk(request: ActorRequest, promotion: str) -> HttpResponse:
    """Show a promotion, with whatever is to be done next. :raises NotFound: the room has none such."""
    by = actor_of(request)
    of_promotion, room = _promotion(by.room_id, promotion), room_of(by.room_id)
    undecided = shown_periods(open_periods(room.pk, promotion))
    begun = [each for each in undecided if each.has_begun and not each.commitment]
    over = [each for each in begun if each.has_ended]
    # The one that runs, unless another is named that waits to be decided.
    named = [each for each in begun if str(each.period.pk) == request.GET.get("period")]
    entering = next(iter(named or begun[-1:]), None)
    # What takes part in it is said by its own book, whatever the one in force says now.
    variants = _variants(terms_of(entering.period)[1]) if entering is not None else []
    decided = _decided(room.pk, promotion)
    context = {
        "room": room,
        "shown": of_promotion,
        "now": clock.now(),
        # What waits to be decided stands first, above the hands that may still come.
        "over": over,
        "coming": [each for each in undecided if each not in over],
        "begun": begun,
        "entering": entering,
        "decided": decided,
        "last_decision": _last_decision(decided),
        "decision_back_for": DECISION_BACK_FOR.items(),
        "splashed": splashed_in_open_drawers(room.pk, promotion),
        "splash_back_for": SPLASH_BACK_FOR.items(),
        "splash_signers": may_sign(room.pk, needs=splashes.NEEDS, without={by.staff_id}),
        "tables": Table.objects.filter(room_id=room.pk, opening__isnull=False).order_by("number"),
        "variants": [(each.value, VARIANT_NAMES[each], shape_of(each)) for each in variants],
        "deck": deck(),
        "passed_for": [(code, words) for code, words in PASSED_FOR.items() if code != Splash.Reason.NO_TABLES],
        "drawers": Drawer.objects.filter(
            room_id=room.pk, is_bank=False, place_kind="", drawersession__closed_at=None
        ).exclude(drawersession=None),
        "called_off_for": CALLED_OFF_FOR.items(),
        "taken_back_for": TAKEN_BACK_FOR.items(),
        "signers": may_sign(room.pk, needs=periods.NEEDS, without={by.staff_id}),
        "may_fund": "promotions.change_fund" in by.may,
        "fund_signers": may_sign(room.pk, needs=funds.NEEDS, without={by.staff_id}),
    }
    return render(request, "promotions/desk.html", context)


@page("page.promotion")
@never_cache
@require_safe
def shown_page(request: ActorRequest, promotion: str) -> HttpResponse:
    """Show everybody what a promotion pays for what, who leads, who has won, and what lies in its fund."""
    if request.room is None:
        raise NotFound(what="room")
    room = request.room
    of_promotion, undecided = _promotion(room.pk, promotion), open_periods(room.pk, promotion)
    book, terms = rule_book_in_force(room.pk, at=clock.now())[1], of_promotion.terms
    if undecided:
        # What is promised holds as it was promised.
        book, terms = terms_of(undecided[0])
        of_promotion = replace(of_promotion, terms=terms)
    context = {
        "shown": of_promotion,
        "games": sorted(game_names(book, terms)),
        "least": [
            (", ".join(str(VARIANT_NAMES[each]) for each in least.variants), hand_words(least.least), least)
            for least in _criteria(terms)
        ],
        "undecided": shown_periods(undecided),
        "decided": _decided(room.pk, promotion),
        "agrees": _agrees(of_promotion),
    }
    return render(request, "promotions/shown.html", context)


def _agrees(of_promotion: ShownPromotion) -> bool:
    """Tell whether the ledger's accounts hold what the periods and prizes say, and add up to nothing."""
    by_rows = held_by_rows(of_promotion.fund) if of_promotion.fund is not None else {}
    return sum(of_promotion.held.values()) == 0 and {**of_promotion.held, **by_rows} == of_promotion.held


def _promotion(room_id: int, code: str) -> ShownPromotion:
    """Return a promotion of the room by its code. :raises NotFound: there is none."""
    promotion = next((each for each in promotions(room_id) if each.code == code), None)
    if promotion is None:
        raise NotFound(what="promotion")
    return promotion


def _decided(room_id: int, code: str) -> list[ShownPeriod]:
    """Return the newest periods that were decided, as pages show them. Four queries."""
    decided = Period.objects.filter(room_id=room_id, fund__code=code).exclude(status=Period.Status.OPEN)
    newest = decided.select_related("fund").order_by("-begins_at", "-id")[:NEWEST]
    return shown_periods(newest)


def _last_decision(decided: list[ShownPeriod]) -> Period | None:
    """Return the period whose decision can be taken back: the last one that was won or not, while nothing is paid."""
    of = (Period.Status.WON, Period.Status.UNWON)
    last = next((each for each in decided if each.period.status in of), None)
    return last.period if last is not None and not last.is_paid else None


def _criteria(terms: Promotion | None) -> tuple[LeastHand, ...]:
    """Return from which hands on one takes part; nothing but of a high hand."""
    return terms.criteria if isinstance(terms, HighHand) else ()


def _variants(terms: Promotion | None) -> list[Variant]:
    """Return the variants in which a hand can take part, in the order of the game's own list."""
    played = {variant for least in _criteria(terms) for variant in least.variants}
    return [variant for variant in Variant if variant in played]


def _tap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one of the taps on a promotion."""
    return page("page.promotions")(require_POST(view))


@_tap
def fund_tap(request: ActorRequest, promotion: str) -> HttpResponse:
    """Put money into the fund, or take it out; another manager signs on this screen."""
    change_fund_by_two(command_for(request), promotion=promotion, **arguments_of_form(request, ChangeFund))
    return _there(request, promotion)


@_tap
def open_tap(request: ActorRequest, promotion: str) -> HttpResponse:
    """Open periods."""
    arguments = arguments_of_form(request, Periods, near=clock.now())
    periods.open_periods(command_for(request), promotion=promotion, **arguments)
    return _there(request, promotion)


@_tap
def enter_tap(request: ActorRequest, period_id: int) -> HttpResponse:
    """Enter a hand that was shown."""
    arguments = arguments_of_form(request, EnterHand, near=clock.now())
    high_hands.enter_hand(command_for(request), period_id=period_id, **entered(arguments))
    return _of_period(request, period_id)


@_tap
def take_back_tap(request: ActorRequest, entry_id: int) -> HttpResponse:
    """Take a hand back that was entered wrongly."""
    arguments = arguments_of_form(request, TakeBackHand)
    high_hands.take_back_hand(command_for(request), entry_id=entry_id, **arguments)
    return _of_period(request, Entry.objects.values_list("period", flat=True).get(id=entry_id))


@_tap
def note_tap(request: ActorRequest, splash_id: int) -> HttpResponse:
    """Note that a pot was splashed."""
    splashes.note_splash(command_for(request), splash_id=splash_id, **arguments_of_form(request, NoteSplash))
    return _of_splash(request, splash_id)


@_tap
def pass_tap(request: ActorRequest, splash_id: int) -> HttpResponse:
    """Pass a splash over."""
    splashes.pass_splash(command_for(request), splash_id=splash_id, **arguments_of_form(request, PassSplash))
    return _of_splash(request, splash_id)


@_tap
def splash_back_tap(request: ActorRequest, splash_id: int) -> HttpResponse:
    """Take a splash back: somebody else signs on this screen."""
    take_back_splash_by_two(command_for(request), splash_id=splash_id, **arguments_of_form(request, TakeBackSplash))
    return _of_splash(request, splash_id)


@_tap
def decision_back_tap(request: ActorRequest, period_id: int) -> HttpResponse:
    """Take a decision back: a manager signs on this screen."""
    take_back_decision_by_two(command_for(request), period_id=period_id, **arguments_of_form(request, TakeBackDecision))
    return _of_period(request, period_id)


@_tap
def decide_tap(request: ActorRequest, period_id: int) -> HttpResponse:
    """Decide a period: a manager signs on this screen."""
    decide_by_two(command_for(request), period_id=period_id, **arguments_of_form(request, DecidePeriod))
    return _of_period(request, period_id)


@_tap
def call_off_tap(request: ActorRequest, period_id: int) -> HttpResponse:
    """Call a period off: a manager signs on this screen."""
    call_off_by_two(command_for(request), period_id=period_id, **arguments_of_form(request, CallOffPeriod))
    return _of_period(request, period_id)


def _of_period(request: ActorRequest, period_id: int) -> HttpResponse:
    return _there(request, look_at_period(actor_of(request).room_id, period_id).fund.code)


def _of_splash(request: ActorRequest, splash_id: int) -> HttpResponse:
    return _of_period(request, Splash.objects.values_list("period", flat=True).get(id=splash_id))


def _there(request: ActorRequest, promotion: str) -> HttpResponse:
    return done(request, to=reverse("promotion_desk", args=[promotion]))
