"""
A Saturday: forty tables of ten, three hundred displays, thirty hands an hour and table, in fast motion.

One house, opened table by table. First the same pace a table with 10, 20, 40 and 80 tables, each for as long as some
hundreds of taps take: what one costs the web process must not depend on how many other tables there are. Then forty
tables 120-fold, by one web process, by one for HTTP and one for sockets, and by two and one as in docker-compose.yml:
how many commands a second are really carried out, of those that were offered. No proxy stands between: where there are
two for HTTP, each has every other table. The generators of taps and the screens' sockets are processes of their own.

    .venv/bin/python -m bench.saturday
"""

import argparse
import multiprocessing
import socket
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection

import psutil

from bench.evening import Evening, begun, cashier_at_a_desktop, instance, open_table
from bench.report import Row, show
from bench.saturday_screens import Watcher, watch
from bench.saturday_taps import Key, Place, Taps, play
from casino.embedded.processes import free_port
from casino.simulation.boxes import CASH_VALUES, pieces
from casino.simulation.instance import OwnInstance
from casino.supervisor.child import Child
from casino.supervisor.commands import web_command

PLAYERS, DISPLAYS = 10, 300
TABLES_A_DRAWER = 10
TABLES_TONIGHT, FOLD = 40, 120
# By then a web process that has just started has its statements planned, as one that has served for some minutes:
# PostgreSQL plans each anew for its first few times on each connection.
WARM_UP_SECONDS = 10.0
# As many at each size: among fewer the slowest of a hundred is chance.
GROWTH_COMMANDS = 300
# Each tap of a hand, and the few that the cage and the floor make: about so many for each hand.
COMMANDS_A_HAND = 2.7
KINDS = ("deal", "flop", "settle", "ask for a buy-in", "take money", "cash-out", "seat")
# How many web processes have HTTP, beside the one that has the sockets.
APART = {"HTTP and sockets apart": 1, "two for HTTP, one for sockets": 2}
_SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Spell:
    """So many tables for a while, at a pace."""

    tables: int
    fold: float
    seconds: float
    taps: Taps
    web_seconds: float
    """Processor seconds of the web process (or of all)."""
    fragments: int
    lost_sockets: int
    busy: float
    """Share of the machine's processors that was busy, whoever used them."""

    @property
    def rate(self) -> float:
        """Return commands carried out a second."""
        return len(self.taps.all_seconds) / self.seconds

    @property
    def offered(self) -> float:
        """Return commands a second that were to be carried out: those tapped, and those that never got their turn."""
        return self.rate / min(self.kept_up, 1.0)

    @property
    def kept_up(self) -> float:
        """Return how many hands were settled of those that should have been."""
        due = self.tables * 30 * self.fold * self.seconds / 3600
        return len(self.taps.seconds.get("settle", ())) / due

    @property
    def web_ms_a_command(self) -> float:
        return 1000 * self.web_seconds / max(len(self.taps.all_seconds), 1)

    def ms(self, share: float, name: str = "") -> float:
        """Return how many milliseconds this share of the commands (or of those of one name) took at most."""
        ordered = sorted(self.taps.seconds.get(name, ()) if name else self.taps.all_seconds)
        return 1000 * ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


