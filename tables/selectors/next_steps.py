"""What the house does next with its free seats: claims gathered, proposals by the rules of `newcomers`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from casino.poker.table_change import Stakes
from casino.reading import read_once
from casino.rows import read_seldom
from tables.claims import NO_CLAIMS, ClaimsOfGame, Promise, claims
from tables.models import Opening, SeatDraw, Seating, Table, TableChange
from tables.rules.newcomers import OpenTable, SeatClaim, Step, Why, next_steps
from tables.selectors.absences import wishes
from tables.selectors.barred import Barred, barred
from tables.selectors.running import seatings_by_table, tables_of

_TABLE_CHANGES = """FROM tables_tablechange
    JOIN tables_seating ON tables_seating.id = tables_tablechange.seating_id
    LEFT JOIN tables_table ON tables_table.id = tables_tablechange.to_table_id
    WHERE tables_tablechange.room_id = %s AND tables_tablechange.ended_at IS NULL AND tables_seating.left_at IS NULL
    ORDER BY tables_tablechange.asked_at, tables_tablechange.id"""


@read_once
def table_changes(room_id: int) -> list[TableChange]:
    """Return who asks for another table, in the order of asking; those who have left ask no more. One query."""
    changes = []
    for change, seating, to_table in read_seldom((TableChange, Seating, Table), _TABLE_CHANGES, room_id):
        change.seating, change.to_table = seating, to_table
        changes.append(change)
    return changes


def steps_by_game(room_id: int) -> dict[str, tuple[Step, ...]]:
    """
    Return what to do next with the free seats of each game that runs, by its name, the strongest claim first.

    Four queries, and those of `barred`, however many tables there are and players wait.
    """
    seatings, claimed = seatings_by_table(room_id), claims().by_game(room_id)
    return steps_of(
        tables_of(room_id),
        seatings,
        claimed=claimed,
        changes=table_changes(room_id),
        kept=barred_now(room_id, seatings, claimed),
    )


def barred_now(room_id: int, seatings: Mapping[int, Sequence[Seating]], claimed: Mapping[str, ClaimsOfGame]) -> Barred:
    """Return what keeps who sits or waits from seats. Queries as `barred`."""
    waiting = [player for of_game in claimed.values() for player in of_game.players]
    # An absent holder's penalty counts as well, while somebody plays over (H4.48).
    there = (each for sitting in seatings.values() for seating in sitting for each in (seating.holder, seating) if each)
    sitting = list({each.pk: each for each in there}.values())
    return barred(room_id, waiting=waiting, sitting=sitting)


def steps_of(
    tables: Iterable[Table],
    seatings: Mapping[int, Sequence[Seating]],
    *,
    claimed: Mapping[str, ClaimsOfGame],
    changes: Sequence[TableChange],
    kept: Barred | None = None,
) -> dict[str, tuple[Step, ...]]:
    """
    Return the same of what was read already. No query, but for a version of the book that is new to the process, and
    one for the draws where tables close.
    """
    tables = list(tables)
    drawn = draws_of([_opening(table).pk for table in tables if table.opening and table.opening.is_closing])
    by_game = _by_game(tables)
    open_by_game = {
        name: open_tables(ran, seatings, claimed.get(name, NO_CLAIMS).promises) for name, ran in by_game.items()
    }
    steps: dict[str, tuple[Step, ...]] = {}
    for name, running in by_game.items():
        of_game = claimed.get(name, NO_CLAIMS)
        everybody = _SeatClaims(running, seatings, of_game, changes, drawn, kept or Barred()).gathered()
        alike = [other for other in by_game if other != name and _stakes(by_game[other]) == _stakes(running)]
        beside = [table for other in alike for table in open_by_game[other]]
        steps[name] = next_steps(open_by_game[name], everybody, terms=_opening(running[0]).terms.moving, beside=beside)
    return steps


def _stakes(tables: Sequence[Table]) -> tuple[str, int, int, str]:
    """Return what makes the stakes of one game's tables: between equal ones changes are judged (R-§3, A9)."""
    game = _opening(tables[0]).game
    return game.structure, game.small_blind_cents, game.big_blind_cents, game.family


