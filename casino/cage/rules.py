"""What a slip moves, and what to hand over for it. Pure: amounts in, lines out."""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import pairwise

from casino.cage.chart import DRAWER, of_drawer
from casino.ledger.chart import HANDS, PostingLine, of_house, of_player

CASH, CARD, DEPOSIT, VOUCHER, FOREIGN, CHIPS = "cash", "card", "deposit", "voucher", "foreign", "chips"
# What stands for the kind of a slip where lost cash was claimed, which has none.
CLAIMED = "claimed"
# How each kind of slip may be paid. A card gives no cash and takes no chips back; vouchers and foreign notes buy chips
# alone.
METHODS: dict[str, tuple[str, ...]] = {
    "buy_in": (CASH, CARD, DEPOSIT, VOUCHER, FOREIGN),
    "cash_out": (CASH, DEPOSIT),
    "deposit": (CASH, CARD),
    "withdrawal": (CASH,),
    "prize": (CASH, DEPOSIT),
}
# What pays nothing that was sold on paper: vouchers are looked up and notes have a rate, and neither was there.
NOT_ON_PAPER = (VOUCHER, FOREIGN)
# Where money lies that was brought so, and is not on a deposit.
_PLACES = {CASH: "cash", CARD: "card_slips"}
# What a guest without a name answers who is asked whose chips these are.
UNNAMED = ("bought_today", "of_another_day", "from_another", "gives_no_name")
# What leaves the house, in cash or onto a deposit.
PAYOUTS = ("cash_out", "withdrawal", "prize")
# After this come the numbers of racks that sell; those of drawers and banks are typed, and small.
NUMBERS_AFTER = 1000
# What goes between the vault and a drawer.
VAULT_GIVES = (CASH, CHIPS)


def money_in(amount_cents: int, *, method: str, drawer_id: int, player_id: int | None) -> list[PostingLine]:
    """
    Return the lines for money that a player gives to the cage: across the counter, by card, or from a deposit.

    A negative amount is money that the player is given. The lines sum to zero.
    """
    if method == DEPOSIT:
        assert player_id is not None, "a deposit belongs to somebody"
        return [of_player(player_id, -amount_cents), of_drawer(drawer_id, "deposits_held", amount_cents)]
    return [of_drawer(drawer_id, _PLACES[method], amount_cents), of_drawer(drawer_id, "outside", -amount_cents)]


def voucher_lines(amount_cents: int, *, room_id: int) -> list[PostingLine]:
    """Return the lines by which the house promises an amount on vouchers (negative: does no more). They sum to zero."""
    return [of_house(room_id, "vouchers", amount_cents), of_house(room_id, "vouchers_given", -amount_cents)]


def foreign_in(amount_cents: int, *, value_cents: int, drawer_id: int) -> list[PostingLine]:
    """
    Return the lines for foreign notes worth `value_cents` that pay an amount: what is too much goes back in cash.

    They sum to zero; players have brought the amount.
    """
    return [
        of_drawer(drawer_id, "foreign_notes", value_cents),
        of_drawer(drawer_id, CASH, amount_cents - value_cents),
        of_drawer(drawer_id, "outside", -amount_cents),
    ]


def exchange_lines(worth_cents: int, got_cents: int, *, room_id: int) -> list[PostingLine]:
    """
    Return the lines for foreign notes that stood at `worth_cents` in the vault and brought `got_cents` in cash there.

    They sum to zero: what was got less is lost by the exchange, what was got more is won.
    """
    return [
        of_house(room_id, "vault_foreign_notes", -worth_cents),
        of_house(room_id, "vault_cash", got_cents),
        of_house(room_id, "exchange_difference", worth_cents - got_cents),
    ]


def worth(face_cents: int, rate_millionths: int, *, coin_cents: int) -> int:
    """
    Return what foreign notes are worth in the room's money, in cents, rounded down to what its smallest coin pays.

    `face_cents` are minor units of theirs, `rate_millionths` what one unit is worth, in millionths of the room's.
    """
    cents = face_cents * rate_millionths // 10**6
    return cents - cents % coin_cents


def worth_found(face_cents: int, taken: tuple[int, int], rate_millionths: int) -> int:
    """
    Return what foreign notes that a count found are worth, in cents: at the rate at which they were taken, on average.

    `taken` is what was taken of that currency, as (face, value); where nothing was, `rate_millionths` says it.
    """
    taken_face_cents, taken_cents = taken
    if taken_face_cents:
        return taken_cents * face_cents // taken_face_cents
    return worth(face_cents, rate_millionths, coin_cents=1)


def found_lines(amount_cents: int, what: str, *, drawer_id: int) -> list[PostingLine]:
    """Return the lines for chips or cash (`what`) that were found, into a drawer (negative: out again). Zero in all."""
    if what == CHIPS:
        return chips_back(amount_cents, drawer_id=drawer_id)
    return [of_drawer(drawer_id, "cash", amount_cents), of_drawer(drawer_id, "outside", -amount_cents)]


