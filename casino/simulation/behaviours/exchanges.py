"""
A manager and the floor exchange foreign notes from the vault at a bank, and at times take such an exchange back.

The bank pays more or less than the notes' book value, and at times a note is lost on the way: the house must state the
difference of each exchange to the cent.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.behaviours.foreign import ABOUT, NOTES
from casino.simulation.foreign import MILLION, Exchange, face_of, pieces_of

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/cage/exchanges"
GONE_SHARE, PART_SHARE = 0.25, 0.5
# At which rates a bank takes notes, from and to, in percent of about what a unit is worth (`ABOUT`).
BANK_PERCENT = (90, 103)
REASONS = ("wrong_amount", "wrong_notes", "not_taken")


@behaviour("foreign notes are exchanged", weight=4)
def exchange(night: "Night") -> str | None:
    """
    A manager exchanges all or some of a currency's notes in the vault at a bank, and the floor signs.

    One note more than should lie in the vault is refused, and so is the manager's signature as the second one.
    """
    notes = night.notes
    currencies = [currency for currency in sorted(ABOUT) if notes.vault_of(currency)]
    if not currencies:
        return None
    currency, mari = night.rng.choice(currencies), night.staff.desktop
    goes, path = _part(night, notes.vault_of(currency)), f"{API}/new"
    arrive = goes.copy()
    # No note of the last ones in the vault is lost, so that their exchange can be taken back.
    is_last = notes.in_vault.total() == goes.total()
    if is_short := not is_last and night.rng.random() < GONE_SHARE:
        arrive[night.rng.choice(sorted(goes))] -= 1
    rate = ABOUT[currency] * night.rng.randint(*BANK_PERCENT) // 100
    got = face_of(arrive) * rate // MILLION
    body: dict[str, Any] = {"currency": currency, "got_cents": got, "second": night.staff.second("frans")}
    lies = notes.expected_in_vault(currency)
    value = night.rng.choice(NOTES[currency])
    more = {**body, "pieces": pieces_of(lies + Counter([value]))}
    night.refused(mari, path, more, code="notes_not_there")
    body["pieces"] = pieces_of(goes)
    night.refused(mari, path, {**body, "second": night.staff.second("mari")}, code="same_person")
    may_travel_badly(night)
    data = night.done(mari, path, body).data
    worth = notes.worth_in_vault(currency, face_of(goes))
    answered = (data["worth_cents"], data["got_cents"], data["difference_cents"])
    night.must_equal("what exchanged notes stood at, and what is lost by it", answered, (worth, got, got - worth))
    notes.exchanged.append(Exchange(data["exchange_id"], currency, goes, worth, got, is_short=is_short))
    notes.goes(notes.exchanged[-1])
    night.felt.vault_cash += got
    notes.played["exchanged"] += 1
    notes.played["gone on the way"] += is_short
    return f"{face_of(goes) // 100} {currency}, {got // 100} €"


@behaviour("an exchange of foreign notes is taken back", weight=1.5)
def is_taken_back(night: "Night") -> str | None:
    """
    A manager takes back an exchange that lost no note, and the floor signs: the vault gets the notes and gives cash.

    The manager's own second signature is refused, and so is taking it back twice. Nothing where the cash is not there.
    """
    exchanges = [each for each in night.notes.exchanged if not each.is_back and not each.is_short]
    exchanges = [each for each in exchanges if each.got <= night.felt.vault_cash]
    if not exchanges:
        return None
    made, mari = night.rng.choice(exchanges), night.staff.desktop
    path, body = f"{API}/{made.id}/reverse", {"reason": night.rng.choice(REASONS)}
    night.refused(mari, path, {**body, "second": night.staff.second("mari")}, code="same_person")
    signed = {**body, "second": night.staff.second("frans")}
    may_travel_badly(night)
    night.done(mari, path, signed)
    night.refused(mari, path, signed, code="exchange_taken_back")
    made.is_back = True
    night.notes.goes(made, -1)
    night.felt.vault_cash -= made.got
    night.notes.played["exchanges back"] += 1
    return f"{made.face // 100} {made.currency}"


def _part(night: "Night", lies: Counter[int]) -> Counter[int]:
    """Draw which of a currency's notes in the vault are exchanged: all of them, or one or more notes of one value."""
    if night.rng.random() >= PART_SHARE:
        return lies
    value = night.rng.choice(sorted(lies))
    return Counter({value: night.rng.randint(1, lies[value])})
