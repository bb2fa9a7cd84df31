"""
Foreign notes: their rates are recorded by a manager, they pay for chips, and lie in the drawer until it is counted.

Whoever pays with them gets what is too much back in the room's cash, but for a note that was not needed: the house
sells chips, and changes no money.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from casino.cage.errors import ChangeTooMuch, ForeignNotTaken, NotesNeeded, NotesTooFew, NoteTooMany
from casino.cage.models import DrawerCount, DrawerSession, NoteRate, NotesCounted, NotesTaken, Slip
from casino.cage.notes import coin_cents, foreign_currencies, note_values
from casino.cage.rules import FOREIGN, added_up, cents_of, worth, worth_found
from casino.cage.selectors.foreign import expected_notes, last_rates, rate_in_force, rate_text
from casino.cage.services.locks import lock_numbering
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, Stale
from casino.ledger.services import open_accounts
from casino.rulebooks import RuleBook

# Notes of one currency as they are told: {"currency": "SEK", "pieces": [{"value_cents": 500_00, "count": 3}]}; those
# that pay, with the `rate_id` at which somebody was told what they are worth, None where nobody was.
Notes = Mapping[str, Any]


@service("cage.record_rate")
def record_rate(command: Command, *, currency: str, rate_millionths: int | None) -> Outcome:
    """
    Say at which rate notes of a currency are taken from now on; None: they are no longer taken.

    `rate_millionths` is what one unit is worth, in millionths of the room's. What was recorded before stays as it was.

    :raises Malformed: no such currency, or rate; the house's own is none.
    :raises ForeignNotTaken: it is not taken, and so cannot end.
    """
    # Of two who end a currency at once the second finds it ended.
    room = lock_numbering(command.room_id)
    if currency not in foreign_currencies(room.currency):
        raise Malformed(field="currency")
    if rate_millionths is None and rate_in_force(room.pk, currency) is None:
        raise ForeignNotTaken(currency=currency)
    if rate_millionths is not None and rate_millionths <= 0:
        raise Malformed(field="rate_millionths")
    # A room of before has no account for such notes; a drawer gets its own with the first that it takes.
    open_accounts(room, "house", room.pk)
    row = NoteRate.objects.create(
        room=room,
        currency=currency,
        rate_millionths=rate_millionths,
        recorded_at=command.at,
        recorded_by_id=command.staff_id,
    )
    data = {"rate_id": row.pk, "currency": currency, "rate_millionths": rate_millionths}
    return Outcome(chain="rates", data={**data, "rate": rate_text(rate_millionths)})


def notes_for(slip: Slip, notes: Notes | None, book: RuleBook) -> NotesTaken | None:
    """
    Return the notes by which a slip is to be paid, not saved yet; None where it is paid otherwise. One query.

    :raises NotesNeeded: it is to be paid by foreign notes, and none are named.
    :raises Malformed: it is not, and some are named; or there are no such notes.
    :raises ForeignNotTaken: of this currency none are taken now.
    :raises NotesTooFew, NoteTooMany, ChangeTooMuch: they are worth less, a note more than is needed, or far more.
    :raises Stale: their rate is another than was told.
    """
    if slip.method != FOREIGN:
        if notes is not None:
            raise Malformed(field="foreign")
        return None
    taken = worth_of(slip.room_id, notes, book)
    check_pays(taken, slip.amount_cents, book)
    return taken


def worth_of(room_id: int, notes: Notes | None, book: RuleBook) -> NotesTaken:
    """Return what notes are worth now, as they would pay. One query. :raises Refusal: as `notes_for`."""
    pieces = added_up(notes["pieces"]) if notes else []
    if notes is None or not pieces:
        raise NotesNeeded
    currency = notes["currency"]
    rate = rate_in_force(room_id, currency)
    if rate is None or rate.rate_millionths is None:
        raise ForeignNotTaken(currency=currency)
    if notes.get("rate_id") not in (None, rate.pk):
        raise Stale(what="rate", version=rate.pk)
    check_known(currency, notes["pieces"])
    face_cents = cents_of(notes["pieces"])
    value_cents = worth(face_cents, rate.rate_millionths, coin_cents=coin_cents(book.house.currency))
    return NotesTaken(currency=currency, pieces=pieces, face_cents=face_cents, rate=rate, value_cents=value_cents)


def check_pays(notes: NotesTaken, amount_cents: int, book: RuleBook) -> None:
    """
    Let notes pay this amount.

    :raises NotesTooFew, NoteTooMany: they do not, or would without the smallest of them.
    :raises ChangeTooMuch: they would be changed rather than buy chips.
    """
    if notes.value_cents < amount_cents:
        raise NotesTooFew(worth_cents=notes.value_cents, asked_cents=amount_cents, buys_cents=buys(notes, book))
    without = notes.face_cents - notes.pieces[-1][0]
    assert notes.rate.rate_millionths is not None
    left_cents = worth(without, notes.rate.rate_millionths, coin_cents=coin_cents(book.house.currency))
    if left_cents >= amount_cents:
        raise NoteTooMany(worth_cents=left_cents, asked_cents=amount_cents)
    if notes.value_cents - amount_cents >= amount_cents:
        least_cents = (notes.value_cents // (2 * book.chip_cents) + 1) * book.chip_cents
        raise ChangeTooMuch(worth_cents=notes.value_cents, least_cents=least_cents)


def buys(notes: NotesTaken, book: RuleBook) -> int:
    """Return how many chips notes buy at most, in cents."""
    return notes.value_cents - notes.value_cents % book.chip_cents


def take(notes: NotesTaken | None, slip: Slip) -> None:
    """Keep the notes that have paid a slip, where some have."""
    if notes is not None:
        notes.slip = slip
        notes.save(force_insert=True)


def notes_data(notes: NotesTaken | None) -> dict[str, Any]:
    """Return what an answer and the log say of the notes that paid a slip; nothing where none did."""
    if notes is None:
        return {}
    change_cents = notes.value_cents - notes.slip.amount_cents
    return {
        "face": notes.face,
        "rate": rate_text(notes.rate.rate_millionths),
        "value_cents": notes.value_cents,
        "change_cents": change_cents,
    }


# ---- counted


def check_counted(room_id: int, foreign: Sequence[Notes]) -> None:
    """
    Let notes pass that can lie in a drawer, however many. One query, where any are told.

    :raises Malformed: of such a currency none was ever taken, it is told twice, or there are no such notes.
    """
    if not foreign:
        return
    currencies = [each["currency"] for each in foreign]
    if len({*currencies}) < len(currencies) or {*currencies} - last_rates(room_id).keys():
        raise Malformed(field="foreign")
    for each in foreign:
        check_known(each["currency"], each["pieces"])


def counted_notes(room_id: int, session: DrawerSession, foreign: Sequence[Notes]) -> list[NotesCounted]:
    """Return what a count found of each currency, beside what was taken, not saved yet. A query, or two."""
    taken, counted = expected_notes(session), {each["currency"]: each["pieces"] for each in foreign}
    rates = last_rates(room_id) if counted.keys() - taken.keys() else {}
    rows = []
    for currency in sorted({*taken, *counted}):
        pieces, expected = counted.get(currency, ()), taken.get(currency, (0, 0))
        face_cents = cents_of(pieces)
        row = NotesCounted(
            currency=currency,
            pieces=added_up(pieces),
            face_cents=face_cents,
            expected_face_cents=expected[0],
            cents=worth_found(face_cents, expected, rates.get(currency, 0)),
            expected_cents=expected[1],
        )
        if face_cents or expected[0]:
            rows.append(row)
    return rows


def keep_counted(rows: Sequence[NotesCounted], count: DrawerCount) -> None:
    """Keep what a count found of each currency."""
    for row in rows:
        row.count = count
        row.save(force_insert=True)


def counted_signs(foreign: Sequence[Notes]) -> str:
    """Return what is signed of foreign notes under a count: ".SEK150000" for each currency of which there are some."""
    by_currency = {each["currency"]: cents_of(each["pieces"]) for each in foreign}
    return "".join(f".{currency}{cents}" for currency, cents in sorted(by_currency.items()) if cents)


def check_known(currency: str, pieces: Sequence[Mapping[str, int]]) -> None:
    """:raises Malformed: a currency has no such notes, or there are less than none of one."""
    known = note_values(currency)
    if any(each["value_cents"] not in known or each["count"] < 0 for each in pieces):
        raise Malformed(field="foreign")
