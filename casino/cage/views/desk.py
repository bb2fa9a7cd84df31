"""The cage's one screen: what waits, the form for a movement, the slip, the window's own slips."""

from dataclasses import replace

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage import deliveries, rules
from casino.cage.errors import (
    NeedsPlayer,
    NotesTooFew,
    SlipNotWaiting,
    TypedVoucher,
    VoucherNeeded,
    VoucherOfOtherAmount,
)
from casino.cage.labels import DAY_SUMS, KINDS, METHODS, UNNAMED
from casino.cage.models import Drawer, NotesTaken, Slip
from casino.cage.notes import cash_values, coin_cents, quick_sums
from casino.cage.selectors.counts import counted_today
from casino.cage.selectors.deposits import check_deposit_holds
from casino.cage.selectors.drawers import values_counted, window, windows
from casino.cage.selectors.foreign import note_texts, rates_of
from casino.cage.selectors.identity import Crossed, check_identity_known, crossed, needs_second
from casino.cage.selectors.slips import prizes_of, unnamed_today
from casino.cage.selectors.unclaimed import unclaimed_by_name
from casino.cage.services.amounts import check_amount
from casino.cage.services.counting import NEEDS as NEEDS_TO_COUNT
from casino.cage.services.fills import NEEDS as NEEDS_TO_FILL
from casino.cage.services.foreign import buys, worth_of
from casino.cage.services.foreign import check_pays as check_notes_pay
from casino.cage.services.paying import NEEDS as NEEDS_TO_PAY
from casino.cage.services.paying import check_taken_on_paper
from casino.cage.services.vouchers import check_pays, voucher_of_paper
from casino.cage.views.foreign import notes_in_words
from casino.cage.views.movement import Movement, read_movement
from casino.cage.whereabouts import AtTheCage
from casino.commands.carrying_out import Actor
from casino.commands.methods import require_http_methods, require_POST, require_safe
from casino.commands.middleware import refusal_context
from casino.errors import Refusal
from casino.ledger.selectors.accounts import chips_out, deposit_cents
from casino.live.areas import PERSON
from casino.people.api import Players
from casino.people.api_identity import CheckIdentity
from casino.people.elsewhere import everywhere
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.identity import DOCUMENTS, identity_of, others_with_document
from casino.people.inputs import arguments_of_form
from casino.people.models import OwnLimit, Player
from casino.people.rules.exclusions import strictest
from casino.people.selectors import find_players
from casino.people.services import add_player, check_identity
from casino.people.standing import CLEAR, kept_record_of, may_sign, newest_day_id, player_of, standing_of
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day, rule_book_in_force
from casino.rulebooks import RuleBook

# The keys that stand on the buttons. F1, F5, F11 and F12 are the browser's own.
KEYS = {"buy_in": "F2", "cash_out": "F3", "deposit": "F4", "withdrawal": "F6"}
_TAPS = {"buy_in": "buy_in", "cash_out": "cash_out", "deposit": "deposit", "withdrawal": "withdraw"}


@page("page.cage")
@require_safe
@never_cache
def cage(request: ActorRequest) -> HttpResponse:
    """Lead to the window where this device stands, or to the room's first one; choose where there are several."""
    assert request.room is not None
    drawers = windows(request.room.pk)
    place = request.device.place if request.device else None
    if place is not None and place.kind == "cage" and any(drawer.number == place.number for drawer in drawers):
        return HttpResponseRedirect(reverse("cage_window", args=[place.number]))
    if len(drawers) == 1:
        return HttpResponseRedirect(reverse("cage_window", args=[drawers[0].number]))
    return render(request, "cage/choose.html", {"drawers": drawers, "day": open_day(request.room.pk)})


@page("page.cage")
@require_safe
@never_cache
def cage_window(request: ActorRequest, number: int) -> HttpResponse:
    """One window of the cage: its form for movements when the drawer is open, else the form that opens it."""
    room = request.room
    assert room is not None
    assert request.actor is not None
    at_window = window(room.pk, number)
    if at_window is None:
        raise Http404
    if at_window.drawer.is_bank:
        return HttpResponseRedirect(reverse("cage_bank", args=[number]))
    book = rule_book_in_force(room.pk, at=clock.now())[1]
    at = request.actor.place
    if at is not None and at[0] == "cage" and at != ("cage", number):
        return HttpResponseRedirect(reverse("cage"))
    values = values_counted(room.pk, at=clock.now())
    rates = rates_of(room.pk)
    taken = [each for each in rates if each.rate_millionths is not None]
    methods = [method for method in rules.METHODS["buy_in"] if taken or method != rules.FOREIGN]
    return render(
        request,
        "cage/desk.html",
        {
            "window": at_window,
            "audience": f"cage.{number}",
            "day": open_day(room.pk),
            "kinds": [(kind, KINDS[kind], key, " ".join(rules.METHODS[kind])) for kind, key in KEYS.items()],
            "methods": [(method, METHODS[method]) for method in methods],
            "foreign": [(each.currency, each.rate_millionths, note_texts(each.currency, room)) for each in taken],
            "foreign_counted": [(each.currency, note_texts(each.currency, room)) for each in rates],
            "chip_cents": book.chip_cents,
            "coin_cents": coin_cents(book.house.currency),
            "quick_sums": quick_sums(book.house.currency, chip_cents=book.chip_cents),
            "note_values": values.cash,
            "chip_values": values.chips,
            "counted": [] if at_window.session else counted_today(at_window.drawer),
            "counters": may_sign(room.pk, needs=NEEDS_TO_COUNT, without={request.actor.staff_id}),
            "approvers": may_sign(room.pk, needs=NEEDS_TO_FILL, without={request.actor.staff_id}),
            "fills_in_one_step": book.cage.fills_in_one_step,
            "identity_from_cents": book.cage.identity_from_cents,
            "deposit_max_cents": book.cage.deposit_max_cents,
            "ways": DAY_SUMS.items(),
            "has_banks": Drawer.objects.filter(room_id=room.pk, is_bank=True).exists(),
        },
    )


