"""Whether a player may buy for a seat now: the game's limits, the house's readings, and what was bought tonight."""

from datetime import datetime

from casino.cage.services.amounts import check_brought
from casino.people.standing import ids_of
from casino.poker.buyins import ShortBuyIn
from tables.models import Seating
from tables.rules.buying import check_purchase, stack_from
from tables.services.stack_brought_back import check_comes_back
from tables.terms import Terms


def check_purchase_at(
    seating: Seating,
    *,
    amount_cents: int,
    stack: int | str | None,
    at: datetime,
    was_requested: bool = False,
    has_slip: bool = False,
) -> bool:
    """
    Let a purchase for a seat pass that the rules allow, and say whether it is the evening's short buy-in.

    The player is locked: two tables lock their own rows and would each grant what is the evening's.

    `stack` is as somebody said it: cents counted, "under_blind", "full", or None; not looked at where the player has
    put no chips on the table yet. `was_requested`: the stack that a player comes back with was looked at then.
    `has_slip`: the cage asks of its slips how much anybody may bring. One query for that without one, two for what
    the newest chips cannot be.

    Rules: H1.62, H1.64, H2.14-H2.21.
    :raises ValueError: a stack in another word.
    :raises TooMuchAtOnce, NotInChips: more than anybody brings, or chips that do not exist.
    :raises BuyInUnderMinimum, BuyInOverMaximum, StackNeeded: as `check_purchase`.
    :raises StackToBring: the player comes back and brings another stack than they left with.
    """
    terms = seating.opening.terms
    is_first = seating.chips_in_cents == 0
    if is_first and check_comes_back(seating, cents=amount_cents, at=at, was_requested=was_requested):
        # All of it, however it was counted then.
        return False
    if not has_slip:
        # The most that anybody brings and the chips that exist are the room's, at whichever table.
        check_brought(seating.room_id, amount_cents, at=at)
    known_stack = 0 if is_first else stack_from(stack)
    return check_purchase(
        terms.buy_ins,
        amount_cents=amount_cents,
        stack=known_stack,
        is_first=is_first,
        short=_short_buy_in(seating, terms, amount_cents=amount_cents),
    )


def _short_buy_in(seating: Seating, terms: Terms, *, amount_cents: int) -> ShortBuyIn:
    """
    Say how it stands with the player's short buy-in of the evening, at whichever table (H2.19, A23).

    Two tables cannot grant it at once: nobody sits at two (`Seating`'s constraint).
    """
    if not terms.buy_ins.short_min_cents or amount_cents >= terms.buy_ins.min_cents:
        return ShortBuyIn.NOT_OFFERED
    tonight = Seating.objects.filter(ids_of(seating.player_id), opening__day_id=seating.opening.day_id)
    return ShortBuyIn.USED if tonight.filter(short_buy_in_cents__gt=0).exists() else ShortBuyIn.OPEN
