"""
Years of data: the same commands and pages in a house with its years behind it, against one that opened tonight.

Two houses on one server: in one, hands and twelve postings for each were loaded by COPY. Both play the same
evening, by turns, tap for tap; the limit is the new house's time. The past is proven by `ledger check` and
`audit verify` (--proof, as long as loading it).

    .venv/bin/python -m bench.years                    200,000 hands, 2.4 million postings
    .venv/bin/python -m bench.years --hands 5000000    all of it: 60 million postings; needs about 40 GB of disk
"""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from bench import years_rows
from bench.evening import begun, open_table, settlement
from bench.report import Row, show
from casino.simulation.front_door import Answer
from casino.simulation.instance import OwnInstance, fresh_database, machines

TABLES, PLAYERS = 3, 8
RATIO_MAX = 1.5
TRIED_FIRST = 5
# As many lines as a page of an account has: a full page against an empty one would compare templates.
HANDS_FIRST = 41
Act = Callable[["Years"], Answer]


class Years:
    """One of the two houses, with what its acts need."""

    def __init__(self, ours: OwnInstance) -> None:
        self.ours = ours
        self.evening = begun(ours, tables=TABLES)
        self.hands = self.rake_box = self.guest = self.first_day = 0

    def open(self) -> None:
        """Open three tables with their players, and log enough hands at each for its pages to be full."""
        for number in range(1, TABLES + 1):
            open_table(self.evening, number, players=PLAYERS)
        with psycopg.connect(self.ours.database_url) as connection:
            found = connection.execute(
                "SELECT a.id FROM ledger_account a JOIN tables_table t ON t.id = a.owner_id "
                "WHERE a.owner_kind = 'table' AND a.kind = 'rake_box' AND t.number = 1"
            ).fetchone()
            guest = connection.execute("SELECT min(id) FROM people_player").fetchone()
            day = connection.execute("SELECT min(id) FROM rooms_gamingday").fetchone()
        assert found is not None
        assert guest is not None
        assert day is not None
        self.rake_box, self.guest, self.first_day = found[0], guest[0], day[0]
        for _ in range(HANDS_FIRST * TABLES):
            self.settles()

    def settles(self) -> Answer:
        """A dealer logs a whole hand."""
        number = 1 + self.hands % TABLES
        self.hands += 1
        path = f"/api/v1/tables/{number}/hands/settle"
        return self.evening.done(self.evening.staff.tablets[number], path, settlement(pot_cents=86_00))

    def buys_in(self) -> Answer:
        """Chips are sold over the counter."""
        return self._counter("buy-ins")

    def cashes_out(self) -> Answer:
        """Chips are bought back over the counter."""
        return self._counter("cash-outs", unnamed="bought_today")

    def _counter(self, what: str, **more: str) -> Answer:
        body = {"amount_cents": 100_00, "method": "cash", **more}
        return self.evening.done(self.evening.staff.cage, f"/api/v1/cage/drawers/1/{what}", body)

    def reads(self, path: str, who: str) -> Answer:
        """Somebody opens a page, on whose device they stand."""
        staff = self.evening.staff
        devices = {"desktop": staff.desktop, "floor": staff.floor, "cage": staff.cage, "tablet": staff.tablets[1]}
        return devices[who].get(path)