class Saturday:
    """The house, its evening so far, and who plays it."""

    def __init__(self, ours: OwnInstance, evening: Evening, pool: ProcessPoolExecutor) -> None:
        self.ours, self.evening, self.pool = ours, evening, pool
        self.drawers: dict[int, int] = {}
        self.cashier = cashier_at_a_desktop(evening)

    def open_up_to(self, tables: int) -> None:
        """Open tables until there are so many, with a drawer of the cage for every ten."""
        for number in range(len(self.evening.seated) + 1, tables + 1):
            drawer = 1 + (number - 1) // TABLES_A_DRAWER
            if drawer > 1 and drawer not in self.drawers.values():
                self._add_drawer(drawer)
            self.drawers[number] = drawer
            open_table(self.evening, number, players=PLAYERS)

    def spell(
        self,
        tables: int,
        *,
        fold: float,
        seconds: float,
        pids: list[int],
        http_urls: Sequence[str] = (),
        sockets_url: str = "",
    ) -> Spell:
        """Play so many tables for a while, with every screen open; one process has it all unless others are named."""
        places = [self._place(number) for number in range(1, tables + 1)]
        with screens(sockets_url or self.evening.url, self._watchers(tables)) as screens_end:
            # Everybody's first fragments are on the screens before anything is counted.
            urls = http_urls or [self.evening.url]
            begun_at = self.pool.submit(play, urls, places, fold, seconds, WARM_UP_SECONDS)
            time.sleep(0.5 + WARM_UP_SECONDS)
            before, cpu = screen_counts(screens_end), web_cpu(pids)
            psutil.cpu_percent()
            time.sleep(seconds)
            busy, used = psutil.cpu_percent() / 100, web_cpu(pids) - cpu
            after, taps = screen_counts(screens_end), begun_at.result()
        lost, fragments = after["lost"] - before["lost"], after["fragments"] - before["fragments"]
        return Spell(tables, fold, seconds, taps, used, fragments, lost, busy)

    def _add_drawer(self, number: int) -> None:
        staff, evening = self.evening.staff, self.evening
        float_cents = {"cash_cents": 2_000_00, "chips_cents": 30_000_00}
        # What the demo room's vault holds is for two drawers.
        evening.done(staff.desktop, "/api/v1/ledger/vault", {**float_cents, "second": staff.second("frans")})
        evening.done(staff.desktop, "/api/v1/cage/drawers", {"number": number, "name": f"Cage {number}"})
        version = self.cashier.get(f"/api/v1/cage/drawers/{number}").version
        lies = {
            "cash": pieces(float_cents["cash_cents"], CASH_VALUES),
            "chips": pieces(float_cents["chips_cents"]),
        }
        body = {**lies, "second": staff.second("frans")}
        evening.done(self.cashier, f"/api/v1/cage/drawers/{number}/open", body, version=version)

    def _place(self, number: int) -> Place:
        staff = self.evening.staff
        keys = (Key.of(staff.tablets[number]), Key.of(staff.floor), Key.of(self.cashier))
        seated = self.evening.seated[number]
        for seating in staff.floor.get(f"/api/v1/tables/{number}").body["seatings"]:
            seated[seating["seat_number"]] = seating["id"]
        return Place(number, *keys, self.drawers[number], seated)

    def _watchers(self, tables: int) -> list[Watcher]:
        staff = self.evening.staff
        displays = [Watcher("lobby", staff.lobby.cookies)] * DISPLAYS
        tablets = [Watcher(f"table.{number}.dealer", staff.tablets[number].cookies) for number in range(1, tables + 1)]
        return [*displays, *tablets, Watcher("floor", staff.floor.cookies), Watcher("cage", staff.cage.cookies)]