@page("page.cage")
@require_safe
def players(request: ActorRequest) -> HttpResponse:
    """Players whose name holds what was typed, for the type-ahead."""
    assert request.room is not None
    text = request.GET.get("q", "").strip()[:60]
    matching = find_players(request.room.pk, text, by_full_name=True, limit=6) if text else []
    is_new = bool(text) and not any(player.nickname.casefold() == text.casefold() for player in matching)
    return render(request, "cage/players.html", {"players": matching, "text": text, "is_new": is_new})


@page("page.cage")
@require_safe
def player_card(request: ActorRequest, player_id: int) -> HttpResponse:
    """The chosen player: what they did today, what lies on deposit."""
    return _card(request, player_of(actor_of(request).room_id, player_id))


@page("page.cage")
@require_http_methods(["GET", "HEAD", "POST"])
def identity(request: ActorRequest, player_id: int) -> HttpResponse:
    """The sheet for a document that was seen; filled in, the player's card with it."""
    if request.method != "POST":
        player = player_of(actor_of(request).room_id, player_id)
        return render(request, "cage/identity.html", {"player": player, "documents": DOCUMENTS.items()})
    check_identity(command_for(request), player_id=player_id, **arguments_of_form(request, CheckIdentity))
    return _card_of(request, player_id)


@page("page.cage")
@require_POST
def new_player(request: ActorRequest) -> HttpResponse:
    """Add a player by nickname and choose them."""
    answer = add_player(command_for(request), **arguments_of_form(request, Players, nickname=request.POST.get("q", "")))
    return _card_of(request, answer.data["player_id"])


def _card_of(request: ActorRequest, player_id: int) -> HttpResponse:
    """Answer with the card of a player's record as it is kept now; who was erased since a tap first came has none."""
    player = kept_record_of(actor_of(request).room_id, player_id)
    return done(request, to=reverse("cage")) if player is None else _card(request, player)


def _card(request: ActorRequest, player: Player) -> HttpResponse:
    assert request.room is not None
    standing = standing_of(player, day_id=newest_day_id(request.room.pk)) if player.is_watched else CLEAR
    limit = standing.limit(OwnLimit.Kind.BUY_IN)
    day = open_day(request.room.pk)
    today, known = crossed(player.pk, day), identity_of(player.pk, on=day.date) if day else None
    book = rule_book_in_force(request.room.pk, at=clock.now())[1]
    assert request.actor is not None
    context = {
        "player": player,
        "known_today": [
            line
            for app in everywhere()
            if not isinstance(app, AtTheCage)
            for line in app.known_today(request.room, player, may=request.actor.may)
        ],
        "cage": book.cage,
        "alone_left_cents": _alone_left_cents(today, book),
        "identity": known,
        "document": DOCUMENTS[known.document] if known else "",
        "excluded": strictest(standing.exclusions, clock.now()),
        "left_cents": max(limit - today.bought_cents, 0) if limit is not None else None,
        "today": today,
        "sums": [(DAY_SUMS[way], cents) for way, cents in today.sums(book)],
        "same_document": others_with_document(request.room.pk, player.pk),
        "left_behind": [(each, METHODS[each.what]) for each in unclaimed_by_name(player.pk)],
        "deposit_cents": deposit_cents(player.pk),
        "prizes": prizes_of(request.room.pk, player.pk),
        "parts": PERSON.gather(room_id=request.room.pk, player_id=player.pk),
    }
    return render(request, "cage/player_card.html", context)


def _alone_left_cents(today: Crossed, book: RuleBook) -> int:
    limit = book.cage.payout_alone_max_cents
    return max(limit - today.paid_alone_cents, 0) if book.cage.payouts_alone_add_up else limit


