"""
Foreign notes on the felt: what a unit of each currency is worth, which notes lie in the drawer and in the vault, which
were exchanged, and which are gone.

Nothing here has heard of the house's rows. Notes are told by their face, in minor units of their own currency; what
they are worth is cents of the room's money, by plain multiplication.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MILLION = 10**6
# A currency, and what stands on the note.
Note = tuple[str, int]


@dataclass(frozen=True)
class Rate:
    """The number of the house's row, and what one unit is worth, in millionths; None: it is no longer taken."""

    id: int
    millionths: int | None

    def worth(self, face: int) -> int:
        """Return the worth of notes of this face in cents of the room's money, rounded down."""
        assert self.millionths is not None, "such notes are not taken"
        return face * self.millionths // MILLION


@dataclass(frozen=True)
class Taken:
    """The notes that paid a slip, the number of whose row this is, and what was given back in cash."""

    slip: int
    currency: str
    notes: Mapping[int, int]
    rate: Rate
    change: int

    @property
    def face(self) -> int:
        return face_of(self.notes)

    @property
    def worth(self) -> int:
        return self.rate.worth(self.face)


@dataclass(frozen=True)
class Found:
    """
    What a count finds of a currency: the face of what lies there and of what was taken, and the worth of both. The
    room's money of what is left of it is what it was taken for, on average.
    """

    currency: str
    face: int
    taken_face: int
    cents: int
    taken_cents: int


@dataclass
class Exchange:
    """
    Notes that left the vault, by the number of the house's row: what they stood at there, and what the house got.
    `is_short`: not all of them came to where they were exchanged.
    """

    id: int
    currency: str
    notes: Mapping[int, int]
    worth: int
    got: int
    is_short: bool = False
    is_back: bool = False

    @property
    def face(self) -> int:
        return face_of(self.notes)