@contextmanager
def screens(url: str, watchers: list[Watcher]) -> Iterator[Connection]:
    """Open the sockets of all screens in a process of their own."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=watch, args=(url, watchers, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        assert ours.recv() == "ready"
        yield ours
    finally:
        ours.close()
        process.join(20)


def screen_counts(screens_end: Connection) -> dict[str, int]:
    """Return what the screens have counted so far."""
    screens_end.send("how many?")
    return dict(screens_end.recv())


def web_cpu(pids: list[int]) -> float:
    """Return the processor seconds of these processes so far."""
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return sum(each.user + each.system for each in times)


@contextmanager
def one_more_process(ours: OwnInstance, name: str) -> Iterator[tuple[str, int]]:
    """Run one more web process; yield its address and its number."""
    port = free_port()
    child = Child(name, ours._spawner(name, web_command(host="127.0.0.1", port=port)))
    child.start()
    try:
        deadline = time.monotonic() + 60
        while not _listens(port):
            assert time.monotonic() < deadline, ours.log()
            time.sleep(0.05)
        assert child.process is not None
        yield f"http://127.0.0.1:{port}", child.process.pid
    finally:
        child.ask_to_stop()
        child.wait_stopped(8)


@contextmanager
def processes(ours: OwnInstance, *, http: int) -> Iterator[tuple[list[str], str, list[int]]]:
    """Run so many web processes for HTTP and one for sockets; yield their addresses, and the numbers of all."""
    with ExitStack() as stack:
        taps = [stack.enter_context(one_more_process(ours, f"http-{number}")) for number in range(1, http + 1)]
        sockets = stack.enter_context(one_more_process(ours, "sockets"))
        yield [url for url, _ in taps], sockets[0], [pid for _, pid in (*taps, sockets)]


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def growth_rows(spells: list[Spell]) -> list[Row]:
    """Return what each number of tables costs, against the fewest."""
    first, rows = spells[0], []
    for spell in spells:
        what = f"{spell.tables} tables {spell.fold:g}-fold ({spell.rate:.0f} commands/s, {spell.busy:.0%} busy)"
        rows.append(Row(f"{what}: commands", "", [len(spell.taps.all_seconds)]))
        rows.append(Row(f"{what}: p50", "ms", [spell.ms(0.5)], [first.ms(0.5)], better="less"))
        rows.append(Row(f"{what}: p99", "ms", [spell.ms(0.99)], [first.ms(0.99)], better="less"))
        for name in KINDS:
            figures = [spell.ms(0.99, name)], [first.ms(0.99, name)]
            if all(figures[1]):
                rows.append(Row(f"{what}: p99 of {name}", "ms", *figures, better="less"))
        used, limit = [spell.web_ms_a_command], [first.web_ms_a_command]
        rows.append(Row(f"{what}: web process", "CPU ms/command", used, limit, better="less"))
    return rows


def saturday_rows(shape: str, spell: Spell) -> list[Row]:
    """Return how much of a Saturday 120-fold was carried out."""
    what = f"{spell.tables} tables offered {spell.fold:g}-fold, {shape}"
    return [
        Row(f"{what}: commands", "/s", [spell.rate], [spell.offered], goal=0.99),
        Row(f"{what}: highest fold carried out", "-fold", [spell.fold * min(spell.kept_up, 1.0)], [spell.fold]),
        Row(f"{what}: p50", "ms", [spell.ms(0.5)], better="less"),
        Row(f"{what}: p99", "ms", [spell.ms(0.99)], better="less"),
        *(Row(f"{what}: p99 of {name}", "ms", [spell.ms(0.99, name)], better="less") for name in KINDS),
        Row(f"{what}: fragments to screens", "/s", [spell.fragments / spell.seconds]),
        Row(f"{what}: sockets lost", "", [spell.lost_sockets], better="less", goal=0),
        Row(f"{what}: web", "CPU ms/command", [spell.web_ms_a_command], better="less"),
        Row(f"{what}: machine busy", "of 1", [spell.busy], better="less"),
    ]


def main() -> None:
    """Play it, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8, help="of each spell")
    parser.add_argument("--growth", default="10,20,40,80", help="tables")
    parser.add_argument("--pace", type=float, default=10, help="how many fold time runs while the house grows")
    arguments = parser.parse_args()
    steps = [int(each) for each in arguments.growth.split(",")]
    grown: list[Spell] = []
    # As a house's own servers: statistics are kept, so that what was planned for empty tables is planned anew.
    with instance(durable=True) as ours, ProcessPoolExecutor(1, mp_context=_SPAWN) as pool:
        saturday = Saturday(ours, begun(ours, tables=max(*steps, TABLES_TONIGHT)), pool)
        alone = {}
        for tables in sorted({*steps, TABLES_TONIGHT}):
            saturday.open_up_to(tables)
            if tables in steps:
                rate = tables * 30 * arguments.pace / 3600 * COMMANDS_A_HAND
                seconds = max(arguments.seconds, GROWTH_COMMANDS / rate)
                spell = saturday.spell(tables, fold=arguments.pace, seconds=seconds, pids=[ours.web_pid])
                grown.append(spell)
            if tables == TABLES_TONIGHT:
                alone["one web process"] = saturday.spell(
                    tables, fold=FOLD, seconds=arguments.seconds, pids=[ours.web_pid]
                )
                # Not the one that had screens before: its threads take turns sooner (`casino/live/hub.py`).
                for shape, http in APART.items():
                    with processes(ours, http=http) as (http_urls, sockets_url, pids):
                        alone[shape] = saturday.spell(
                            tables,
                            fold=FOLD,
                            seconds=arguments.seconds,
                            pids=pids,
                            http_urls=http_urls,
                            sockets_url=sockets_url,
                        )
        ours.prove()
        saturday.evening.staff.go_home()
    show("A Saturday: growth, with 300 displays", growth_rows(grown))
    for shape, spell in alone.items():
        show(f"A Saturday, {shape}", saturday_rows(shape, spell))
    refused = Counter(each for spell in (*grown, *alone.values()) for each in spell.taps.refused)
    print(f"\nNot carried out: {dict(refused) or 'nothing'}.")  # noqa: T201 - for people


if __name__ == "__main__":
    main()
