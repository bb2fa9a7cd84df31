"""
The chart of accounts: every place where money or chips can be, and nothing else.

Pure data. The ledger's own owners are the house and the players; apps declare the owners and accounts that are theirs,
each in a module of this name (`declare`). An account's kind belongs to one kind of owner and has one unit, so a line
that names owner and kind names one account. Chips and money never mix: a buy-in is money one way and chips the other,
and each sums to zero by itself.

Signs: a place holds what its balance says. What counts found missing stands on an account of its own (negative: there
was too much). A contra account holds the other end and is negative.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Text = str | Promise

MONEY = "money"
CHIPS = "chips"
# The shard of chips in players' hands that left this owner: the room's figure is the sum over all shards, and a single
# one may well be negative (bought at the cage, brought to a table).
HANDS = "hands"


@dataclass(frozen=True)
class Kind:
    """
    What one kind of account holds and is called.

    A promise can never go below zero, a contra holds the other end; `is_sold` says that these are chips which the house
    has sold and not bought back.
    """

    unit: str
    words: Text
    is_promise: bool = False
    is_contra: bool = False
    is_sold: bool = False


@dataclass(frozen=True)
class Owner:
    """What owners of a kind are called, their accounts in the order of the ledger's page, and their rank there."""

    words: Text
    accounts: dict[str, Kind]
    rank: int


CHART: dict[str, Owner] = {}


def in_hands() -> Kind:
    """Return the kind of a shard of chips in players' hands (`HANDS`)."""
    return Kind(CHIPS, _("in players' hands"), is_sold=True)


def declare(owner_kind: str, owner: Owner) -> None:
    """Make a kind of owner known, from the AppConfig of whoever keeps chips or money there."""
    assert owner_kind not in CHART, f"{owner_kind} is declared twice"
    CHART[owner_kind] = owner


def add_account(owner_kind: str, name: str, kind: Kind) -> None:
    """
    Give owners of a kind one more account.

    Owners from now on have it; one of before gets it when its accounts are opened again (`open_accounts`).
    """
    accounts = CHART[owner_kind].accounts
    assert name not in accounts, f"{owner_kind} {name} is declared twice"
    accounts[name] = kind


declare(
    "house",
    Owner(
        _("House"),
        {
            "vault_cash": Kind(MONEY, _("cash in the vault")),
            "vault_chips": Kind(CHIPS, _("chips in the vault")),
            "vault_card_slips": Kind(MONEY, _("card slips in the vault")),
            HANDS: in_hands(),
            "chips_issued": Kind(CHIPS, _("chips issued"), is_contra=True),
            "house_money": Kind(MONEY, _("the house's own money"), is_contra=True),
        },
        rank=40,
    ),
)
_deposit = Kind(MONEY, pgettext_lazy("account", "deposit"), is_promise=True)
declare("player", Owner(_("Player"), {"deposit": _deposit}, rank=50))

# What lies in the vault.
VAULT = frozenset({"vault_cash", "vault_chips", "vault_card_slips"})


@dataclass(frozen=True)
class PostingLine:
    """
    One posting to be: which account by its owner and kind, and by how many cents it changes.

    `owner_id` is the id of the row that owns it; for the house it is the room's.
    """

    owner_kind: str
    owner_id: int
    kind: str
    cents: int

    def __post_init__(self) -> None:
        assert self.kind in CHART[self.owner_kind].accounts, f"the chart knows no {self.owner_kind} {self.kind}"


def of_house(room_id: int, kind: str, cents: int) -> PostingLine:
    """Return a line on one of the house's accounts."""
    return PostingLine("house", room_id, kind, cents)


def of_player(player_id: int, cents: int) -> PostingLine:
    """Return a line on a player's deposit."""
    return PostingLine("player", player_id, "deposit", cents)
