"""The floor's page of its dealers: who deals where, who pushes in next, who rests; and what each has dealt tonight."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from casino.patience import PUSH_IS_NEAR
from casino.people.models import Staff
from casino.people.permissions import Role
from casino.people.selectors import staff_names
from casino.reading import read_once
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import open_day, room_of
from casino.rows import read
from casino.rulebooks.dealers import Dealers
from tables.models import DeckChange, Down, Game, Table
from tables.rules.rotation import Dealer, Push, TableNeeds, Turns, Worked, in_a_row, proposal
from tables.selectors.running import tables_of

# Whoever has not dealt tonight has rested longest of all.
_EPOCH = datetime.fromisoformat("2000-01-01T00:00:00+00:00")


@dataclass(frozen=True)
class Stretch:
    """One down as it is shown: at which table, from when to when; `ended_at` None while it goes on."""

    table_number: int
    began_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class DealerLine:
    """
    One dealer on shift. `table_number` and `since` are where and since when; free since then without a table.

    `is_due_for_break`: by the book of the table where they deal. `dealt` is what the proposal counted of them.
    """

    id: int
    name: str
    table_number: int | None
    since: datetime | None
    is_due_for_break: bool
    is_for_this_day: bool
    stretches: Sequence[Stretch]
    dealt: Dealer

    def rests_until(self, turns: Turns) -> datetime | None:
        """Return until when somebody who is free rests by the book of a table; None where nobody has to."""
        if self.table_number is not None or self.dealt.in_a_row[turns] < turns.downs_before_break:
            return None
        return self.dealt.rested_at(turns)


@dataclass(frozen=True)
class Deck:
    """
    The deck in play, and the colour that comes next out of the same set (H1.11); `from_sheet`, if it is from paper.
    """

    colour: str
    set_number: int
    next_colour: str
    at: datetime | None
    from_sheet: int | None = None

    @property
    def is_known(self) -> bool:
        return self.at is not None


@dataclass(frozen=True)
class TableLine:
    """One open table: who deals there, by which turns, when the push is due, who is proposed for it from when on."""

    table: Table
    game: Game
    turns: Turns
    down_id: int | None
    dealer: str
    since: datetime | None
    due_at: datetime | None
    next_id: int | None
    next_name: str
    ready_at: datetime | None
    deck: Deck

    @property
    def bright_at(self) -> datetime | None:
        """Return from when the push is the next thing to do: a little before the down is over."""
        return self.due_at - PUSH_IS_NEAR if self.due_at else None


@dataclass(frozen=True)
class DealersScreen:
    """Everything on the floor's page of its dealers."""

    room: Room
    tables: Sequence[TableLine]
    dealers: Sequence[DealerLine]

    @property
    def down_minutes(self) -> str:
        """Return how long downs are at these tables: "30", "20, 30" where books differ, "" for no table."""
        return ", ".join(str(minutes) for minutes in sorted({line.turns.down.seconds // 60 for line in self.tables}))

    @property
    def free(self) -> Sequence[DealerLine]:
        return [dealer for dealer in self.dealers if dealer.table_number is None]


def dealers_screen(room_id: int) -> DealersScreen:
    """Return the floor's page of its dealers. Six queries, however many tables and dealers there are."""
    room = room_of(room_id)
    day = open_day(room_id)
    every = tables_of(room_id)
    tables = [table for table in every if table.opening is not None]
    downs = _downs(room_id, day)
    staff = on_shift(room_id, downs)
    turns = {table.pk: turns_of(table.opening.terms.dealers) for table in tables if table.opening is not None}
    people = _people(staff, downs, turns)
    pushes = _pushes(tables, downs, people, turns)
    names = {person.pk: person.display_name for person in staff}
    decks = decks_in_play(room_id)
    return DealersScreen(
        room=room,
        tables=[_table_line(table, downs, pushes, names, decks, turns[table.pk]) for table in tables],
        dealers=_lines(staff, downs, people, turns, {table.pk: table.number for table in every}),
    )


def turns_of(terms: Dealers) -> Turns:
    """Return what a house's book says of its dealers, as the rotation's rules take it."""
    return Turns(
        timedelta(minutes=terms.down_minutes), terms.downs_before_break, timedelta(minutes=terms.break_minutes)
    )


@read_once
def _downs(room_id: int, day: GamingDay | None) -> list[Down]:
    """Return tonight's downs in order of time, and those that go on. One query."""
    downs = Down.objects.filter(room_id=room_id).filter(Q(ended_at=None) | Q(day=day) if day else Q(ended_at=None))
    return list(downs.order_by("began_at", "id"))


def on_shift(room_id: int, downs: Iterable[Down] = ()) -> list[Staff]:
    """Return who deals tonight, by name: dealers on shift, and whoever deals at a table. One query."""
    dealing = [down.dealer_id for down in downs if down.ended_at is None]
    on_shift = Q(is_on_shift=True, is_active=True, roles__contains=[Role.DEALER.value])
    return list(
        Staff.objects.filter(Q(room_id=room_id) & (on_shift | Q(id__in=dealing))).order_by("display_name", "id")
    )


def _people(staff: Sequence[Staff], downs: Sequence[Down], turns: Mapping[int, Turns]) -> list[Dealer]:
    """Return what each has dealt, as each of the books counts it; who deals as of when their push is due there."""
    own: dict[int, list[Down]] = {person.pk: [] for person in staff}
    for down in downs:
        if down.dealer_id in own:
            own[down.dealer_id].append(down)
    every, people = set(turns.values()), []
    for dealer_id, dealt in own.items():
        worked = [Worked(down.began_at, down.ended_at) for down in dealt]
        free_since = dealt[-1].ended_at if dealt else _EPOCH
        here = turns.get(dealt[-1].table_id) if dealt else None
        row = {
            each: in_a_row(worked, each, at=free_since or (here or each).due_at(dealt[-1].began_at)) for each in every
        }
        people.append(Dealer(dealer_id, len(worked), row, free_since))
    return people


def _pushes(
    tables: Sequence[Table], downs: Sequence[Down], people: Sequence[Dealer], turns: Mapping[int, Turns]
) -> dict[int, Push]:
    now = {down.table_id: down for down in downs if down.ended_at is None}
    needs = [
        TableNeeds(table.number, now[table.pk].dealer_id, now[table.pk].began_at, turns[table.pk])
        if table.pk in now
        else TableNeeds(table.number, None, None, turns[table.pk])
        for table in tables
    ]
    # The newest thing that happened is as late as these rows know it to be.
    moments = [moment for down in downs for moment in (down.began_at, down.ended_at) if moment is not None]
    return {push.table_number: push for push in proposal(needs, people, at=max(moments, default=_EPOCH))}


def _table_line(
    table: Table,
    downs: Sequence[Down],
    pushes: Mapping[int, Push],
    names: Mapping[int, str],
    decks: Mapping[int, Deck],
    turns: Turns,
) -> TableLine:
    assert table.opening is not None
    down = next((down for down in downs if down.table_id == table.pk and down.ended_at is None), None)
    push = pushes[table.number]
    is_later = push.ready_at is not None and push.due_at is not None and push.ready_at > push.due_at
    return TableLine(
        table=table,
        game=table.opening.game,
        turns=turns,
        down_id=down.pk if down else None,
        dealer=names.get(down.dealer_id, "?") if down else "",
        since=down.began_at if down else None,
        due_at=push.due_at,
        next_id=push.dealer_id,
        next_name=names.get(push.dealer_id, "?") if push.dealer_id else "",
        ready_at=push.ready_at if is_later else None,
        deck=decks.get(table.pk, NO_DECK),
    )


def _lines(
    staff: Sequence[Staff],
    downs: Sequence[Down],
    people: Sequence[Dealer],
    turns: Mapping[int, Turns],
    numbers: Mapping[int, int],
) -> list[DealerLine]:
    by_id = {dealer.id: dealer for dealer in people}
    lines = []
    for person in staff:
        dealer = by_id[person.pk]
        own = [down for down in downs if down.dealer_id == person.pk]
        now = own[-1] if own and own[-1].ended_at is None else None
        here = turns.get(now.table_id) if now else None
        lines.append(
            DealerLine(
                id=person.pk,
                name=person.display_name,
                table_number=numbers.get(now.table_id) if now else None,
                since=now.began_at if now else (own[-1].ended_at if own else None),
                is_due_for_break=here is not None and dealer.in_a_row[here] >= here.downs_before_break,
                is_for_this_day=person.for_day_id is not None,
                stretches=[Stretch(numbers.get(down.table_id, 0), down.began_at, down.ended_at) for down in own],
                dealt=dealer,
            )
        )
    # Who is free first, the one that has rested longest on top: the order in which they are proposed.
    return sorted(lines, key=lambda line: (line.table_number is not None, line.since or _EPOCH, line.name, line.id))


COLOURS = {"red": "blue", "blue": "red", "green": "black", "black": "green"}
NO_DECK = Deck("red", 1, "blue", None)
_NEWEST_DECKS = """JOIN (
    SELECT max(id) AS newest FROM tables_deckchange WHERE room_id = %s GROUP BY table_id
) newest ON newest.newest = tables_deckchange.id"""


@read_once
def decks_in_play(room_id: int) -> dict[int, Deck]:
    """Return the deck in play by table id, where one was recorded. One query."""
    changes = read(DeckChange, _NEWEST_DECKS, room_id)
    return {row.table_id: deck_of(row) for row in changes}


def deck_of(row: DeckChange | None) -> Deck:
    """Return a recorded deck as it is shown; without one, what a new set begins with."""
    return Deck(row.colour, row.set_number, COLOURS[row.colour], row.at, row.from_sheet) if row else NO_DECK


def names_of(downs: Iterable[Down]) -> dict[int, str]:
    """Return the names of who dealt these downs, by staff id. One query."""
    return staff_names(down.dealer_id for down in downs)
