"""How the logs of the day look, dealer by dealer: what is undone, void and won without a flop."""

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q

from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay
from tables.models import Hand, HandCharge


@dataclass(frozen=True)
class DealerRow:
    """How one dealer's log of a day looks: counts of hands, and the share won without a flop."""

    name: str
    settled: int
    no_flop: int
    undone: int
    void: int
    not_logged: int
    differs: int

    @property
    def no_flop_percent(self) -> int:
        return round(100 * self.no_flop / self.settled) if self.settled else 0


def dealer_rows(room_id: int, day: GamingDay | None, *, table_id: int | None = None) -> list[DealerRow]:
    """Return the day's undos, voids and "no flop" per dealer, by name. Two queries."""
    if day is None:
        return []
    hands = Hand.objects.filter(room_id=room_id, day=day, dealer_id__isnull=False)
    if table_id is not None:
        hands = hands.filter(table_id=table_id)
    settled = Q(status=Hand.Status.SETTLED)
    differs = Exists(HandCharge.objects.filter(hand=OuterRef("pk")).exclude(due_cents=F("taken_cents")))
    rows = hands.values_list("dealer_id").annotate(
        settled=Count("id", filter=settled),
        no_flop=Count("id", filter=settled & Q(street="initial")),
        undone=Count("id", filter=Q(status=Hand.Status.UNDONE)),
        void=Count("id", filter=Q(status=Hand.Status.VOID)),
        not_logged=Count("id", filter=Q(status=Hand.Status.NOT_LOGGED)),
        differs=Count("id", filter=settled & Q(differs)),
    )
    counts = {dealer_id: counted for dealer_id, *counted in rows if dealer_id is not None}
    names = staff_names(counts)
    made = [DealerRow(names.get(dealer_id, "?"), *counted) for dealer_id, counted in counts.items()]
    return sorted(made, key=lambda row: row.name)
