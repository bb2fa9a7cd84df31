"""
The truth of the felt: where every chip and every euro really is. Amounts are cents.

Nothing here has heard of a log. A behaviour moves chips here when hands move them, and tells the house about it or
does not; `casino.simulation.checks` then holds the two against each other.
"""

from collections import Counter
from dataclasses import dataclass, field

from casino.simulation.broken import Broken
from casino.simulation.markers import Away, Markers


@dataclass(frozen=True)
class Left:
    """A seat that a player has left with all chips, as long as the leaving may be taken back."""

    table: int
    # Which opening of the table that was: a closed one takes nobody back.
    opening: int
    seating: int
    seat: int
    stack: int
    put_in: int
    is_held: bool


@dataclass
class Player:
    """A guest: the chips in the pocket, the money that they have spent and got, and where they sit."""

    id: int
    nickname: str
    pocket: int = 0
    money: int = 0
    deposit: int = 0
    # What the cage has paid them, in cash or onto the deposit; what was put there and fetched counts twice.
    paid_out: int = 0
    # The number of the table, None for somebody who does not sit.
    table: int | None = None
    # (table, seating, stack) of a departure that nobody counted, until somebody does.
    uncounted: tuple[int, int, int] | None = None
    # (table, seating, chips that the count of a departure forgot) until the floor has put it right.
    miscounted: tuple[int, int, int] | None = None
    left: Left | None = None
    comes_back: bool = True
    # Who has left a seat this evening with chips comes back with as many (H1.64).
    has_left: bool = False
    # In which seating the player has had the evening's long break.
    break_in: int | None = None
    # Not back from it yet.
    is_on_break: bool = False
    # In which seating the player asks for another table.
    asks_in: int | None = None
    # A stack that was picked up from the player's seat and is on its way to the cage, with the slip that waits there.
    carried: int = 0
    carried_slip: int | None = None
    # A document of theirs was seen at the cage.
    is_known: bool = False


@dataclass
class Sitter:
    """A player in a seat, with the chips in front."""

    player: Player
    seating: int
    seat: int
    stack: int = 0
    # All that was put on the table here: whoever has put nothing there yet buys in, and does not top up.
    put_in: int = 0
    is_held: bool = False
    # The slip that waits at the cage for this seat.
    slip: int | None = None


@dataclass
class PotAside:
    """A disputed pot that lies apart, and who was in its hand."""

    cents: int
    players: list[Player]


@dataclass(eq=False)
class TipBox:
    """
    A tip box that nobody has counted: what lies in it, what of that nobody noted, and what somebody took out of it.
    `dealers` dealt into it, the last one last; who takes it along is the last.
    """

    dealers: list[str]
    lies: int
    unnoted: int
    stolen: int

    @property
    def noted(self) -> int:
        """Return what was noted to lie in it."""
        return self.lies + self.stolen - self.unnoted


