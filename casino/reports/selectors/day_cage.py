"""What a gaming day came to at the cage: drawers, runners and slips, as counted and as posted. Parts of its report."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from casino.cage.chart import DRAWER, RUNNER
from casino.cage.selectors.of_day import CarriedOfDay, SlipsOfDay, carried_by_runners, drawers_of, sold_from_racks
from casino.people.selectors import staff_names
from casino.reports.figures import CashPlay, Drawer, Runner, SlipKind
from casino.rooms.models import GamingDay

# By how many cents accounts have changed on the day, by kind of owner, owner and account.
Moved = Mapping[tuple[str, int, str], int]
# Accounts on which stands what counts found, of drawers and of runners; positive: it is missing.
MISSING = MISSING_MONEY, MISSING_CHIPS = "over_short", "chips_over_short"
# As these, of the vault.
VAULT_MISSING = ("vault_missing", "vault_chips_missing")


def drawers(day: GamingDay, moved: Moved) -> list[Drawer]:
    """Return the drawers' sessions with what was posted of their counts. Two queries, one more for banks."""
    sessions = list(drawers_of(day))
    last = {each.drawer_id: index for index, each in enumerate(sessions)}

    def posted(index: int, account: str) -> int:
        drawer_id = sessions[index].drawer_id
        return -moved.get((DRAWER, drawer_id, account), 0) if last[drawer_id] == index else 0

    return [
        Drawer(each, posted(index, MISSING_MONEY), posted(index, MISSING_CHIPS)) for index, each in enumerate(sessions)
    ]


def vault_posted(day: GamingDay, moved: Moved) -> tuple[int, int]:
    """Return what was posted of the vault's counts, money and chips; negative: it is missing. No query."""
    money, chips = (-moved.get(("house", day.room_id, account), 0) for account in VAULT_MISSING)
    return money, chips


def runners(day: GamingDay, moved: Moved) -> list[Runner]:
    """Return the runners with what was posted of what they carried, by name. One query, and one for their names."""
    carried = {each.runner_id: each for each in carried_by_runners(day)}
    posted = {owner_id for owner_kind, owner_id, _account in moved if owner_kind == RUNNER}
    names = staff_names({*carried, *posted}) if carried or posted else {}
    found = [
        Runner(
            names.get(each, ""),
            carried.get(each) or CarriedOfDay(each, 0, 0, 0, 0, 0),
            -moved.get((RUNNER, each, MISSING_MONEY), 0),
            -moved.get((RUNNER, each, MISSING_CHIPS), 0),
        )
        for each in {*carried, *posted}
    ]
    return sorted(found, key=lambda each: (each.name, each.carried.runner_id))


def cash_plays(day: GamingDay) -> list[CashPlay]:
    """Return what was sold out of racks, by table and dealer. One query, one more where anything was."""
    sold = sold_from_racks(day)
    names = staff_names({each.staff_id for each in sold}) if sold else {}
    return [CashPlay(names.get(each.staff_id, ""), each) for each in sold]


def slip_kinds(slips: Iterable[SlipsOfDay]) -> list[SlipKind]:
    """Return the slips by kind and method."""
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for each in slips:
        here, sign = found[each.kind, each.method], -1 if each.is_back else 1
        here["back" if each.is_back else "paid"] += each.count
        here["back_cents" if each.is_back else "paid_cents"] += each.cents
        here["posted_cents"] += sign * each.posted_cents
    names = ("paid", "paid_cents", "back", "back_cents", "posted_cents")
    return [SlipKind(kind, method, *(here[name] for name in names)) for (kind, method), here in sorted(found.items())]
