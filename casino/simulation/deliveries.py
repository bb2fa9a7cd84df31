"""
Chips that a seat has paid for and that are on their way, in rooms whose book asks whether they came. Cents.

Nothing here has heard of the house's rows. On the felt a stack grows when its chips come, whoever says so and whenever;
in the house's books the seat has them since they were paid. What the simulated room's book says of it stands here too.
"""

from collections import Counter
from dataclasses import dataclass, field

from casino.simulation.felt import Sitter, TableFelt

CAGE, RUNNER = "cage", "runner"


def added_to(book: str) -> str:
    """Return a book that asks whether paid chips came to their seat."""
    assert "confirms_delivery = false" in book, "the book does not say that it has nobody confirm"
    return book.replace("confirms_delivery = false", "confirms_delivery = true", 1)


@dataclass(eq=False)
class Delivery:
    """
    Chips for a seat, by the number of their slip's row: `holder` has them, at the cage or as a runner, and `lies` is
    what is left of them there. `confirmed_by` has tapped that they came, on `confirmed_night`, rightly or not; "" while
    nobody has.
    """

    slip: int
    table: TableFelt
    sitter: Sitter
    cents: int
    holder: str
    lies: int
    chips_with: str = CAGE
    has_come: bool = False
    confirmed_by: str = ""
    confirmed_night: int = 0

    @property
    def gone(self) -> int:
        """Return what somebody has taken of it on the way."""
        return 0 if self.has_come else self.cents - self.lies

    @property
    def is_open(self) -> bool:
        """Say whether nobody has confirmed that they came."""
        return not self.confirmed_by

    @property
    def is_wrong(self) -> bool:
        """Say whether somebody has confirmed that they came, and they have not."""
        return bool(self.confirmed_by) and not self.has_come

    def goes_to(self, holder: str, chips_with: str) -> None:
        """Hand the chips to `holder`, who is a cashier or a runner (`chips_with`)."""
        self.holder, self.chips_with = holder, chips_with

    def is_robbed(self, cents: int) -> None:
        """Take chips in cents that the log does not know of: who carries them steals them."""
        self.lies -= cents

    def comes(self) -> None:
        """Put what is left of them in front of their player."""
        self.sitter.stack += self.lies
        self.table.not_come -= self.lies
        self.lies, self.has_come = 0, True

    def confirm(self, name: str, night: int) -> None:
        """Somebody taps that they came; a second tap changes nothing."""
        if not self.confirmed_by:
            self.confirmed_by, self.confirmed_night = name, night


@dataclass
class Deliveries:
    """All chips that were sent to seats."""

    all: list[Delivery] = field(default_factory=list)
    played: Counter[str] = field(default_factory=Counter)

    @property
    def chips(self) -> int:
        """Return the chips that really are on their way."""
        return sum(each.lies for each in self.all)

    def on_way(self) -> list[Delivery]:
        """Return those of which something has yet to come."""
        return [each for each in self.all if each.lies]

    def is_sent(self, delivery: Delivery) -> None:
        """Add the chips of a seat that were paid just now and lie with the cashier."""
        self.all.append(delivery)
        delivery.table.not_come += delivery.cents
        self.played["sent"] += 1

    def waits(self, sitter: Sitter) -> bool:
        """Say whether chips are on their way to somebody."""
        return any(each.sitter is sitter for each in self.on_way())

    def come_first(self, sitter: Sitter) -> None:
        """Have all chips that are on their way to somebody come before they leave; nobody confirms it."""
        for each in self.on_way():
            if each.sitter is sitter:
                each.comes()
                self.played["came as they left"] += 1
