"""Claims to a jackpot and changes of its pool, by both doors."""

from datetime import date

from casino.people.models import Staff
from casino.rooms.models import GamingDay
from jackpot.models import Claim, ClaimShare, Pool
from jackpot.selectors.judging import EnteredHand
from jackpot.selectors.reconciling import reconciled
from jackpot.services.claims import verify_claim
from tests.doors.way import Finders, NewestOf, Way
from tests.jackpot.beats import BEAT, BOARD, NO_BEAT, Beats
from tests.jackpot.books import HELSINKI, JACKPOT, second_pool
from tests.tables.conftest import House

C, CLAIM = "/jackpot/claims/{jackpot_claim}/", "jackpot/claims/{jackpot_claim}/"
POOL, POOLS = "/jackpot/pools/small/", "jackpot/pools/small/"
NEWEST: NewestOf = {"jackpot_claim": Claim, "share": ClaimShare, "pool": Pool}
ONE_DOOR = {"jackpot.call_bad_beat": "a fact of the dealer's tablet, as `tables.deal_hand`"}


def _called_beat(house: House) -> Beats:
    beats = Beats(house)
    beats.fill()
    beats.called()
    return beats


def _entered_beat(house: House, hand: EnteredHand = BEAT) -> Beats:
    beats = _called_beat(house)
    beats.entered(Claim.objects.get(), hand)
    return beats


def _walked_beat(house: House) -> Beats:
    beats = _entered_beat(house)
    beats.walked(Claim.objects.get())
    return beats


def _verified_beat(house: House) -> Beats:
    """Bring a claim to its signature, by Dan; Frans may sign as a manager tonight."""
    Staff.objects.filter(username="dan").update(roles=["dealer", "floor"])
    Staff.objects.filter(username="frans").update(roles=["floor", "manager"])
    beats = _walked_beat(house)
    beats.sum(12_345_67)
    beats.step(verify_claim, Claim.objects.get(), Staff.objects.get(username="dan"))
    return beats


def _approved_beat(house: House) -> None:
    _verified_beat(house).approved(Claim.objects.get())


def _two_managers(house: House) -> None:
    """Have Frans sign as a manager tonight; a second jackpot takes drops, and the seed may be taken back."""
    Staff.objects.filter(username="frans").update(roles=["floor", "manager"])
    # The book's first, and the newest pool, which is what `names` calls so.
    small = JACKPOT.replace('"bad-beat"', '"small"').replace('"Bad beat jackpot"', '"Small"')
    small = small.replace("recovered = false", "recovered = true")
    second_pool(house, HELSINKI.replace(JACKPOT, small + JACKPOT))
    Beats(house).sum(12_345_67)


WAYS = [
    Way(C + "withdraw/", CLAIM + "withdraw", version="jackpot_claim", before=_called_beat),
    Way(
        C + "hands/",
        CLAIM + "hands",
        {
            "board": BOARD,
            "cards_1": "Ac Kc",
            "cards_2": "7h 7s",
            "thrown_in": "2",
            "away_seats": ["3", "4"],
            "told": "on",
        },
        {
            "board": BOARD,
            "hands": [
                {"seat_number": 1, "cards": "Ac Kc"},
                {"seat_number": 2, "cards": "7h 7s", "is_shown": False},
            ],
            "away_seats": [3, 4],
            "told": True,
        },
        "jackpot_claim",
        _called_beat,
    ),
    Way(
        C + "checks/",
        CLAIM + "checks",
        {"item": "surveillance", "reference": "camera 4"},
        {"item": "surveillance", "reference": "camera 4"},
        before=_entered_beat,
    ),
    Way(C + "dispute/", CLAIM + "dispute", {"reason": "cards"}, {"reason": "cards"}, "jackpot_claim", _called_beat),
    Way(C + "verify/", CLAIM + "verify", version="jackpot_claim", before=_walked_beat),
    Way(
        C + "refuse/",
        CLAIM + "refuse",
        {"reason": "does_not_qualify"},
        {"reason": "does_not_qualify"},
        "jackpot_claim",
        lambda h: _entered_beat(h, NO_BEAT),
    ),
    Way(
        C + "approve/",
        CLAIM + "approve",
        {"sum": "12345.67", "username": "frans", "pin": "{pin}"},
        {"sum_cents": 12_345_67, "second": {"username": "frans", "pin": "{pin}"}},
        "jackpot_claim",
        _verified_beat,
    ),
    Way(
        "/jackpot/shares/{share}/dispute/",
        "jackpot/shares/{share}/dispute",
        {"is_disputed": "true"},
        {"is_disputed": True},
        before=_approved_beat,
    ),
    Way(
        POOL + "correct/",
        POOLS + "correct",
        {"new_sum": "12300", "reason": "takings", "username": "frans", "pin": "{pin}"},
        {"new_sum_cents": 12_300_00, "reason": "takings", "second": {"username": "frans", "pin": "{pin}"}},
        "pool",
        _two_managers,
    ),
    Way(
        POOL + "recover-seed/",
        POOLS + "recover-seed",
        {"amount": "500", "username": "frans", "pin": "{pin}"},
        {"amount_cents": 500_00, "second": {"username": "frans", "pin": "{pin}"}},
        "pool",
        _two_managers,
    ),
    Way(
        POOL + "wind-down/",
        POOLS + "wind-down",
        {"share_{lee_player}": "12345.67", "username": "frans", "pin": "{pin}"},
        {
            "shares": [{"player_id": "{lee_player}", "amount_cents": 12_345_67}],
            "second": {"username": "frans", "pin": "{pin}"},
        },
        "pool",
        _two_managers,
    ),
    Way(
        "/jackpot/reports/sign/",
        "jackpot/report/sign",
        {
            "first_date": "{report_day}",
            "last_date": "{report_day}",
            "seen": "{report_seen}",
            "username": "frans",
            "pin": "{pin}",
        },
        {
            "first_date": "{report_day}",
            "last_date": "{report_day}",
            "seen": "{report_seen}",
            "second": {"username": "frans", "pin": "{pin}"},
        },
        before=_two_managers,
    ),
]


def _first_day() -> date:
    return GamingDay.objects.earliest("date").date


# The report of the first day, and the fingerprint of its figures.
NAMES: Finders = {
    "report_day": lambda house: str(_first_day()),
    "report_seen": lambda house: reconciled(house.cast.room, _first_day(), _first_day()).seen,
}
