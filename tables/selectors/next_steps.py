"""What the house does next with its free seats: claims gathered, proposals by the rules of `newcomers`."""

from collections.abc import Iterable, Mapping, Sequence
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

_ASKED = """FROM tables_tablechange
    JOIN tables_seating ON tables_seating.id = tables_tablechange.seating_id
    LEFT JOIN tables_table ON tables_table.id = tables_tablechange.to_table_id
    WHERE tables_tablechange.room_id = %s AND tables_tablechange.ended_at IS NULL AND tables_seating.left_at IS NULL
    ORDER BY tables_tablechange.asked_at, tables_tablechange.id"""


@read_once
def table_changes(room_id: int) -> list[TableChange]:
    """Return who asks for another table, in the order of asking; those who have left ask no more. One query."""
    found = []
    for change, seating, to_table in read_seldom((TableChange, Seating, Table), _ASKED, room_id):
        change.seating, change.to_table = seating, to_table
        found.append(change)
    return found


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
    waiting = [player for found in claimed.values() for player in found.players]
    # An absent holder's penalty counts as well, while somebody plays over (H4.48).
    found = (each for sitting in seatings.values() for seating in sitting for each in (seating.holder, seating) if each)
    sitting = list({each.pk: each for each in found}.values())
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
    shown = {name: open_tables(ran, seatings, claimed.get(name, NO_CLAIMS).promises) for name, ran in by_game.items()}
    found: dict[str, tuple[Step, ...]] = {}
    for name, running in by_game.items():
        of_game = claimed.get(name, NO_CLAIMS)
        everybody = _claims(running, seatings, of_game, changes, drawn, kept or Barred())
        alike = [other for other in by_game if other != name and _stakes(by_game[other]) == _stakes(running)]
        beside = [table for other in alike for table in shown[other]]
        found[name] = next_steps(shown[name], everybody, terms=_opening(running[0]).terms.moving, beside=beside)
    return found


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
    found: dict[int, OpenTable] = {}
    for name, tables in _by_game(tables_of(room_id)).items():
        if _stakes(tables) == (stakes.structure, stakes.small_blind_cents, stakes.big_blind_cents, stakes.family):
            open_to = open_tables(tables, seatings, claimed.get(name, NO_CLAIMS).promises)
            found |= {table.number: table for table in open_to}
    return found


def _by_game(tables: Iterable[Table]) -> dict[str, list[Table]]:
    by_game: dict[str, list[Table]] = {}
    for table in tables:
        if table.opening is not None:
            by_game.setdefault(table.opening.game.name, []).append(table)
    return by_game


def _opening(table: Table) -> Opening:
    assert table.opening is not None, "a game's tables run it"
    return table.opening


def _claims(
    tables: Sequence[Table],
    seatings: Mapping[int, Sequence[Seating]],
    of_game: ClaimsOfGame,
    changes: Sequence[TableChange],
    drawn: Mapping[int, Sequence[int]],
    kept: Barred,
) -> list[SeatClaim]:
    """
    Return everybody's claims to seats of one game, of those who may sit anywhere. A new kind of claim is gathered here.
    """
    numbers = {table.pk: table.number for table in tables}
    running = {table.opening_id for table in tables}
    # A right holds at the head of the list: whoever was put behind others waits like them.
    with_right = {each.ref for each in takewhile(lambda each: each.has_right, of_game.waiting)}
    there = {
        table.number: {
            *(each.player_id for each in seatings.get(table.pk, ())),
            *(each.holder.player_id for each in seatings.get(table.pk, ()) if each.holder),
            *(each.player.pk for each in of_game.promises if each.table_id == table.pk),
        }
        for table in tables
    }
    # Who plays over may take a free seat of that very table (H4.48, A40).
    over = {each.player_id for table in tables for each in seatings.get(table.pk, ()) if each.holder}
    somewhere = {player_id for players in there.values() for player_id in players} | kept.apart.keys()

    def not_at(player_id: int) -> frozenset[int]:
        """Where a player sits already, or somebody from whom they are kept apart (H1.75)."""
        if player_id not in somewhere:
            return frozenset()
        return frozenset(
            number
            for number, players in there.items()
            if (player_id in players and player_id not in over) or kept.keeps_from(player_id, players)
        )

    # Who waits for the game at which they sit changes tables by that, and is held to what the book says of it (R-§3).
    sits_at = {
        each.player_id: table.number
        for table in tables
        for each in seatings.get(table.pk, ())
        if each.holder is None and not _opening(table).is_closing
    }
    found = [
        SeatClaim(
            Why.CLOSED_TABLE if each.ref in with_right else Why.IN_TURN,
            each.ref,
            rank,
            at_table=sits_at.get(each.player.pk),
            not_at=not_at(each.player.pk),
        )
        for rank, each in enumerate(of_game.waiting)
        if each.is_there and each.player.pk not in kept.plays_no_more
    ]
    for table in tables:
        if _opening(table).is_closing:
            leaving = by_draw(seatings.get(table.pk, ()), drawn.get(_opening(table).pk, ()))
            found += [
                SeatClaim(Why.CLOSING_TABLE, seating.pk, rank, at_table=table.number, not_at=not_at(seating.player_id))
                for rank, seating in enumerate(leaving)
                if seating.player_id not in kept.plays_no_more
            ]
        else:
            # Who plays over does not change seats, nor does whose box it is (H4.48).
            wishing = [seating for seating in wishes(seatings.get(table.pk, ())) if seating.holder is None]
            found += [
                SeatClaim(Why.SEAT_CHANGE, seating.pk, rank, at_table=table.number, to_seat=seating.change_to)
                for rank, seating in enumerate(wishing)
            ]
        if _opening(table).feeds_id in running and not _opening(table).is_closing:
            # Who is away is not moved: the next one who has sat there long and is there.
            present = [seating for seating in seatings.get(table.pk, ()) if not seating.is_held]
            longest = sorted(present, key=lambda seating: (seating.sat_down_at, seating.pk))
            found += [
                SeatClaim(Why.MUST_MOVE, seating.pk, rank, at_table=table.number, not_at=not_at(seating.player_id))
                for rank, seating in enumerate(longest)
                if seating.player_id not in kept.plays_no_more
            ]
    found += [
        SeatClaim(
            Why.TABLE_CHANGE,
            change.seating_id,
            rank,
            at_table=numbers[change.seating.table_id],
            to_table=change.to_table.number if change.to_table else None,
            not_at=not_at(change.seating.player_id),
        )
        for rank, change in enumerate(changes)
        if change.seating.table_id in numbers and change.seating.player_id not in kept.plays_no_more
    ]
    return found
