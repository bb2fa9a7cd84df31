"""Questions about the periods of promotions: their hands, prizes and splashes."""

from collections.abc import Iterable

from django.db.models import Prefetch, QuerySet

from casino.cage.models import DrawerSession
from casino.promotions.models import Entry, Period, Prize, Splash
from casino.promotions.rules import Shown, winners
from casino.promotions.terms import terms_of
from casino.rulebooks.promotions import HighHand


def standing_prizes(period: Period) -> list[Prize]:
    """Return the prizes of a period whose decision was not taken back. One query."""
    return list(Prize.objects.filter(entry__period=period, taken_back_at=None).order_by("id"))


def with_prizes(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Have hands come with the prizes that stand, for `prize_of`. One query more."""
    return entries.prefetch_related(Prefetch("prizes", Prize.objects.filter(taken_back_at=None)))


def prize_of(entry: Entry) -> Prize | None:
    """Return what a hand has won that came `with_prizes`."""
    return next(iter(entry.prizes.all()), None)


def standing(period: Period) -> list[Entry]:
    """Return the hands of a period that were not taken back, in the order in which they were shown. One query."""
    return standing_of([period]).get(period.pk, [])


def standing_of(periods: Iterable[Period]) -> dict[int, list[Entry]]:
    """Return the same of several periods, by their ids. One query, none of none."""
    ids = [period.pk for period in periods]
    by_period: dict[int, list[Entry]] = {}
    if ids:
        rows = Entry.objects.filter(period__in=ids, taken_back_at=None).select_related("table", "player", "hand")
        for entry in rows.order_by("shown_at", "id"):
            by_period.setdefault(entry.period_id, []).append(entry)
    return by_period


def drawn_of(periods: Iterable[Period]) -> dict[int, list[int]]:
    """Return the numbers of the tables whose next pot is to be splashed, by period. One query, none without a draw."""
    ids = [period.pk for period in periods if period.seed]
    by_period: dict[int, list[int]] = {}
    if ids:
        rows = Splash.objects.filter(period__in=ids, status=Splash.Status.DRAWN)
        for period_id, number in rows.order_by("number").values_list("period", "table__number"):
            by_period.setdefault(period_id, []).append(number)
    return by_period


def splashed_in_open_drawers(room_id: int, code: str) -> list[Splash]:
    """Return a promotion's splashes that can still be taken back, the newest first. One query."""
    sessions = DrawerSession.objects.filter(drawer__room_id=room_id, closed_at=None).values("id")
    splashes = Splash.objects.filter(period__room_id=room_id, period__fund__code=code, status=Splash.Status.SPLASHED)
    splashes = splashes.filter(session_id__in=sessions).exclude(period__status=Period.Status.CALLED_OFF)
    return list(splashes.select_related("table", "period").order_by("-done_at", "-id"))


def leaders(period: Period, entries: Iterable[Entry]) -> list[Entry]:
    """Return which of these hands win, or would if it ended now, in the order in which they were shown."""
    _book, promotion = terms_of(period)
    if not isinstance(promotion, HighHand):
        return []
    by_id = {entry.pk: entry for entry in entries}
    hands = (Shown(entry.pk, entry.player_id, entry.worth, entry.shown_at) for entry in by_id.values())
    return [by_id[each.id] for each in winners(hands, ties=promotion.ties)]
