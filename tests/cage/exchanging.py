"""Foreign notes that lie in the vault and go from there to be exchanged, for tests."""

from collections.abc import Callable
from datetime import datetime, timedelta

from casino.cage.models import NotesExchanged
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services.counting import Lies, close_drawer, count_signs
from casino.cage.services.exchanges import NEEDS, exchange_notes, exchange_signs, reversal_signs, reverse_exchange
from casino.commands.carrying_out import Answer
from casino.people.models import Staff
from tests.cage.counting import lying, signed
from tests.cage.foreign import notes
from tests.cast import TONIGHT
from tests.tables.conftest import House


def brings(
    by: Staff,
    second: Staff,
    drawer_id: int,
    *counts: tuple[int, int],
    cash: int = 0,
    chips: int = 0,
    at: datetime = TONIGHT,
) -> None:
    """Have a drawer counted by two with notes of kronor, each (units, how many): they lie in the vault then."""
    arguments = {**lying(cash, chips), "foreign": [notes(*counts)]}
    signing = signed(by, second, count_signs(drawer_id, Lies.by(**arguments)), at=at)
    close_drawer(signing, drawer_id=drawer_id, **arguments, approved_by_id=second.pk)


def brings_all(house: House, *counts: tuple[int, int]) -> None:
    """Have drawer 1 counted as it should be, with these notes, and closed."""
    lies = drawer_figures(house.drawer_id)
    house.at += timedelta(seconds=1)
    mari, frans, cash, chips = house.cast.mari, house.cast.frans, lies["cash"], lies["chips"]
    brings(mari, frans, house.drawer_id, *counts, cash=cash, chips=chips, at=house.at)


def exchanges(
    by: Staff, second: Staff, *counts: tuple[int, int], got: int, currency: str = "SEK", at: datetime = TONIGHT
) -> NotesExchanged:
    """Have notes exchanged by two, each (units, how many); return it."""
    answer = exchanging(by, second, *counts, got=got, currency=currency, at=at)()
    return NotesExchanged.objects.get(id=answer.data["exchange_id"])


def exchanging(
    by: Staff, second: Staff, *counts: tuple[int, int], got: int, currency: str = "SEK", at: datetime = TONIGHT
) -> Callable[[], Answer]:
    """Return what exchanges notes, signed and ready to be sent."""
    arguments = {**notes(*counts, currency=currency), "got_cents": got}
    signing = signed(by, second, exchange_signs(**arguments), needs=NEEDS, at=at)
    return lambda: exchange_notes(signing, **arguments, approved_by_id=second.pk)


def takes_back(by: Staff, second: Staff, exchange: NotesExchanged, *, reason: str = "not_taken") -> None:
    """Have an exchange taken back by two."""
    taking_back(by, second, exchange, reason=reason)()


def taking_back(by: Staff, second: Staff, exchange: NotesExchanged, *, reason: str) -> Callable[[], Answer]:
    """Return what takes an exchange back, signed and ready to be sent."""
    signing = signed(by, second, reversal_signs(exchange_id=exchange.pk, reason=reason), needs=NEEDS)
    return lambda: reverse_exchange(signing, exchange_id=exchange.pk, reason=reason, approved_by_id=second.pk)