@page("page.cage")
@require_safe
def check(request: ActorRequest, number: int) -> HttpResponse:
    """
    What is about to happen, in words, before money moves. Nothing has happened yet.

    What cannot be read or is not there is said in its place: a question has no refusal of its own.
    """
    assert request.room is not None
    try:
        movement = read_movement(request.GET, request.room.pk, drawer_number=number)
        if movement.slip is not None and movement.slip.status != Slip.Status.REQUESTED:
            raise SlipNotWaiting
        if movement.slip is not None:
            check_taken_on_paper(movement.slip, movement.method)
        _version, book = rule_book_in_force(request.room.pk, at=clock.now())
        day = open_day(request.room.pk)
        movement, notes = _with_notes(movement, request.room.pk, book)
        if movement.slip is None:
            check_amount(request.room.pk, movement.kind, movement.amount_cents, book, at=clock.now())
        is_half_chosen = movement.player is None and movement.slip is None and request.GET.get("q", "").strip()
        is_somebodys = "deposit" in (movement.kind, movement.method) or movement.kind == "withdrawal"
        # A name that was typed and not chosen is not a guest without a name.
        if is_half_chosen or (movement.player is None and is_somebodys):
            raise NeedsPlayer
        check_deposit_holds(movement.player_id, movement.kind, movement.method, movement.amount_cents, book)
        today = crossed(movement.player_id, day)
        if day is not None and not _was_paid(movement):
            check_identity_known(
                movement.player_id,
                movement.kind,
                movement.method,
                notes.value_cents if notes else movement.amount_cents,
                today=today,
                on=day.date,
                book=book,
            )
        _check_voucher(movement, request, day)
    except Refusal as refusal:
        return render(
            request, "cage/check_refused.html", refusal_context(request, refusal) | {"mends": _mends(refusal)}
        )
    question = _question(movement, number, actor_of(request), today, book)
    if notes is not None:
        question |= {"change_cents": notes.value_cents - movement.amount_cents, **notes_in_words(notes, request.room)}
    return render(request, "cage/check.html", question)


def _with_notes(movement: Movement, room_id: int, book: RuleBook) -> tuple[Movement, NotesTaken | None]:
    """Look at the foreign notes that are to pay, and how much they buy; the service looks again."""
    if movement.method != rules.FOREIGN:
        return movement, None
    notes = worth_of(room_id, movement.foreign, book)
    bought = movement if movement.amount_cents else replace(movement, amount_cents=buys(notes, book))
    if not bought.amount_cents:
        raise NotesTooFew(worth_cents=notes.value_cents, asked_cents=book.chip_cents, buys_cents=0)
    check_notes_pay(notes, bought.amount_cents, book)
    return bought, notes


def _mends(refusal: Refusal) -> str:
    """Return the field of the till that is to be mended, by its id; "" where none of them alone is."""
    if isinstance(refusal, TypedVoucher):
        return "till-voucher"
    return "till-amount" if isinstance(refusal, VoucherOfOtherAmount) else ""


def _check_voucher(movement: Movement, request: ActorRequest, day: GamingDay | None) -> None:
    """Look at the voucher that is to pay; the service looks again."""
    if movement.method != rules.VOUCHER:
        return
    if not movement.voucher:
        raise VoucherNeeded
    voucher = voucher_of_paper(actor_of(request), movement.voucher, at=clock.now())
    if day is not None:
        check_pays(voucher, amount_cents=movement.amount_cents, on=day.date)


def _was_paid(movement: Movement) -> bool:
    return movement.slip is not None and deliveries.of(movement.slip).was_paid


def _question(movement: Movement, number: int, by: Actor, today: Crossed, book: RuleBook) -> dict[str, object]:
    room_id, gives_chips = by.room_id, movement.kind == "buy_in"
    second = needs_second(movement.kind, movement.method, movement.amount_cents, today=today, book=book)
    gives_cash = movement.kind == "withdrawal" or (movement.kind in ("cash_out", "prize") and movement.method == "cash")
    values = book.chips_cents if gives_chips else cash_values(book.house.currency) if gives_cash else ()
    pieces = [] if _was_paid(movement) else rules.hand_over(movement.amount_cents, values)
    stake = deliveries.of(movement.slip).stake_cents(movement.slip) if movement.slip and gives_chips else None
    if stake:
        pieces = rules.to_play_with(movement.amount_cents, values, stake_cents=stake)
    asks_whose = movement.kind == Slip.Kind.CASH_OUT and movement.player is None and movement.slip is None
    return {
        "movement": movement,
        "unnamed": UNNAMED.items() if asks_whose else (),
        "unnamed_today": unnamed_today(room_id) if asks_whose else None,
        "post_to": reverse("cage_take_money" if movement.slip else f"cage_{_TAPS[movement.kind]}", args=[number]),
        "place_label": deliveries.of(movement.slip).label(movement.slip.where_player_sits()) if movement.slip else "",
        "amount_text": f"{movement.amount_cents // 100}.{movement.amount_cents % 100:02d}",
        "kind": KINDS[movement.kind],
        "method": METHODS[movement.method],
        "was_paid": _was_paid(movement),
        "second": second,
        "approvers": may_sign(room_id, needs=NEEDS_TO_PAY, without={by.staff_id}) if second else (),
        "is_more_than_sold": movement.kind == "cash_out" and movement.amount_cents > chips_out(room_id),
        "pieces": pieces,
        "values": " ".join(str(value) for value in values),
    }
