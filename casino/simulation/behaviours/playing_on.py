"""Some tables play on over the day's end: every stack is counted between two hands, and the next day goes on there."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casino.simulation.night import Night
    from casino.simulation.table import Table

PLAYS_ON_SHARE, POCKETED_SHARE, MISTYPED_SHARE, STATED_SHARE = 0.4, 0.5, 0.4, 0.5
CHIP = 25_00
# Where racks or tip boxes change hands with the dealer, a table's end is their end too.
NOT_WITH = {"racks", "own_tips"}


def plays_on(night: "Night", table: "Table") -> bool:
    """Say whether a table plays on over the day's end; on the last evening all close."""
    is_last = night.number + 1 >= night.plan.nights
    if is_last or night.books is None or NOT_WITH & {*night.plan.of}:
        return False
    may = table.felt.sitters and not (table.is_closing or table.is_held or night.lists.promised(table.number))
    return bool(may) and night.rng.random() < PLAYS_ON_SHARE


def count_through(night: "Night", table: "Table") -> str:
    """
    Have the floor count every stack at a table that plays on, absent players' too; return a line of what differs.

    Half the time the richest player has pocketed a chip first, and at times a stack is mistyped and counted again. The
    floor states the difference, which is refused before the count, or leaves it for the day's end to carry over.
    """
    assert night.books is not None
    floor, in_play = night.staff.floor, night.books.in_play(table.number)
    richest = max(table.everybody(), key=lambda sitter: sitter.stack)
    if richest.stack >= 2 * CHIP and night.rng.random() < POCKETED_SHARE:
        richest.stack -= CHIP
        richest.player.pocket += CHIP
        table.felt.pocketed += CHIP
        night.days.played["pocketed"] += 1
    stacks = {each.seating: each.stack for each in table.everybody()}
    night.refused(floor, f"{table.api}/difference", {"missing_cents": CHIP}, code="table_not_counted")
    if richest.stack >= CHIP and night.rng.random() < MISTYPED_SHARE:
        _counts(night, table, {**stacks, richest.seating: richest.stack - CHIP}, in_play)
        night.days.played["counted through again"] += 1
    over = _counts(night, table, stacks, in_play)
    night.days.played["counted through"] += 1
    if over and night.rng.random() < STATED_SHARE:
        night.done(floor, f"{table.api}/difference", {"missing_cents": -over})
        table.felt.difference -= over
        over = 0
    table.apart = {*table.apart, night.days.today} if over else set()
    night.days.played["differs where it plays on"] += bool(over)
    return f"table {table.number} is counted through{f': {over // 100} €' if over else ''}"


def _counts(night: "Night", table: "Table", stacks: dict[int, int], in_play: int) -> int:
    """
    Have the floor count these stacks (cents by seating); return by how many cents they are over, negative if short.

    More than is in play is refused until the floor confirms it; then the floor judges it and counts once more.
    """
    floor, path, over = night.staff.floor, f"{table.api}/count-through", sum(stacks.values()) - in_play
    body = {"stacks": [{"seating_id": seating, "stack_cents": cents} for seating, cents in sorted(stacks.items())]}
    if over > 0:
        night.refused(floor, path, body, code="more_than_in_play", version=floor.get(table.api).version)
        doubted = night.done(floor, path, {**body, "stands": True}, version=floor.get(table.api).version)
        night.must_equal(f"what is over at table {table.number}", doubted.data["difference_cents"], over)
        for todo in floor.get("/api/v1/todos?limit=100").body:
            if todo["kind"] == "stack_above_play" and todo["table_number"] == table.number:
                night.done(floor, f"{table.api}/todos/{todo['id']}/judge")
    stands = {"stands": True} if over > 0 else {}
    answer = night.done(floor, path, {**body, **stands}, version=floor.get(table.api).version)
    found = (answer.data["counted_cents"], answer.data["in_play_cents"], answer.data["difference_cents"])
    night.must_equal(f"what lies at table {table.number}", found, (sum(stacks.values()), in_play, over))
    return over


def open_of(night: "Night", day: int) -> set[str]:
    """Return what a day leaves open at tables that play on: "plays_on.7", and "over_short.7" where a count differed."""
    apart = {f"over_short.{number}" for number, table in night.tables.items() if day in table.apart}
    return apart | ({f"plays_on.{each.number}" for each in night.open_tables()} if day == night.days.today else set())


def go_on(night: "Night") -> None:
    """Go on with the tables that play on: the new day must show each with as many seatings, and under a new opening."""
    for table in night.open_tables():
        seen = night.staff.floor.get(table.api).body
        night.must_equal(f"how many sit at table {table.number}", len(seen["seatings"]), len(table.everybody()))
        table.opening_id, table.newest = seen["opening_id"], None
        night.days.played["played on"] += 1