def unclaimed_lines(amount_cents: int, *, room_id: int) -> list[PostingLine]:
    """Return the lines by which the house owes what was found (negative: owes it no more). They sum to zero."""
    return [of_house(room_id, "unclaimed", amount_cents), of_house(room_id, "unclaimed_held", -amount_cents)]


def deposit_in(amount_cents: int, *, drawer_id: int, player_id: int) -> list[PostingLine]:
    """Return the lines that put an amount on a player's deposit (negative: take it off). They sum to zero."""
    return [of_player(player_id, amount_cents), of_drawer(drawer_id, "deposits_held", -amount_cents)]


def is_onto_deposit(kind: str, method: str | None) -> bool:
    """Say whether a slip of this kind, paid so, puts its amount on a player's deposit."""
    return kind == DEPOSIT or (kind in PAYOUTS and method == DEPOSIT)


def chips_back(amount_cents: int, *, drawer_id: int) -> list[PostingLine]:
    """Return the lines for chips that come over the counter from players' hands. They sum to zero."""
    return [of_drawer(drawer_id, "chips", amount_cents), of_drawer(drawer_id, HANDS, -amount_cents)]


def cash_out_of(lines: Iterable[PostingLine]) -> int:
    """Return how much cash these lines take out of a drawer, in cents; nothing or less where they put some in."""
    return -sum(line.cents for line in lines if (line.owner_kind, line.kind) == (DRAWER, CASH))


def chips_out_of(lines: Iterable[PostingLine]) -> int:
    """Return how many chips these lines take out of a drawer, in cents, as `cash_out_of`."""
    return -sum(line.cents for line in lines if (line.owner_kind, line.kind) == (DRAWER, CHIPS))


def from_vault(amount_cents: int, what: str, *, room_id: int, drawer_id: int) -> list[PostingLine]:
    """Return the lines that fill a drawer with cash or chips (negative: take them back). They sum to zero."""
    return [of_house(room_id, f"vault_{what}", -amount_cents), of_drawer(drawer_id, what, amount_cents)]


def cents_of(pieces: Iterable[Mapping[str, int]]) -> int:
    """Return what pieces come to, each {"value_cents": ..., "count": ...}."""
    return sum(each["value_cents"] * each["count"] for each in pieces)


def added_up(pieces: Iterable[Mapping[str, int]]) -> list[list[int]]:
    """Return how many there are of each value, [[value in cents, how many], ...], greatest first."""
    by_value: dict[int, int] = {}
    for each in pieces:
        by_value[each["value_cents"]] = by_value.get(each["value_cents"], 0) + each["count"]
    return [[value, count] for value, count in sorted(by_value.items(), reverse=True) if count]


def who_counts(asker_id: int, second_id: int, *, never: Container[int]) -> int | None:
    """Return who of two counts: who asks, or else who signs, but none of `never`; None where neither may."""
    return next((each for each in (asker_id, second_id) if each not in never), None)


def hand_over(amount_cents: int, values: Sequence[int]) -> list[tuple[int, int]]:
    """
    Return how to make up an amount from the fewest pieces, as (value in cents, how many), greatest first.

    `values` are cents, greatest first. What they cannot make up exactly is left out.
    """
    pieces, rest = [], amount_cents
    for value in values:
        count, rest = divmod(rest, value)
        if count:
            pieces.append((value, count))
    return pieces


# How many pieces of a value a stack to play with has, at most, beneath its greatest one.
_PIECES_MAX = 20


def to_play_with(amount_cents: int, values: Sequence[int], *, stake_cents: int) -> list[tuple[int, int]]:
    """
    Return how to make up a stack for a game whose smallest forced bet is `stake_cents`, as `hand_over`.

    It begins with what that bet is posted in, some twenty pieces of each value, and ends with at least four of the
    greatest: 200 € for 2/2 are 4 × 25, 16 × 5 and 20 × 1. What cannot be made up so is made up of the fewest pieces.
    """
    fit = sorted(value for value in values if value * 4 <= amount_cents)
    small = [value for value in fit if value <= stake_cents and amount_cents % value == 0]
    if not small:
        return hand_over(amount_cents, values)
    fit = fit[fit.index(small[-1]) :]
    pieces, rest = [], amount_cents
    for value, next_value in pairwise(fit):
        most = min(_PIECES_MAX, rest // (2 * value))
        count = next((each for each in range(most, -1, -1) if (rest - each * value) % next_value == 0), None)
        if count is None:
            return hand_over(amount_cents, values)
        pieces.append((value, count))
        rest -= count * value
    pieces.append((fit[-1], rest // fit[-1]))
    return [(value, count) for value, count in reversed(pieces) if count]
