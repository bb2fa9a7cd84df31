"""
The chart of accounts: every place where money or chips can be, and nothing else.

Pure data; apps add the accounts that are theirs (`declare`). A kind belongs to one kind of owner and has one unit, so a
line that names owner and kind names one account. Chips and money never mix: a buy-in is money one way and chips the
other, and each sums to zero by itself.

Signs: a place holds what its balance says. `difference` and `over_short` hold what is *missing*
there (negative: there was too much). A contra account holds the other end and is negative.
"""

from dataclasses import dataclass

MONEY = "money"
CHIPS = "chips"


@dataclass(frozen=True)
class Kind:
    """What one kind of account holds; a promise can never go below zero, a contra holds the other end."""

    unit: str
    is_promise: bool = False
    is_contra: bool = False


_chips = Kind(CHIPS)
_money = Kind(MONEY)

CHART: dict[str, dict[str, Kind]] = {
    "table": {
        "float": _chips,
        "in_play": _chips,
        "tip_box": _chips,
        "difference": _chips,
        # Disputed pots, counted, each under its hand's name, until the floor has decided.
        "set_aside": _chips,
        # Chips in players' hands, the shard of what left this table: the room's figure is the sum over all
        # shards, and a single one may well be negative (bought at the cage, brought to this table).
        "hands": _chips,
    },
    "drawer": {
        "cash": _money,
        "chips": _chips,
        "card_slips": _money,
        "over_short": _money,
        "chips_over_short": _chips,
        "hands": _chips,
        # Money that players brought (negative) and took away, at this drawer.
        "outside": Kind(MONEY, is_contra=True),
        # The other end of the deposits taken and paid at this drawer.
        "deposits_held": Kind(MONEY, is_contra=True),
    },
    "runner": {"carried": _chips, "carried_cash": _money},
    "house": {
        "vault_cash": _money,
        "vault_chips": _chips,
        "vault_card_slips": _money,
        "hands": _chips,
        "chips_issued": Kind(CHIPS, is_contra=True),
        "house_money": Kind(MONEY, is_contra=True),
    },
    "player": {"deposit": Kind(MONEY, is_promise=True)},
}


def declare(owner_kind: str, name: str, kind: Kind) -> None:
    """
    Give owners of a kind one more account, from the AppConfig of whoever keeps chips or money in it.

    Owners from now on have it; one of before gets it when its accounts are opened again (`open_accounts`). A kind of
    owner that the chart does not know yet begins with its first account.
    """
    kinds = CHART.setdefault(owner_kind, {})
    assert name not in kinds, f"{owner_kind} {name} is declared twice"
    kinds[name] = kind


# What lies in the vault.
VAULT = frozenset({"vault_cash", "vault_chips", "vault_card_slips"})


@dataclass(frozen=True)
class Line:
    """
    One posting to be: which account by its owner and kind, and by how many cents it changes.

    `owner_id` is the id of the table, drawer, runner (staff) or player; for the house it is the room's id.
    """

    owner_kind: str
    owner_id: int
    kind: str
    cents: int

    def __post_init__(self) -> None:
        assert self.kind in CHART[self.owner_kind], f"the chart knows no {self.owner_kind} {self.kind}"


def of_table(table_id: int, kind: str, cents: int) -> Line:
    """Return a line on one of a table's accounts."""
    return Line("table", table_id, kind, cents)


def of_drawer(drawer_id: int, kind: str, cents: int) -> Line:
    """Return a line on one of a drawer's accounts."""
    return Line("drawer", drawer_id, kind, cents)


def of_house(room_id: int, kind: str, cents: int) -> Line:
    """Return a line on one of the house's accounts."""
    return Line("house", room_id, kind, cents)


def of_player(player_id: int, cents: int) -> Line:
    """Return a line on a player's deposit."""
    return Line("player", player_id, "deposit", cents)