def draws_of(opening_ids: Sequence[int]) -> dict[int, Sequence[int]]:
    """Return the order of the newest draw whose cards are out, by opening: seats, the highest card first. One query."""
    if not opening_ids:
        return {}
    drawn = SeatDraw.objects.filter(opening__in=opening_ids, drawn_at__isnull=False).order_by("id")
    return dict(drawn.values_list("opening_id", "order"))


def by_draw(there: Iterable[Seating], order: Sequence[int]) -> list[Seating]:
    """Return who still sits at a closing table in the order in which they choose (H2.10, R-§3-5): undrawn by seat."""
    rank = {seat: place for place, seat in enumerate(order)}
    return sorted(there, key=lambda seating: (rank.get(seating.seat_number, len(rank)), seating.seat_number))


def open_tables(
    tables: Iterable[Table], seatings: Mapping[int, Sequence[Seating]], promises: Sequence[Promise]
) -> list[OpenTable]:
    """Return one game's tables as the rules see them; a seat that is promised is not free."""
    promised: dict[int, set[int]] = {}
    for each in promises:
        promised.setdefault(each.table_id, set()).add(each.seat_number)
    tables = list(tables)
    numbers = {table.opening_id: table.number for table in tables}
    return [
        _open_table(table, seatings.get(table.pk, ()), promised.get(table.pk, set()), feeds=numbers) for table in tables
    ]


def _open_table(
    table: Table, sitting: Sequence[Seating], promised: set[int], *, feeds: Mapping[int | None, int]
) -> OpenTable:
    opening = table.opening
    assert opening is not None, "a game's tables run it"
    taken = {seating.seat_number for seating in sitting} | promised
    return OpenTable(
        table.number,
        len(sitting) + len(promised),
        opening.opened_at,
        tuple(seat for seat in range(1, opening.game.seats + 1) if seat not in taken),
        feeds=feeds.get(opening.feeds_id) if opening.feeds_id else None,
        is_closing=opening.is_closing,
    )


def open_tables_by_number(room_id: int, stakes: Stakes) -> dict[int, OpenTable]:
    """Return the tables of the same structure and stakes, whatever they deal, by number (A9)."""
    seatings = seatings_by_table(room_id)
    claimed = claims().by_game(room_id)
    by_number: dict[int, OpenTable] = {}
    for name, tables in _by_game(tables_of(room_id)).items():
        if _stakes(tables) == (stakes.structure, stakes.small_blind_cents, stakes.big_blind_cents, stakes.family):
            open_to = open_tables(tables, seatings, claimed.get(name, NO_CLAIMS).promises)
            by_number |= {table.number: table for table in open_to}
    return by_number


def _by_game(tables: Iterable[Table]) -> dict[str, list[Table]]:
    by_game: dict[str, list[Table]] = {}
    for table in tables:
        if table.opening is not None:
            by_game.setdefault(table.opening.game.name, []).append(table)
    return by_game


def _opening(table: Table) -> Opening:
    assert table.opening is not None, "a game's tables run it"
    return table.opening


