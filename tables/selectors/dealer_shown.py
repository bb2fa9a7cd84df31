"""What the dealer's tablet shows of its table, and how it travels to the tablet's script."""

from dataclasses import dataclass, replace
from typing import Any

from msgspec import to_builtins

from casino.poker.positions import PostKind
from tables.charges import OnTablet
from tables.selectors.places import Before, Held, Places
from tables.selectors.time_charges import TimeDue


@dataclass(frozen=True)
class PostShown:
    """What a seat puts in before the deal, in cents. `kind` as in `casino.poker.positions.PostKind`."""

    seat: int
    kind: str
    live: int
    dead: int


@dataclass(frozen=True)
class LaidDown:
    """The missed blind markers that lie at a seat once the hand has begun."""

    seat: int
    missed: int


@dataclass(frozen=True)
class HandStart:
    """
    What a hand begins with: button and blinds by seat, who is dealt in (in dealing order), who posts what, and where
    missed blind markers are laid down. Button and big blind are None where nobody told them.
    """

    button: int | None
    small_blind: int | None
    big_blind: int | None
    dealt_in: tuple[int, ...]
    posts: tuple[PostShown, ...]
    laid_down: tuple[LaidDown, ...] = ()


@dataclass(frozen=True)
class WayIn:
    """A way into the blinds, and what it costs in cents. `entry` as in `casino.poker.positions.Entry`."""

    entry: str
    live: int
    dead: int


@dataclass(frozen=True)
class Holder:
    """
    The absent player in whose seat somebody plays over (H4.48), as `Seat`. `missed` counts the missed blinds for which
    this player chooses a way in on coming back; None: comes back for nothing.

    `markers` are those that lie there, and `paid` those of before the last hand on which the other one paid the big
    blind there, None where there was none. `is_held` no more: the seat goes back when the hand is over.
    """

    seating: int
    version: int
    name: str
    missed: int | None
    entry: str
    markers: int
    paid: int | None
    straddles: bool
    is_held: bool
    away: str
    until: str
    late: str
    has_chips: bool
    sees_floor: bool


@dataclass(frozen=True)
class Seat:
    """
    One seat of the ring; a free one has no `seating`. `name` may stand in a sentence (`isolated`).

    `called` is who was called to a free seat, `called_until` until when it is promised (H2.6). `missed` counts the
    missed blind markers, `away` is when the seat was held, by the room's clock; `until` is the moment until which it
    is, "" where buttons are counted: then `late` is "soon" or "over" (H1.10, R-§4). `wants_seat_change`: the player
    would like another one (H2.13). `joins_hand` is the number of the hand into which a newcomer who posts now is
    dealt. `sees_floor`: this player plays no further hand, and players who read the tablet learn no more than that.
    """

    number: int
    seating: int | None = None
    version: int | None = None
    name: str = ""
    entry: str = ""
    missed: int = 0
    straddles: bool = False
    is_held: bool = False
    away: str = ""
    until: str = ""
    late: str = ""
    has_chips: bool = False
    sees_floor: bool = False
    wants_seat_change: bool = False
    holder: Holder | None = None
    joins_hand: int | None = None
    called: str = ""
    called_until: str = ""

    @property
    def is_free(self) -> bool:
        return self.seating is None


@dataclass(frozen=True)
class InProgress:
    """
    The hand that is being played.

    `held` is who holds what on it, None where nobody told its button; `names` are those dealt in, by seat, whoever sits
    there since; `seatings` those of them who still have a seat. `before` as in `Last`, also while it is played.
    `gives_back` are the seats that go back to their holders when it is over: the seating of the holder, and of who
    plays there.
    """

    hand_id: str
    number: int
    is_beyond: bool
    start: HandStart
    dealt_at: str | None
    beyond_at: str | None
    held: Held | None
    names: dict[int, str]
    seatings: tuple[int, ...]
    before: Before | None
    gives_back: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class PotsAndCharges:
    """
    What was logged of a hand: its pots in cents, main pot first (none: nobody counted them), and what was taken of each
    kind of charge, which lies in the boxes whatever becomes of the log.
    """

    pots: tuple[int, ...]
    is_at_least: bool
    is_without_flop: bool
    taken: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Last:
    """
    The table's newest finished hand. `pot` is cents, None where nobody counted it.

    `can_undo`: nothing has been dealt since, so its own dealer may take it back; then it begins once more with `start`,
    and `logged` is what of it is kept; `before` is what that gives back, None where it cannot be.
    """

    hand_id: str
    number: int
    dealt_at: str | None
    status: str
    dealer_id: int | None
    pot: int | None
    is_at_least: bool
    winners: tuple[str, ...]
    start: HandStart
    can_undo: bool
    logged: PotsAndCharges
    before: Before | None


