"""What a hand makes of its players' blinds: newcomers come in, markers are laid down; and how it is taken back."""

from datetime import datetime

from django.db.models import Case, F, Value, When

from casino.poker.blinds import missed_while_played_over, missed_with
from casino.poker.missed import Missed
from casino.poker.positions import Entry
from tables.models import Hand, Opening, Seating
from tables.rules.absence import button_passes
from tables.rules.in_turn import InTurn
from tables.rules.logged import Positions
from tables.selectors.next_hand import occupants
from tables.selectors.penalties import penalties_of
from tables.services.playing_over import give_promised


def in_turn(opening: Opening, seatings: list[Seating], played: Positions, *, at: datetime) -> InTurn:
    """
    Return what an undo of this hand gives back, and what the hand makes of its players' blinds.

    Of missed blind markers whoever is dealt in has none afterwards, one or two who misses a blind with this hand
    (H4.36-H4.38), also where somebody plays over (H4.50). The button passes those away (R-§4); where the house holds
    seats by it, none who sits out a penalty (H1.48): one query where it passes somebody there.
    """
    terms = opening.terms.blinds
    laid_down = missed_with(
        occupants(seatings),
        opening.hand_before,
        button=played.button,
        small_blind=played.small_blind,
        big_blind=played.big_blind,
        terms=terms,
    )
    entries: dict[int, str] = {}
    missed: dict[int, tuple[str, str]] = {}
    for seating in seatings:
        seat = seating.seat_number
        comes_in = seat in played.dealt_in and seating.entry != Entry.IN
        if comes_in or seat in laid_down.keys() - set(played.dealt_in):
            entries[seating.pk] = seating.entry
            after = Missed.NONE if comes_in else laid_down[seat]
            if after != seating.missed:
                missed[seating.pk] = (seating.missed, after.value)
    for holder in (each.holder for each in seatings if each.holder):
        after = missed_while_played_over(holder.occupant, opening.hand_before, big_blind=played.big_blind, terms=terms)
        if after != holder.missed:
            entries[holder.pk], missed[holder.pk] = holder.entry, (holder.missed, after.value)
    passes = button_passes(opening.hand_before, button=played.button, seats=terms.seats)
    away = [each.holder or each for each in seatings if (each.holder or each).is_held]
    passed = {each.player_id: each.pk for each in away if each.seat_number in passes}
    penalties = penalties_of(passed, at=at) if passed and opening.terms.absence.buttons_max else {}
    counts = tuple(pk for player_id, pk in passed.items() if player_id not in penalties)
    return InTurn(opening.last, opening.button_here, entries, missed, passed=counts)


def come_in(played: Hand, kept: InTurn, *, at: datetime) -> dict[int, int]:
    """
    Carry over what a hand made of entries and markers (`kept`); `at` is when it was over.

    Whoever was dealt in has posted what was asked, or the felt let them play: they are in the blinds now and owe
    nothing. Whoever missed a blind waits for the big one, unless they have come back and chosen to post (H4.39-H4.42).
    Returns for whom others have paid who played over, and whose seat goes back now (A40), as `give_back`.
    """
    markers = kept.laid_down
    # Here and below who has left since stays as they left: a leaving that is taken back goes on from there.
    came_in = [key for key in kept.entries if key not in markers]
    if came_in:
        Seating.objects.filter(id__in=came_in, left_at=None).update(entry=Entry.IN.value, missed=Missed.NONE.value)
    for missed in set(markers.values()):
        absent = [key for key, after in markers.items() if after == missed]
        chosen = When(id__in=kept.chosen_since, is_held=False, then=F("entry"))
        entry = Case(chosen, default=Value(Entry.WAITS.value))
        Seating.objects.filter(id__in=absent, left_at=None).update(entry=entry, missed=missed)
    if kept.passed:
        away = Seating.objects.filter(id__in=kept.passed, left_at=None, is_held=True)
        away.update(buttons_passed=F("buttons_passed") + 1)
    return give_promised(kept.gives_back, at=at, played=played)


def take_back(kept: InTurn) -> None:
    """Give everybody back the entry and the markers from before a hand."""
    for key, entry in kept.entries.items():
        markers = {"missed": kept.missed[key][0]} if key in kept.missed else {}
        Seating.objects.filter(id=key, left_at=None).update(entry=entry, **markers)
    if kept.passed:
        # Who came and went since is counted from zero again, and has none to give back.
        away = Seating.objects.filter(id__in=kept.passed, buttons_passed__gt=0)
        away.update(buttons_passed=F("buttons_passed") - 1)