class _SeatClaims:
    """
    Everybody's claims to seats of one game, of those who may sit anywhere. A new kind of claim is a method here.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        seatings: Mapping[int, Sequence[Seating]],
        of_game: ClaimsOfGame,
        changes: Sequence[TableChange],
        drawn: Mapping[int, Sequence[int]],
        kept: Barred,
    ) -> None:
        self._tables, self._of_game, self._changes, self._drawn, self._kept = tables, of_game, changes, drawn, kept
        self._sitting = {table.pk: seatings.get(table.pk, ()) for table in tables}
        self._numbers = {table.pk: table.number for table in tables}
        self._running = {table.opening_id for table in tables}
        self._players = {table.number: self._players_at(table) for table in tables}
        # Who plays over may take a free seat of that very table (H4.48, A40).
        self._over = {each.player_id for sitting in self._sitting.values() for each in sitting if each.holder}
        self._somewhere = set[int]().union(*self._players.values()) | kept.apart.keys()

    def gathered(self) -> list[SeatClaim]:
        """Return all claims to seats, those of the list first, each kind in its own order."""
        claims = [*self._waiting()]
        for table in self._tables:
            claims += self._leaving(table) if _opening(table).is_closing else self._seat_changes(table)
            claims += self._must_move(table)
        return [*claims, *self._table_changes()]

    def _waiting(self) -> Iterator[SeatClaim]:
        """Yield the claims of who waits on a list and is there."""
        # A right holds at the head of the list: whoever was put behind others waits like them.
        with_right = {each.ref for each in takewhile(lambda each: each.has_right, self._of_game.waiting)}
        # Who waits for the game at which they sit changes tables by that, and is held to what the book says (R-§3).
        sits_at = {
            each.player_id: table.number
            for table in self._tables
            for each in self._sitting[table.pk]
            if each.holder is None and not _opening(table).is_closing
        }
        for rank, each in enumerate(self._of_game.waiting):
            if each.is_there and each.player.pk not in self._kept.plays_no_more:
                why = Why.CLOSED_TABLE if each.ref in with_right else Why.IN_TURN
                at_table, not_at = sits_at.get(each.player.pk), self._not_at(each.player.pk)
                yield SeatClaim(why, each.ref, rank, at_table=at_table, not_at=not_at)

    def _leaving(self, table: Table) -> Iterator[SeatClaim]:
        """Yield the claims of who sits at a closing table, in the order of its draw."""
        in_order = by_draw(self._sitting[table.pk], self._drawn.get(_opening(table).pk, ()))
        return self._moving_on(Why.CLOSING_TABLE, table, in_order)

    def _seat_changes(self, table: Table) -> Iterator[SeatClaim]:
        """Yield the claims of who wishes for another seat of their table."""
        # Who plays over does not change seats, nor does the holder (H4.48).
        wishing = [seating for seating in wishes(self._sitting[table.pk]) if seating.holder is None]
        for rank, seating in enumerate(wishing):
            yield SeatClaim(Why.SEAT_CHANGE, seating.pk, rank, at_table=table.number, to_seat=seating.change_to)

    def _must_move(self, table: Table) -> Iterator[SeatClaim]:
        """Yield the claims to the main game of who sits at a must-move table that feeds one of these."""
        opening = _opening(table)
        if opening.is_closing or opening.feeds_id not in self._running:
            return iter(())
        # Who is away is not moved: the next one who has sat there long and is there.
        present = [seating for seating in self._sitting[table.pk] if not seating.is_held]
        longest = sorted(present, key=lambda seating: (seating.sat_down_at, seating.pk))
        return self._moving_on(Why.MUST_MOVE, table, longest)

    def _moving_on(self, why: Why, table: Table, in_order: Iterable[Seating]) -> Iterator[SeatClaim]:
        for rank, seating in enumerate(in_order):
            if seating.player_id not in self._kept.plays_no_more:
                not_at = self._not_at(seating.player_id)
                yield SeatClaim(why, seating.pk, rank, at_table=table.number, not_at=not_at)

    def _table_changes(self) -> Iterator[SeatClaim]:
        """Yield the claims of who sits at one of these tables and asks for another."""
        for rank, change in enumerate(self._changes):
            seating = change.seating
            if seating.table_id in self._numbers and seating.player_id not in self._kept.plays_no_more:
                yield SeatClaim(
                    Why.TABLE_CHANGE,
                    seating.pk,
                    rank,
                    at_table=self._numbers[seating.table_id],
                    to_table=change.to_table.number if change.to_table else None,
                    not_at=self._not_at(seating.player_id),
                )

    def _players_at(self, table: Table) -> set[int]:
        """Return who sits at a table, holds a played-over seat there or is promised a seat of it."""
        sitting = self._sitting[table.pk]
        return {
            *(each.player_id for each in sitting),
            *(each.holder.player_id for each in sitting if each.holder),
            *(each.player.pk for each in self._of_game.promises if each.table_id == table.pk),
        }

    def _not_at(self, player_id: int) -> frozenset[int]:
        """Return at which tables a player sits already, or somebody from whom they are kept apart (H1.75)."""
        if player_id not in self._somewhere:
            return frozenset()
        return frozenset(
            number
            for number, players in self._players.items()
            if (player_id in players and player_id not in self._over) or self._kept.keeps_from(player_id, players)
        )