ACTS: dict[str, Act] = {
    "settle a hand": Years.settles,
    "buy-in": Years.buys_in,
    "cash-out": Years.cashes_out,
    "the day's page": lambda house: house.reads("/cage/day/", "desktop"),
    "ledger page": lambda house: house.reads("/ledger/", "desktop"),
    "one account's page": lambda house: house.reads(f"/ledger/accounts/{house.rake_box}/", "desktop"),
    "one account, this day": lambda house: house.reads(f"/ledger/accounts/{house.rake_box}/?day=500000001", "desktop"),
    "players' page": lambda house: house.reads("/people/players/", "desktop"),
    "a player at the cage": lambda house: house.reads(f"/cage/players/{house.guest}/", "cage"),
    "whom the floor may seat": lambda house: house.reads("/floor/tables/1/seats/9/sheet/", "floor"),
    "floor's page": lambda house: house.reads("/floor/", "floor"),
    "one table's page": lambda house: house.reads("/floor/tables/1/", "floor"),
    "its hands today": lambda house: house.reads("/floor/tables/1/hands/", "floor"),
    "dealer's page": lambda house: house.reads("/tables/1/", "tablet"),
    "lobby": lambda house: house.reads("/lobby/", "floor"),
    "cage's page": lambda house: house.reads("/cage/1/", "cage"),
    "the log's page": lambda house: house.reads("/log/", "desktop"),
    "one account, its first day": lambda house: house.reads(
        f"/ledger/accounts/{house.rake_box}/?day={house.first_day}", "desktop"
    ),
    "the log of one command": lambda house: house.reads("/log/?name=cage.buy_in", "desktop"),
    "the log of refusals": lambda house: house.reads("/log/?result=refused", "desktop"),
    "the log of one table": lambda house: house.reads("/log/?chain=table.1", "desktop"),
    "API: slips": lambda house: house.reads("/api/v1/cage/slips?limit=10", "cage"),
    "API: hands of a table": lambda house: house.reads("/api/v1/tables/1/hands?limit=10", "floor"),
    "API: void hands of a table": lambda house: house.reads("/api/v1/tables/1/hands?status=void", "floor"),
}


@contextmanager
def two_houses(*, hands: int) -> Iterator[tuple[Years, Years]]:
    """Run a house that opened tonight and one with so many hands behind it, on one server."""
    with machines() as servers, ExitStack() as stack:
        both = []
        for past in (0, hands):
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="brush-bench-")))
            database = stack.enter_context(fresh_database(servers))
            years_rows.make_room(database.owner_url)
            ours = OwnInstance(database=database, redis_url=servers.redis_url, folder=folder, speed=1)
            stack.callback(ours.stop)
            ours.begin_evening(0)
            house = Years(ours)
            if past:
                _before(house, hands=past)
            house.open()
            both.append(house)
        new, old = both
        yield new, old


def _before(house: Years, *, hands: int) -> None:
    """Load the years before; a buy-in of tonight says what one posts."""
    body = {"amount_cents": 200_00, "method": "cash"}
    house.evening.done(house.evening.staff.cage, "/api/v1/cage/drawers/1/buy-ins", body)
    begun_at = time.perf_counter()
    found = years_rows.load(house.ours.owner_url, hands=hands)
    size = found.pop("bytes") / 1e9
    rows = ", ".join(f"{name} {count:,}" for name, count in sorted(found.items(), key=lambda each: -each[1])[:6])
    print(f"Loaded in {time.perf_counter() - begun_at:.0f} s, {size:.1f} GB: {rows}.", flush=True)  # noqa: T201


def measured(new: Years, old: Years, act: Act, *, rounds: int) -> tuple[list[float], list[float]]:
    """Return milliseconds in the old house and in the new one, tap for tap."""
    times: tuple[list[float], list[float]] = ([], [])
    for round_ in range(rounds + TRIED_FIRST):
        for house, list_ in zip((old, new), times, strict=True):
            seconds = act(house).seconds
            # The first ones fill caches and prepare statements, which an evening does once.
            if round_ >= TRIED_FIRST:
                list_.append(1000 * seconds)
    return times


def main() -> None:
    """Load, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--proof", action="store_true", help="prove ledger and log of the old house whole afterwards")
    parser.add_argument("--only", default="", help="acts whose name holds this")
    arguments = parser.parse_args()
    rows = []
    with two_houses(hands=arguments.hands) as (new, old):
        for name, act in ACTS.items():
            if arguments.only in name:
                figures, limits = measured(new, old, act, rounds=arguments.rounds)
                rows.append(Row(name, "ms", figures, limits, better="less", goal=RATIO_MAX))
        for house in (new, old):
            house.evening.staff.go_home()
        if arguments.proof:
            old.ours.prove()
    show(f"After {arguments.hands:,} hands and {arguments.hands * years_rows.POSTINGS_A_HAND:,} postings", rows)
    if arguments.proof:
        print("\nledger check and audit verify found the old house whole.")  # noqa: T201 - for people


if __name__ == "__main__":
    main()