@dataclass(frozen=True)
class Undone:
    """A hand that was taken back and is still to be logged again, by the terms under which it was dealt."""

    hand_id: str
    number: int
    logged: PotsAndCharges
    dealt_at: str | None


@dataclass(frozen=True)
class Requested:
    """A request that a seat waits for, as the rack may sell it: whose, which slip at which version, how many cents."""

    seating: int
    slip: int
    version: int
    cents: int


@dataclass(frozen=True)
class Offer:
    """
    The game as the tablet needs it. Amounts are cents.

    `has_straddles`: a player may have one standing, by the rule `straddle`; `button` is what becomes of the button.
    `ways` are the ways into the blinds of a player who is not in them, by the number of missed blind markers, the one
    that costs nothing first. `charges` are in the order in which they are taken. `buy_ins` are those one tap away,
    `acts` the codes of what other apps let a dealer do here (`tables.acts`). `sells`: chips are sold out of the rack.
    """

    name: str
    structure: str
    small_blind: int
    big_blind: int
    buy_in_min: int
    buy_in_max: int | None
    buy_ins: tuple[int, ...]
    chip: int
    has_straddles: bool
    straddle: str
    button: str
    players_min: int
    may_two_go_on: bool
    ways: tuple[tuple[WayIn, ...], ...]
    charges: tuple[OnTablet, ...]
    acts: tuple[str, ...]
    sells: bool


@dataclass(frozen=True)
class DealerScreen:
    """
    Everything that the dealer's tablet shows of one table.

    `opening_id` is what hands name as the game they belong to. `seats` holds every seat of the table. `ahead` is what
    the next hands begin with, the next one first, while nobody comes or goes; it is empty while too few can play.
    `places` is what they follow from, once somebody does.
    `is_draw_due`: no hand has been played and nobody has said who won the button draw (H4.22); `is_first`: none has
    been played. `time` is the period to be paid next where the game charges by the time (H1.91). `last` is the hand
    before, `last_hand_number` the final one's: the table closes after it (H2.22).

    `is_held`: nothing is dealt until the floor has decided about the hand before. `is_day_over`: it plays on over the
    gaming day's end, and the next day is not open: what is tapped waits on the tablet, and no hand is begun.

    `won_button` is where the button lies that the winner gets (H4.15), `betting_button` the second of two (H4.16), None
    where the game has no such button. `warning_minutes` before the limit an absence is shown as ending;
    `has_long_break`: the house knows that of the evening (H1.9). `requested` is what seats wait for from the cage,
    where the rack sells.
    """

    table: int
    version: int
    opening_id: int | None
    # Read by a page that was loaded before its own head named them, until that page is loaded anew.
    currency: str
    locale: str
    hand_number: int
    offer: Offer | None
    seats: tuple[Seat, ...]
    hand: InProgress | None
    last: Last | None
    undone: Undone | None
    ahead: tuple[HandStart, ...]
    places: Places | None
    is_draw_due: bool
    is_first: bool
    won_button: int | None
    betting_button: int | None
    warning_minutes: int
    has_long_break: bool
    is_held: bool = False
    is_day_over: bool = False
    time: TimeDue | None = None
    last_hand_number: int | None = None
    requested: tuple[Requested, ...] = ()

    @property
    def start(self) -> HandStart | None:
        """Return what the hand that the ring shows begins with: the one in progress, else the next."""
        return self.hand.start if self.hand else next(iter(self.ahead), None)

    def as_json(self) -> dict[str, Any]:
        """Return the same as plain data for the tablet's script, by the same names (static/brush/dealer/table.d.ts)."""
        # Not `asdict`, which takes a millisecond for it.
        data: dict[str, Any] = to_builtins(replace(self, ahead=(), time=None))
        data["time"] = _period(self.time) if self.time else None
        data["ahead"] = [_start(start) for start in self.ahead]
        for name, hand in (("hand", self.hand), ("last", self.last)):
            if hand is not None:
                data[name]["start"] = _start(hand.start)
        return data


def _start(start: HandStart) -> dict[str, Any]:
    # Not by `asdict`, which takes its time over thirty of them. Blinds follow from the seats: only what others post
    # travels.
    blinds = {PostKind.SMALL_BLIND, PostKind.BIG_BLIND}
    return {
        "button": start.button,
        "small_blind": start.small_blind,
        "big_blind": start.big_blind,
        "dealt_in": list(start.dealt_in),
        "posts": [vars(post) for post in start.posts if post.kind not in blinds],
        "laid_down": [vars(each) for each in start.laid_down],
    }


def _period(time: TimeDue) -> dict[str, Any]:
    return {
        "opening_id": time.opening,
        "number": time.number,
        "begins_at": time.begins_at.isoformat() if time.begins_at else None,
        "minutes": time.minutes,
        "kind": time.kind,
        "shares": [vars(share) for share in time.shares],
    }