@dataclass
class TableFelt:
    """A table: who sits there, the chips in the middle, and what its boxes hold."""

    number: int
    sitters: dict[int, Sitter] = field(default_factory=dict)
    middle: int = 0
    rake_box: int = 0
    jackpot_box: int = 0
    # What ever fell into the boxes, by kind of charge.
    fell: Counter[str] = field(default_factory=Counter)
    tip_box: int = 0
    tips_uncounted: int = 0
    # What somebody took out of the tip box since two have counted it, and what was missing at those counts.
    tips_stolen: int = 0
    tips_missing: int = 0
    # What was posted as missing at the table, of tip boxes and as the floor stated it at the end.
    difference: int = 0
    # Where tips are each dealer's own: who has dealt into the box that hangs, and the boxes that were taken along.
    tip_dealers: list[str] = field(default_factory=list)
    tips_apart: list[TipBox] = field(default_factory=list)
    # Which seating each seat saw last, and how often the table was opened: what a leaving taken back hangs on.
    seatings: dict[int, int] = field(default_factory=dict)
    # Who got up last from each seat, by the player's id.
    was_here: dict[int, int] = field(default_factory=dict)
    openings: int = 0
    # Free seats to which somebody was called.
    promised: set[int] = field(default_factory=set)
    # Who is away and holds a seat in which `sitters` has somebody who plays over.
    played_over: dict[int, Sitter] = field(default_factory=dict)
    # Disputed pots by the number of their rows.
    pots_aside: dict[int, PotAside] = field(default_factory=dict)
    markers: Markers = field(default_factory=Markers)
    # Chips that the log has in play here and that were never given: a sale out of the rack was said with a wrong sum.
    sold_wrongly: int = 0
    # Chips that players have taken off the table in the middle of play: the log has them in play here.
    pocketed: int = 0
    # Chips that the log has in play here since they were paid, and that have not come: on their way, or gone on it.
    not_come: int = 0

    @property
    def chips(self) -> int:
        """Return all chips that lie at this table."""
        return (
            self.middle
            + self.rake_box
            + self.jackpot_box
            + self.tip_box
            + sum(box.lies for box in self.tips_apart)
            + self.aside
            + sum(sitter.stack for sitter in self.sitters.values())
            + sum(sitter.stack for sitter in self.played_over.values())
        )

    @property
    def aside(self) -> int:
        """Return the chips of disputed pots in cents, which lie apart."""
        return sum(pot.cents for pot in self.pots_aside.values())

    def sit(self, sitter: Sitter) -> None:
        """A player sits down."""
        sitter.player.table, sitter.player.left = self.number, None
        self.sitters[sitter.seat] = sitter
        self.seatings[sitter.seat] = sitter.seating
        self.markers.forgets(sitter.seating)

    def sit_down(self, sitter: Sitter) -> None:
        """
        Somebody sits down who has not been at this table, or comes as if they had not. Of whoever takes the seat that
        they had themselves nobody here can tell: before the next hand a blind or the button there is still theirs.
        """
        self.sit(sitter)
        if self.was_here.get(sitter.seat) != sitter.player.id:
            self.markers.sits_down(sitter.seating)

    def get_up(self, sitter: Sitter) -> None:
        """The player gets up and takes all chips along."""
        player = sitter.player
        player.pocket += sitter.stack
        player.table = None
        player.has_left = player.has_left or sitter.put_in > 0
        self.was_here[sitter.seat] = player.id
        del self.sitters[sitter.seat]
        holder = self.played_over.pop(sitter.seat, None)
        if holder is not None:
            self.sitters[sitter.seat] = holder
            self.markers.is_alone(holder.seating)
        # With a slip at the cage it is more than a wrong tap, and a played-over seat goes back to its holder.
        player.left = (
            None
            if sitter.slip or holder
            else Left(
                self.number, self.openings, sitter.seating, sitter.seat, sitter.stack, sitter.put_in, sitter.is_held
            )
        )

    def change_seat(self, sitter: Sitter, seat: int) -> None:
        """A player changes to a free seat, with all chips; the old one, if played over, is its holder's again."""
        del self.sitters[sitter.seat]
        if holder := self.played_over.pop(sitter.seat, None):
            self.sitters[sitter.seat] = holder
            self.seatings[sitter.seat] = holder.seating
            self.markers.is_alone(holder.seating)
        sitter.seat = seat
        self.sitters[seat] = sitter
        self.seatings[seat] = sitter.seating
        # Closer to the blinds or further from them, the turn that comes next is another one.
        self.markers.forgets(sitter.seating)

    def play_over(self, sitter: Sitter) -> None:
        """Somebody sits down in the seat of a player who is away."""
        self.played_over[sitter.seat] = self.sitters[sitter.seat]
        self.sit(sitter)

    def away(self) -> list[Away]:
        """Return who is not there for the next hand: held, without chips (H1.60), or played over."""
        there = [(sitter, False) for sitter in self.sitters.values() if sitter.is_held or not sitter.put_in]
        there += [(holder, True) for holder in self.played_over.values()]
        return [Away(each.seat, each.seating, each.player.id, is_holder) for each, is_holder in there]

    def bet(self, seat: int, cents: int) -> None:
        """Move chips from a stack into the middle."""
        sitter = self.sitters[seat]
        _enough(sitter.stack, cents, f"seat {seat} of table {self.number}")
        sitter.stack -= cents
        self.middle += cents

    def push(self, seat: int, cents: int) -> None:
        """Move chips from the middle to a stack."""
        _enough(self.middle, cents, f"the pot of table {self.number}")
        self.middle -= cents
        self.sitters[seat].stack += cents

    def drop(self, *, rake: int, drop: int) -> None:
        """Move chips from the middle into the boxes; less than nothing comes back out of each."""
        _enough(self.rake_box, max(-rake, 0), f"the rake box of table {self.number}")
        _enough(self.jackpot_box, max(-drop, 0), f"the jackpot box of table {self.number}")
        _enough(self.middle, max(rake + drop, 0), f"the pot of table {self.number}")
        self.middle -= rake + drop
        self.rake_box += rake
        self.jackpot_box += drop
        self.fell.update(rake=rake, drop=drop)

    def lies(self, kind: str) -> int:
        """Return what lies in all boxes of a kind of charge that nobody has counted."""
        return self.rake_box if kind == "rake" else self.jackpot_box

    def takes_out(self, kind: str, cents: int) -> None:
        """Somebody takes chips out of the boxes of a kind of charge: who counts them, or a thief."""
        _enough(self.lies(kind), cents, f"the {kind} boxes of table {self.number}")
        if kind == "rake":
            self.rake_box -= cents
        else:
            self.jackpot_box -= cents

    def tip(self, seat: int, cents: int) -> None:
        """Drop a winner's tip into the box; the log does not know of it."""
        sitter = self.sitters[seat]
        _enough(sitter.stack, cents, f"seat {seat} of table {self.number}")
        sitter.stack -= cents
        self.tip_box += cents
        self.tips_uncounted += cents

    def hanging_tips(self) -> TipBox:
        """Return the tip box that hangs, as it is."""
        return TipBox(list(self.tip_dealers), self.tip_box, self.tips_uncounted, self.tips_stolen)

    def take_tips_away(self, *, dealer: str) -> TipBox:
        """The tip box that hangs is taken away, and an empty one hangs; `dealer` deals there, "" for nobody."""
        box = self.hanging_tips()
        self.tip_box = self.tips_uncounted = self.tips_stolen = 0
        self.tip_dealers = [dealer] if dealer else []
        return box