@dataclass
class Notes:
    """
    All foreign notes that the simulation's staff have taken.

    `rates` are those in force. `taken` paid slips and were not given back since the drawer was opened; `lies` is what
    is really left of them. `short` is in cents what counts have found missing; `in_vault` and `stands_at`, by currency,
    are the notes that they have found and that were not exchanged, and for what these were taken, on average.
    """

    rates: dict[str, Rate] = field(default_factory=dict)
    taken: dict[int, Taken] = field(default_factory=dict)
    lies: Counter[Note] = field(default_factory=Counter)
    # All that ever paid, and each count's number with what it found, as the house's rows should say it.
    all: list[Taken] = field(default_factory=list)
    counted: list[tuple[int, Found]] = field(default_factory=list)
    in_vault: Counter[Note] = field(default_factory=Counter)
    stands_at: Counter[str] = field(default_factory=Counter)
    # What is gone from the vault since two counted it, and nobody has said so.
    gone_from_vault: Counter[Note] = field(default_factory=Counter)
    exchanged: list[Exchange] = field(default_factory=list)
    short: int = 0
    # What lay in the vault, and was lost by exchanging, before the first night.
    before: tuple[int, int] | None = None
    played: Counter[str] = field(default_factory=Counter)

    @property
    def worth(self) -> int:
        """Return for how much, in cents of the room's money, the notes were taken that should lie in the drawer."""
        return sum(taken.worth for taken in self.taken.values())

    @property
    def vault(self) -> int:
        """Return the book value of the notes in the vault, in cents of the room's money."""
        return self.stands_at.total()

    @property
    def lost_by_exchanging(self) -> int:
        """
        Return by how many cents less was got for exchanged notes than their book value; negative: by how many more.
        """
        return sum(each.worth - each.got for each in self.exchanged if not each.is_back)

    def vault_of(self, currency: str) -> Counter[int]:
        """Return how many of each note of a currency lie in the vault."""
        return _of(currency, self.in_vault)

    def expected_in_vault(self, currency: str) -> Counter[int]:
        """Return how many of each note of a currency lie in the vault by the log: thefts are not in it."""
        return _of(currency, self.in_vault + self.gone_from_vault)

    def worth_in_vault(self, currency: str, face: int) -> int:
        """
        Return the book value of notes of this face in the vault, in cents, by the average at which they were taken.
        """
        return self.stands_at[currency] * face // face_of(self.expected_in_vault(currency))

    def is_gone_from_vault(self, note: Note) -> None:
        """Steal a note out of the vault; the log does not know of it."""
        self.in_vault[note] -= 1
        self.gone_from_vault[note] += 1

    def found_in_vault(self) -> list[Found]:
        """Return what a count of the vault finds now, by currency."""
        rows = []
        for currency in _currencies(self.in_vault + self.gone_from_vault):
            lies, expected = face_of(self.vault_of(currency)), face_of(self.expected_in_vault(currency))
            worth = self.worth_in_vault(currency, lies)
            rows.append(Found(currency, lies, expected, worth, self.stands_at[currency]))
        return rows

    def are_counted_in_vault(self) -> None:
        """Count the vault: what really lies there is what the log expects from now on."""
        for each in self.found_in_vault():
            self.stands_at[each.currency] = each.cents
        self.gone_from_vault.clear()

    def goes(self, exchange: Exchange, sign: int = 1) -> None:
        """Move the notes of an exchange out of the vault, or (`sign` -1) back into it."""
        self.in_vault.subtract({(exchange.currency, value): sign * many for value, many in exchange.notes.items()})
        self.stands_at[exchange.currency] -= sign * exchange.worth

    def takes(self, taken: Taken) -> None:
        """Add the notes that paid a slip to the drawer."""
        self.taken[taken.slip] = taken
        self.all.append(taken)
        self.lies.update({(taken.currency, value): count for value, count in taken.notes.items()})
        self.played["taken"] += 1

    def are_there(self, slip: int) -> bool:
        """Say whether the notes that paid a slip can be given back: as many of each are still there."""
        taken = self.taken.get(slip)
        return taken is not None and all(
            self.lies[taken.currency, value] >= count for value, count in taken.notes.items()
        )

    def gives_back(self, slip: int) -> Taken:
        """Take the notes that paid a slip out of the drawer again, and return them."""
        taken = self.taken.pop(slip)
        self.lies.subtract({(taken.currency, value): count for value, count in taken.notes.items()})
        self.played["given back"] += 1
        return taken

    def found(self) -> list[Found]:
        """Return what a count finds now, by currency."""
        sums: dict[str, tuple[int, int]] = {}
        for taken in self.taken.values():
            face, worth = sums.get(taken.currency, (0, 0))
            sums[taken.currency] = face + taken.face, worth + taken.worth
        rows = []
        for currency, (face, worth) in sorted(sums.items()):
            lies = face_of(_of(currency, self.lies))
            rows.append(Found(currency, lies, face, worth * lies // face, worth))
        return rows

    def pieces_in_drawer(self) -> list[dict[str, Any]]:
        """Return the notes that lie in the drawer, as a count's body has them: `[{"currency", "pieces"}]`."""
        return _by_currency(self.lies)

    def pieces_in_vault(self) -> list[dict[str, Any]]:
        """Return the notes that lie in the vault, as a count's body has them: `[{"currency", "pieces"}]`."""
        return _by_currency(self.in_vault)

    def missing(self) -> int:
        """Return what a count of the drawer would find missing of them now, in cents of the room's money."""
        return sum(each.taken_cents - each.cents for each in self.found())

    def go_to_the_vault(self, count: int) -> None:
        """The drawer is counted and empty."""
        self.counted_by(count)
        found = self.found()
        self.in_vault += self.lies
        for each in found:
            self.stands_at[each.currency] += each.cents
        self.short += self.missing()
        self.played["counted"] += bool(found)
        self.played["differ"] += bool(self.missing())
        self.taken, self.lies = {}, Counter()

    def counted_by(self, count: int) -> None:
        """Note what the house's count of this number has found."""
        self.counted += [(count, each) for each in self.found()]


def _of(currency: str, notes: Counter[Note]) -> Counter[int]:
    return Counter({value: count for (each, value), count in notes.items() if each == currency and count})


def _currencies(notes: Counter[Note]) -> list[str]:
    return sorted({currency for (currency, _), count in notes.items() if count})


def face_of(notes: Mapping[int, int]) -> int:
    """Return the face of notes of one currency, given by value and number, in its hundredths."""
    return sum(value * count for value, count in notes.items())


def pieces_of(notes: Mapping[int, int]) -> list[dict[str, int]]:
    """Return notes of one currency as a body has them: `[{"value_cents", "count"}]`, smallest first."""
    return [{"value_cents": value, "count": count} for value, count in sorted(notes.items())]


def _by_currency(notes: Counter[Note]) -> list[dict[str, Any]]:
    """Return notes as a count's body has them, currency by currency."""
    return [{"currency": currency, "pieces": pieces_of(_of(currency, notes))} for currency in _currencies(notes)]
