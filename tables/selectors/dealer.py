"""The dealer's tablet: one table as its dealer sees it, and what the tablet needs to go on alone."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.db.models import Exists, OuterRef

from casino.errors import NotFound
from casino.people.models import Player
from casino.poker.blinds import Entry, LastHand, NextHand, Occupant, PostKind, hands_ahead
from casino.poker.drop import DropPolicy
from casino.poker.rake import RakePolicy, maximum_from_cents, rake_ladder
from casino.reading import read_once
from casino.rooms.selectors import room_of
from casino.rows import read, read_joined
from casino.text import isolated
from tables.models import Game, Hand, HandPot, HandSeat, Opening, Seating, Table
from tables.selectors.asked import asked_ahead, occupants, seated

# More hands than a table deals in half an hour: no connection stays away longer unnoticed.
HANDS_AHEAD = 30
# A rake without a maximum climbs for ever, in equal steps: so many of them show how.
STEPS_MIN = 3


@dataclass(frozen=True)
class Post:
    """What a seat puts in before the deal, in cents. `kind` as in `casino.poker.blinds.PostKind`."""

    seat: int
    kind: str
    live: int
    dead: int


@dataclass(frozen=True)
class Asked:
    """Seats of one hand: button, blinds, who is dealt in (in dealing order) and who posts what."""

    button: int
    small_blind: int | None
    big_blind: int
    dealt_in: tuple[int, ...]
    posts: tuple[Post, ...]


@dataclass(frozen=True)
class Seat:
    """One seat of the ring; a free one has no `seating`. `name` may stand in a sentence (`isolated`)."""

    number: int
    seating: int | None = None
    version: int | None = None
    name: str = ""
    entry: str = ""
    is_held: bool = False
    has_chips: bool = False

    @property
    def is_free(self) -> bool:
        return self.seating is None

    @property
    def is_new(self) -> bool:
        """Whether the player still chooses between waiting and posting (H4.30, H4.31)."""
        return self.entry in {Entry.WAITS, Entry.POSTS}


@dataclass(frozen=True)
class InProgress:
    """The hand that is being played."""

    hand_id: str
    number: int
    is_beyond: bool
    asked: Asked
    dealt_at: str | None
    beyond_at: str | None


@dataclass(frozen=True)
class Last:
    """
    The table's newest finished hand. `pot` is cents, None where nobody counted it.

    `can_undo`: nothing has been dealt since, so its own dealer may take it back; then `asked` is asked once more.
    """

    hand_id: str
    number: int
    status: str
    dealer_id: int | None
    pot: int | None
    is_at_least: bool
    winners: tuple[str, ...]
    asked: Asked
    can_undo: bool


@dataclass(frozen=True)
class Ladder:
    """
    What the house takes, computed without a connection. Amounts are cents.

    `steps` are (pot from which, rake), from (0, 0). Beyond the last one each further `then[0]` of pot
    takes `then[1]` more; None: the maximum is reached. `maximum_from` is the pot from which the key
    "maximum" holds.
    """

    steps: tuple[tuple[int, int], ...]
    then: tuple[int, int] | None
    maximum_from: int | None


@dataclass(frozen=True)
class Offer:
    """The game as the tablet needs it. Amounts are cents."""

    name: str
    structure: str
    small_blind: int
    big_blind: int
    buy_in_min: int
    buy_in_max: int | None
    chip: int
    rake: Ladder
    drop: DropPolicy | None


@dataclass(frozen=True)
class DealerScreen:
    """
    Everything that the dealer's tablet shows of one table.

    `seats` holds every seat of the table. `ahead` is what the next hands ask, the next one first, while
    nobody comes or goes; it is empty when fewer than two can play. `is_draw_due`: no hand has been played
    and nobody has said who won the button draw (H4.22).
    """

    table: int
    version: int
    currency: str
    locale: str
    hand_number: int
    offer: Offer | None
    seats: tuple[Seat, ...]
    hand: InProgress | None
    last: Last | None
    ahead: tuple[Asked, ...]
    is_draw_due: bool

    @property
    def asked(self) -> Asked | None:
        """Return the hand that the ring shows: the one in progress, else the next."""
        return self.hand.asked if self.hand else next(iter(self.ahead), None)

    def as_json(self) -> dict[str, Any]:
        """Return the same as plain data for the tablet's script; what hands ask as short lists (`_short`)."""
        data = asdict(replace(self, ahead=()))
        data["ahead"] = [_short(asked) for asked in self.ahead]
        for name, hand in (("hand", self.hand), ("last", self.last)):
            if hand is not None:
                data[name]["asked"] = _short(hand.asked)
        return data


