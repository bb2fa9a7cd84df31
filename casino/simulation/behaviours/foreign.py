"""
Foreign notes: a manager records rates, players pay with notes, and get change in cash; at times a note is gone.

The drawer's count (`closing`) has to find each note that is left, at what it was taken for.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import DRAWER, at_the_counter, paid, see_document
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.foreign import Rate, Taken, face_of, pieces_of

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/cage/rates"
# About what one unit is worth, in millionths of the room's unit; and which notes people bring, in hundredths of a unit.
ABOUT = {"GBP": 1_160_000, "NOK": 85_400, "SEK": 87_100, "USD": 921_000}
NOTES = {"GBP": (50_00, 20_00, 10_00), "NOK": (500_00, 200_00, 100_00), "SEK": (1000_00, 500_00, 200_00, 100_00),
         "USD": (100_00, 50_00, 20_00)}  # fmt: skip
NOTES_MAX, CHIP = 5, 1_00
# How often a rate is recorded that ends, or changes while somebody is being served; how often too few are offered.
ENDS_SHARE, CHANGED_SHARE, WRONG_SHARE = 0.1, 0.25, 0.3


@behaviour("a manager records a rate", weight=2)
def is_recorded(night: "Night") -> str | None:
    """A manager records a new rate for a currency, or (one in ten) that the house takes its notes no more."""
    currency = night.rng.choice(sorted(ABOUT))
    is_taken = (rate := night.notes.rates.get(currency)) is not None and rate.millionths is not None
    if is_taken and night.rng.random() < ENDS_SHARE:
        _record(night, currency, None)
        return f"{currency} no more"
    return _record(night, currency, _drawn(night, currency))


@behaviour("a player pays with foreign notes", weight=6)
def pay(night: "Night") -> str | None:
    """
    The cashier sells a player chips for foreign notes at the rate in force, and gives change in cash.

    At times the player wants chips for more than the notes are worth, which is refused; at times a manager records
    another rate meanwhile: the old one is refused as stale, and the cashier sells at the new one.
    """
    notes, player = night.notes, at_the_counter(night)
    taken = [currency for currency, rate in sorted(notes.rates.items()) if rate.millionths is not None]
    if player is None or player.pocket or not taken:
        return None
    currency, path, cage = night.rng.choice(taken), f"{DRAWER}/buy-ins", night.staff.cage
    brought = Counter(night.rng.choices(NOTES[currency], k=night.rng.randint(1, NOTES_MAX)))
    amount, brought = _buys(night, currency, brought)
    if amount + CHIP > night.felt.drawer.chips:
        return None
    see_document(night, player)
    body: dict[str, Any] = {"amount_cents": amount, "method": "foreign", "player_id": player.id, "again": True}
    body["foreign"] = _foreign_of(notes.rates[currency], currency, brought)
    if night.rng.random() < WRONG_SHARE:
        worth = notes.rates[currency].worth(face_of(brought))
        more = {**body, "amount_cents": worth // CHIP * CHIP + CHIP}
        night.refused(cage, path, more, code="notes_too_few")
    if night.rng.random() < CHANGED_SHARE:
        _record(night, currency, _drawn(night, currency))
        night.refused(cage, path, body, code="stale")
        notes.played["stale"] += 1
        amount, brought = _buys(night, currency, brought)
        body |= {"amount_cents": amount, "foreign": _foreign_of(notes.rates[currency], currency, brought)}
    rate = notes.rates[currency]
    change = rate.worth(face_of(brought)) - amount
    if amount > night.felt.drawer.chips or change > night.felt.drawer.cash:
        return f"{player.nickname} buys nothing with {currency}"
    may_travel_badly(night)
    data = paid(night, player, path, body).data
    answered = (data["value_cents"], data["change_cents"])
    night.must_equal("what foreign notes are worth, and the change", answered, (amount + change, change))
    notes.takes(Taken(data["slip_id"], currency, brought, rate, change))
    night.felt.drawer.cash -= change
    night.felt.drawer.chips -= amount
    player.pocket += amount
    return f"{player.nickname}, {face_of(brought) // 100} {currency}, {amount // 100} €"


@behaviour("somebody brings notes that are not taken", weight=0.7)
def bring_in_vain(night: "Night") -> str | None:
    player = at_the_counter(night)
    left = [each for each in sorted(ABOUT) if (rate := night.notes.rates.get(each)) is None or rate.millionths is None]
    if player is None or player.pocket or not left:
        return None
    currency = night.rng.choice(left)
    body: dict[str, Any] = {"amount_cents": 20_00, "method": "foreign", "player_id": player.id, "again": True}
    pieces = [{"value_cents": NOTES[currency][0], "count": 1}]
    body["foreign"] = {"currency": currency, "pieces": pieces}
    return night.refused(night.staff.cage, f"{DRAWER}/buy-ins", body, code="foreign_not_taken")


@behaviour("a foreign note is gone from the drawer", weight=1)
def is_gone(night: "Night") -> str | None:
    """A foreign note vanishes from the drawer. Nobody taps anything; the drawer's count must find it missing."""
    found = sorted(note for note, count in night.notes.lies.items() if count)
    if not found:
        return None
    currency, value = night.rng.choice(found)
    night.notes.lies[currency, value] -= 1
    night.notes.played["gone"] += 1
    return f"{value // 100} {currency}"


def _record(night: "Night", currency: str, millionths: int | None) -> str:
    body = {"currency": currency, "rate_millionths": millionths}
    may_travel_badly(night)
    data = night.done(night.staff.desktop, API, body).data
    night.must_equal("a recorded rate", data["rate_millionths"], millionths)
    night.notes.rates[currency] = Rate(data["rate_id"], millionths)
    night.notes.played["rates"] += 1
    return f"{currency}: {millionths}"


def _drawn(night: "Night", currency: str) -> int:
    """Draw a rate that is another one than that in force."""
    rate, drawn = night.notes.rates.get(currency), ABOUT[currency] * night.rng.randint(950, 1050) // 1000
    return drawn + (rate is not None and rate.millionths == drawn)


def _buys(night: "Night", currency: str, brought: Counter[int]) -> tuple[int, Counter[int]]:
    """
    Draw for how many cents of chips notes pay, at the rate in force; return that and the notes that are handed over.

    No note is handed over that is not needed, and the change is less than the chips are.
    """
    rate, brought = night.notes.rates[currency], brought.copy()
    while True:
        smallest = min(value for value, count in brought.items() if count)
        worth = rate.worth(face_of(brought))
        beyond = max(rate.worth(face_of(brought) - smallest), worth // 2)
        least, most = (beyond // CHIP + 1) * CHIP, worth // CHIP * CHIP
        if least <= most:
            return night.rng.randint(least // CHIP, most // CHIP) * CHIP, brought
        brought = brought - Counter([smallest])


def _foreign_of(rate: Rate, currency: str, brought: Counter[int]) -> dict[str, Any]:
    """Return the `foreign` of a buy-in's body: which notes, and at which rate they are taken."""
    return {"currency": currency, "pieces": pieces_of(brought), "rate_id": rate.id}
