# ruff: noqa: T201 - tables are printed for people.
"""
Settling a hand: the whole service against the same rows written by prepared SQL, in one run on one database.

    python -m bench.settling

The service is called as the view calls it, in its process: command id, lock, rules, hand, postings, seats, audit event,
charges, commit, notice. Both ways leave the same rows, which is checked; so is the house that both leave behind.
The database's commits do not wait for the disk: that wait is the same for both and would hide what we add.
"""

import os
import sys
import time
from statistics import median

from bench.report import Row, number, show
from bench.settling_clients import Clients, Pass
from casino.simulation.instance import fresh_database, machines

CLIENTS = (1, 4)
TABLES_EACH = 16
PASSES_A_ROUND = 2
ROUNDS = 9
SECONDS_MAX = 40.0
GOAL = 0.40
KINDS = {True: "after deal and flop", False: "settle alone"}


def main() -> int:
    """Measure and print; return 1 where the two ways do not write the same."""
    with machines() as servers, fresh_database(servers) as database:
        os.environ |= {
            "DATABASE_URL": database.url,
            "REDIS_URL": servers.redis_url,
            "BRUSH_POOL_SIZE": "2",
            "BRUSH_SECRET_KEY": "benchmark-" + "k" * 40,
        }
        clients = Clients(max(CLIENTS), tables_each=TABLES_EACH)
        try:
            return measure(clients)
        finally:
            clients.close()


def measure(clients: Clients) -> int:
    """Measure with clients at their tables."""
    rates: dict[tuple[bool, int, str], list[float]] = {}
    cases = [(is_dealt, count) for is_dealt in KINDS for count in CLIENTS]
    for is_dealt, count in cases:
        _round(clients, is_dealt=is_dealt, count=count)
    until = time.monotonic() + SECONDS_MAX
    for _ in range(ROUNDS):
        for is_dealt, count in cases:
            for side, rate in _round(clients, is_dealt=is_dealt, count=count).items():
                rates.setdefault((is_dealt, count, side), []).append(rate)
        if time.monotonic() > until:
            break
    rows = [
        Row(
            f"{KINDS[is_dealt]}, {count} client{'s' if count > 1 else ''}",
            "hands/s",
            rates[is_dealt, count, "brush"],
            rates[is_dealt, count, "raw"],
            goal=GOAL,
        )
        for is_dealt, count in cases
    ]
    show("Settling a hand", rows)
    return _same_rows(clients) or _whole(clients)


def _round(clients: Clients, *, is_dealt: bool, count: int) -> dict[str, float]:
    """Return the median rates of a few passes, taken in turns."""
    found: dict[str, list[float]] = {"brush": [], "raw": []}
    for _ in range(PASSES_A_ROUND):
        found["brush"].append(clients.rate(Pass("brush", is_dealt), clients=count))
        found["raw"].append(clients.rate(Pass("raw", is_dealt), clients=count))
    return {side: median(rates) for side, rates in found.items()}


def _same_rows(clients: Clients) -> int:
    print("\n| where a hand's time goes, ms | " + " | ".join(KINDS.values()) + " |\n| --- | ---: | ---: |")
    parts = {is_dealt: _parts(clients, is_dealt=is_dealt) for is_dealt in KINDS}
    for part in parts[False]:
        print(f"| {part} | " + " | ".join(number(parts[is_dealt].get(part, 0.0)) for is_dealt in KINDS) + " |")
    for is_dealt, kind in KINDS.items():
        ours, raw = (clients.ask("touched", Pass(side, is_dealt)) for side in ("brush", "raw"))
        if ours != raw:
            print(f"{kind}: not the same rows (inserted, updated): {ours} and {raw}", file=sys.stderr)
            return 1
        print(f"\n{kind}, both: {', '.join(f'{count} {what}' for what, count in sorted(ours.items()))}.")
    return 0


def _parts(clients: Clients, *, is_dealt: bool) -> dict[str, float]:
    found = [clients.ask("parts", Pass("brush", is_dealt)) for _ in range(5)]
    return {part: median(each[part] for each in found) for part in found[0]}


def _whole(clients: Clients) -> int:
    broken = clients.ask("proof")
    print(f"\nLedger and log after it: {'; '.join(broken) or 'whole'}.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