_TABLE = """FROM tables_table
    LEFT JOIN tables_opening ON tables_opening.id = tables_table.opening_id
    LEFT JOIN tables_game ON tables_game.id = tables_opening.game_id
    LEFT JOIN tables_hand ON tables_hand.id = tables_table.hand_id
    WHERE tables_table.room_id = %s AND tables_table.number = %s"""
_DEALT = """FROM tables_handseat JOIN people_player ON people_player.id = tables_handseat.player_id
    WHERE tables_handseat.hand_id = ANY(%s) ORDER BY tables_handseat.seat_number"""


@read_once
def dealer_screen(*, room_id: int, number: int) -> DealerScreen:
    """
    Return the dealer's screen of a table. Six queries at most.

    :raises NotFound: the room has no such table.
    """
    found = read_joined((Table, Opening, Game, Hand), _TABLE, room_id, number)
    if not found:
        raise NotFound(what="table")
    table, opening, game, table.hand = found[0]
    if opening is not None:
        table.opening, opening.game = opening, game
    room = room_of(room_id)
    seatings = seated(table.pk) if opening else []
    newest = _newest_hand(opening)
    dealt = _dealt(table.hand, newest)
    return DealerScreen(
        table=table.number,
        version=table.version,
        currency=room.currency,
        locale=room.locale,
        hand_number=table.hand_number,
        offer=_offer(opening.game) if opening else None,
        seats=_seats(opening.game, seatings) if opening else (),
        hand=_in_progress(table.hand, dealt) if table.hand else None,
        last=_last(newest, dealt) if newest else None,
        ahead=_ahead(opening, seatings, table.hand, dealt) if opening else (),
        is_draw_due=opening is not None and opening.draw is None and opening.last is None and table.hand is None,
    )


def _newest_hand(opening: Opening | None) -> Hand | None:
    if opening is None:
        return None
    standing = [Hand.Status.SETTLED, Hand.Status.NOT_LOGGED]
    # What came late is neither the newest hand nor a next one: it is the floor's.
    in_turn = Hand.objects.exclude(before={})
    dealt_since = in_turn.filter(table=OuterRef("table"), id__gt=OuterRef("id"), corrects=None)
    found = in_turn.filter(opening=opening, status__in=standing).annotate(is_old=Exists(dealt_since))
    return found.order_by("-number", "-id").first()


def _dealt(*hands: Hand | None) -> dict[int, list[HandSeat]]:
    """Return who was dealt into these hands, by hand's row, in the order of the seats. One query."""
    rows = [hand.pk for hand in hands if hand is not None]
    found: dict[int, list[HandSeat]] = {row: [] for row in rows}
    if rows:
        for seat, player in read_joined((HandSeat, Player), _DEALT, rows):
            seat.player = player
            found[seat.hand_id].append(seat)
    return found


def _seats(game: Game, seatings: Sequence[Seating]) -> tuple[Seat, ...]:
    taken = {
        seating.seat_number: Seat(
            number=seating.seat_number,
            seating=seating.pk,
            version=seating.version,
            name=isolated(seating.player.nickname),
            entry=seating.entry,
            is_held=seating.is_held,
            has_chips=seating.chips_in_cents > 0,
        )
        for seating in seatings
    }
    return tuple(taken.get(number, Seat(number)) for number in range(1, game.seats + 1))


def _short(asked: Asked) -> list[Any]:
    # Blinds follow from the seats: only what newcomers post travels.
    posts = [[post.seat, post.live, post.dead] for post in asked.posts if post.kind == PostKind.NEW_PLAYER]
    return [asked.button, asked.small_blind, asked.big_blind, list(asked.dealt_in), posts]


def _asked(hand: NextHand) -> Asked:
    posts = tuple(Post(post.seat_number, post.kind.value, post.live_cents, post.dead_cents) for post in hand.posts)
    return Asked(hand.button, hand.small_blind, hand.big_blind, hand.dealt_in, posts)


