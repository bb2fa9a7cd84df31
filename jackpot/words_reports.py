"""A report of the jackpots in words: its rows, in the order in which they add up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from jackpot.models import Movement
from jackpot.selectors.reconciling import COUNTED, EQUATIONS, LINES, PoolFigures
from jackpot.words import MOVEMENTS

WORDS: dict[str, str | Promise] = {
    "opening": _("Sum before the first day"),
    **{name: MOVEMENTS[kind] for name, kind in LINES.items()},
    "takings": _("Takings that joined the sum"),
    "claims": _("Won by players"),
    "closing": _("Sum after the last day"),
    "owed_opening": _("To be paid before the first day"),
    "won": _("Won in these days"),
    "paid": _("Paid at the cage"),
    "owed_closing": _("To be paid after the last day"),
    "waited_opening": _("Waited before the first day"),
    "dropped": _("Dropped, by the log of hands"),
    "covered": _("Covered by the house"),
    "joined": _("Joined the sum"),
    "waited_closing": _("Waits after the last day"),
    "counted": _("Counted in the drop boxes"),
    "over_short": _("Over or short"),
    "uncounted": _("Not counted yet"),
}
TITLES = (_("The sum"), _("Won and still to be paid"), _("Drops of the hands"))
# Said where there was any; the others always, so that each line adds up at a glance.
_RARE = {"paid_out", "corrections", "seed_recovered", "moved_in", "moved_out", "covered"}
NOT_COUNTED = _("not counted")


@dataclass(frozen=True)
class Row:
    """
    One figure of a pool in cents, as the report has it and as the ledger has it.

    `since_cents` is by how much it differs now from what was signed.
    """

    name: str
    words: str
    cents: int
    ledger_cents: int
    is_balance: bool
    since_cents: int = 0


@dataclass(frozen=True)
class Section:
    """What adds up: a title and its rows; beside the drops what was `counted` of them, where anybody counted."""

    title: str
    rows: Sequence[Row]
    counted: Sequence[Row] = ()

    @property
    def has_changed(self) -> bool:
        """Whether any of it is something else now than what was signed."""
        return any(row.since_cents for row in (*self.rows, *self.counted))


def span_words(first: date, last: date) -> str:
    """Return a span as it is written: one day, or from one to another."""
    return "–".join(date_format(each, "j.n.Y") for each in dict.fromkeys((first, last)))


def sections(pool: PoolFigures, since: Mapping[str, int]) -> Iterator[Section]:
    """Yield a pool's figures in the active language; `since` is by how much they differ now from what was signed."""
    for title, (opening, lines, closing) in zip(TITLES, EQUATIONS, strict=True):
        rows = [
            Row(
                name,
                str(WORDS[name]),
                pool.history[name],
                pool.ledger[name],
                name in {opening, closing},
                since.get(name, 0),
            )
            for name in (opening, *lines, closing)
            if name not in _RARE or pool.history[name] or pool.ledger[name] or since.get(name)
        ]
        yield Section(str(title), rows, _counted(pool, since) if "dropped" in lines else ())


def _counted(pool: PoolFigures, since: Mapping[str, int]) -> list[Row]:
    """Return what was counted of the drops, the ledger being none of it; nothing where nobody counted."""
    if pool.counted is None and not any(since.get(name) for name in COUNTED if name != "uncounted"):
        return []
    counted = pool.all_figures
    return [Row(name, str(WORDS[name]), counted[name], counted[name], False, since.get(name, 0)) for name in COUNTED]


# Each is listed by itself beside a report: who asked and who signed.
DOCUMENTED = [kind for kind in Movement.Kind.values if kind not in {Movement.Kind.SEED, Movement.Kind.TAKINGS}]