@dataclass
class Drawer:
    """The cage's drawer."""

    is_open: bool = False
    cash: int = 0
    chips: int = 0
    card_slips: int = 0
    # What the cashier handed out wrongly since it was opened: chips beyond the slip (negative: too few).
    chips_missing: int = 0
    # What somebody has taken out of it since then, cash or chips.
    taken: Counter[str] = field(default_factory=Counter)
    # Whether the floor took chips out of it since then, or put some back: who did counts it no more.
    is_moved_by_floor: bool = False

    def sells_to_pocket(self, player: Player, cents: int) -> None:
        """Sell chips over the counter for cash, in cents; negative: buy them back."""
        self.chips -= cents
        self.cash += cents
        player.pocket += cents
        player.money -= cents
        if cents < 0:
            player.left = None

    def is_robbed(self, what: str, cents: int) -> None:
        """Take cash or chips in cents out of the drawer; the log does not know of it."""
        lies = getattr(self, what)
        _enough(lies, cents, f"the drawer ({what})")
        setattr(self, what, lies - cents)
        self.taken[what] += cents


@dataclass
class Felt:
    """The whole house."""

    tables: dict[int, TableFelt] = field(default_factory=dict)
    players: dict[str, Player] = field(default_factory=dict)
    drawer: Drawer = field(default_factory=Drawer)
    vault_cash: int = 0
    vault_chips: int = 0
    vault_card_slips: int = 0
    # What is gone from the vault since two counted it, and nobody has said so; negative: more lies there.
    vault_missing: Counter[str] = field(default_factory=Counter)
    # Chips that guests of other nights have at home.
    chips_elsewhere: int = 0
    # (player's name, table, seating, stack) of departures that a cash-out counted, by the number of its slip's row.
    counted_by_slip: dict[int, tuple[str, int, int, int]] = field(default_factory=dict)
    # Chips that somebody has taken out of boxes and carries home.
    stolen: int = 0
    # Chips that counts of the drawer have found missing: they are in pockets, and the log knows.
    chips_found_missing: int = 0
    # Cash and chips that were taken out of the drawer, as its counts have found.
    taken_found_missing: Counter[str] = field(default_factory=Counter)

    @property
    def chips_in_pockets(self) -> int:
        """Return what all guests carry, and what is carried for them."""
        return sum(player.pocket + player.carried for player in self.players.values())

    @property
    def chips_beyond_the_log(self) -> int:
        """
        Return the chips in cents that the log has elsewhere than they are: stacks not counted or miscounted on leaving,
        chips that were pocketed, and what the cashier handed out wrongly.
        """
        guests = self.players.values()
        beyond = sum(player.uncounted[2] for player in guests if player.uncounted)
        beyond += sum(player.miscounted[2] for player in guests if player.miscounted)
        beyond += sum(table.pocketed for table in self.tables.values())
        # What the cashier handed out wrongly is in pockets, until the count of the drawer says so and ever after.
        return beyond + self.drawer.chips_missing + self.chips_found_missing

    @property
    def chips(self) -> int:
        """Return every chip that there is."""
        return (
            self.vault_chips
            + self.drawer.chips
            + self.stolen
            + self.chips_in_pockets
            + sum(table.chips for table in self.tables.values())
        )

    def leaves_vault(self, what: str, cents: int) -> None:
        """
        Take cash, chips or card slips in cents out of the vault (negative: put them there); the log does not know of
        it.
        """
        lies = getattr(self, f"vault_{what}")
        _enough(lies, max(cents, 0), f"the vault ({what})")
        setattr(self, f"vault_{what}", lies - cents)
        self.vault_missing[what] += cents

    def by_name(self) -> list[Player]:
        """Return all guests in an order that no database decides."""
        return [self.players[name] for name in sorted(self.players)]


def _enough(there: int, cents: int, where: str) -> None:
    if not 0 <= cents <= there:
        raise Broken("the simulator", f"{cents} cents cannot leave {where}, where {there} lie")