def _played(hand: Hand, dealt: Sequence[HandSeat]) -> Asked:
    posts = tuple(Post(seat.seat_number, seat.post, seat.live_cents, seat.dead_cents) for seat in dealt if seat.post)
    # The dealing order, the button last (H4.1).
    numbers = [seat.seat_number for seat in dealt]
    order = sorted(numbers, key=lambda seat: (seat <= hand.button_seat, seat))
    return Asked(hand.button_seat, hand.small_blind_seat, hand.big_blind_seat, tuple(order), posts)


def _in_progress(hand: Hand, dealt: dict[int, list[HandSeat]]) -> InProgress:
    return InProgress(
        hand_id=str(hand.hand_id),
        number=hand.number,
        is_beyond=hand.beyond_initial_deal_at is not None,
        asked=_played(hand, dealt[hand.pk]),
        dealt_at=hand.dealt_at.isoformat() if hand.dealt_at else None,
        beyond_at=hand.beyond_initial_deal_at.isoformat() if hand.beyond_initial_deal_at else None,
    )


def _last(hand: Hand, dealt: dict[int, list[HandSeat]]) -> Last:
    names = {seat.seat_number: isolated(seat.player.nickname) for seat in dealt[hand.pk]}
    won = {number for pot in read(HandPot, "WHERE hand_id = %s", hand.pk) for number in pot.winner_seats}
    return Last(
        hand_id=str(hand.hand_id),
        number=hand.number,
        status=hand.status,
        dealer_id=hand.dealer_id,
        pot=hand.pot_cents,
        is_at_least=hand.pot_is_at_least,
        winners=tuple(names.get(number, str(number)) for number in sorted(won)),
        asked=_played(hand, dealt[hand.pk]),
        can_undo=not hand.is_old,  # type: ignore[attr-defined]  # annotated
    )


def _ahead(
    opening: Opening, seatings: Sequence[Seating], hand: Hand | None, dealt: dict[int, list[HandSeat]]
) -> tuple[Asked, ...]:
    """Return what the hands ask that come after the one in progress, or from now on while there is none."""
    game = opening.game
    if hand is None:
        return tuple(map(_asked, asked_ahead(opening, game, seatings, count=HANDS_AHEAD)))
    players = {seat.seat_number: seat.player_id for seat in dealt[hand.pk]}
    hands = hands_ahead(
        _once_played(occupants(seatings), set(players.values())),
        _as_last(hand, players),
        count=HANDS_AHEAD,
        small_blind_cents=game.small_blind_cents,
        big_blind_cents=game.big_blind_cents,
        seats=game.seats,
    )
    return tuple(map(_asked, hands))


def _once_played(now: Sequence[Occupant], dealt_in: set[int]) -> tuple[Occupant, ...]:
    """Return the occupants as they are once the hand in progress is over: whoever was dealt in is in rotation."""
    return tuple(replace(o, entry=Entry.IN) if o.player_id in dealt_in else o for o in now)


def _as_last(hand: Hand, players: dict[int, int]) -> LastHand:
    return LastHand(
        button_seat=hand.button_seat,
        button_player_id=players.get(hand.button_seat),
        small_blind_seat=hand.small_blind_seat,
        small_blind_player_id=players.get(hand.small_blind_seat) if hand.small_blind_seat else None,
        big_blind_seat=hand.big_blind_seat,
        big_blind_player_id=players.get(hand.big_blind_seat, 0),
        was_heads_up=len(players) == 2,
    )


def _offer(game: Game) -> Offer:
    return Offer(
        name=game.name,
        structure=game.structure,
        small_blind=game.small_blind_cents,
        big_blind=game.big_blind_cents,
        buy_in_min=game.buy_in_min_cents,
        buy_in_max=game.buy_in_max_cents,
        chip=game.chip_cents,
        rake=ladder_of(game.rake_policy),
        drop=game.drop_policy,
    )


def ladder_of(policy: RakePolicy | None) -> Ladder:
    """
    Return the ladder that travels with the page: the policy's own up to its maximum, or up to where it
    goes on in equal steps for ever. No policy takes nothing from pots (H1.91).
    """
    if policy is None:
        return Ladder(((0, 0),), None, None)
    maximum_from = maximum_from_cents(policy)
    if maximum_from is not None:
        return Ladder(rake_ladder(policy, up_to_cents=maximum_from), None, maximum_from)
    steps = rake_ladder(policy, up_to_cents=(STEPS_MIN - 1) * policy.block_cents)
    (before, less), (end, rake) = steps[-2:]
    return Ladder(steps, (end - before, rake - less), None)
