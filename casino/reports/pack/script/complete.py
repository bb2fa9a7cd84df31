"""Each report has its rows once, those of whoever had anything, and no other; and says when its counts were closed."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from casino.reports.pack.script.counted import Counted
from casino.reports.pack.script.ledger import OPENS, Moved, name_of
from casino.reports.pack.script.packs import Pack
from casino.reports.pack.script.tables import OfDay, moment

# By part of a report what no two of its rows have in common.
KEYS = {
    "tables": ("table", "game"), "openings": ("opening_id",), "dealers": ("staff_id",), "tips": ("dealer_id",),
    "players": ("player_id",), "drawers": ("number", "opened_at"), "drawer_sums": ("number", "unit"),
    "runners": ("runner_id",), "slips": ("kind", "method"), "cash_plays": ("table", "dealer_id"),
    "foreign_notes": ("number", "currency"), "exchanges": ("number", "is_back"), "vault_counts": ("number",),
    "deposits": ("from_days",), "carried": ("stage", "item"), "trial": ("owner_kind", "kind", "unit", "currency"),
    "night": ("began_at",),
}  # fmt: skip
# What else a report says, each held elsewhere.
HEAD = {
    "at", "date", "opened_at", "closed_at", "counted_at", "counted_by_ids", "stage", "stretch_seconds", "differs",
    "elsewhere", "tips_since",
}  # fmt: skip
Key = tuple[Any, ...]


class Complete(Counted):
    """Verifies that no row of a report is there twice, too many, or not at all."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        # By day: the event by which it was closed as counted.
        self.counts_closed: dict[int, dict[str, Any]] = {}
        # By number and moment: the session of a drawer that was opened here.
        self.opened_here: dict[tuple[int, str], int] = {}

    def see(self, event: dict[str, Any]) -> None:
        super().see(event)
        if event["result"] == "done" and event["name"] == "cage.close_counts":
            self.counts_closed[event["data"]["day_id"]] = event
        if event["result"] == "done" and event["name"] in OPENS and "session_id" in event["data"]:
            name = int(event["chain"].removeprefix("drawer.")), event["at"]
            self.opened_here[name] = event["data"]["session_id"]

    def at_the_end(self) -> None:
        super().at_the_end()
        for day, report, of_day, moved in self.days:
            says = f"report of {day['date']}: "
            self.part(f"{says}rows", partial(self.complete, says, day, report, of_day, moved))

    def complete(self, says: str, day: dict[str, Any], report: dict[str, Any], of_day: OfDay, moved: Moved) -> None:
        """Hold which rows a report has, and when and by whom its counts were closed."""
        for part, names in KEYS.items():
            rows = Counter(tuple(row[name] for name in names) for row in report.get(part, ()))
            twice = sorted(_words(key) for key, count in rows.items() if count > 1)
            self.must(not twice, f"{says}{part} has {', '.join(twice)} twice", "lists of reports")
        for part, known in () if self.is_older else self.rows_known(day, report, of_day, moved):
            there = {tuple(row[name] for name in KEYS[part]) for row in report[part]}
            more = ", ".join(sorted(map(_words, there - known)))
            self.must(not more, f"{says}{part} has {more}, of which nothing here says anything", "lists of reports")
        lacks = ", ".join(sorted(f"{number}, opened at {at}" for number, at in self.open_on(day) - _opened(report)))
        self.must(not lacks, f"{says}drawers lacks {lacks}", "lists of reports")
        self.must(not report.get("tips_since"), f"{says}tips are there as of another moment")
        self.closed_as_counted(says, day, report)
        if unknown := ", ".join(sorted(report.keys() - KEYS.keys() - HEAD)):
            self.unproved.append(f"The {says[:-2]} has {unknown}, of which this script knows nothing.")

    def rows_known(
        self, day: dict[str, Any], report: dict[str, Any], of_day: OfDay, moved: Moved
    ) -> Iterator[tuple[str, set[Key]]]:
        """Yield by part of a report of which rows it may have one, where all that they are made of is here."""
        yield "tables", {(row["table"], row["game"]) for row in report["openings"]} | _with_figures(report, "tables")
        yield "exchanges", _with_figures(report, "exchanges")
        yield "cash_plays", _with_figures(report, "cash_plays")
        moving = [self.accounts.get(pk, {}) for pk in {*moved.came, *moved.went}]
        runners = {(each["owner_id"],) for each in moving if each.get("owner_kind") == "runner"}
        yield "runners", runners | _with_figures(report, "runners")
        currencies = {row[2] for kind in ("notes_taken", "notes_counted") for row in self.kept[kind]}
        currencies |= {row[2] for row in (self.notes_before or {}).get("notes_taken", ())}
        yield "foreign_notes", {(row["number"], each) for row in report["drawers"] for each in currencies}
        slips = [row for row in self.kept["slip"] if {row[17], row[22]} & moved.lines.keys()]
        if not self.unheld:
            yield "slips", {(row[2], row[6]) for row in slips}
            dealers = {*of_day.by_dealer, *(who for who, _code in of_day.dealer_taken)}
            dealers |= {row[4] for row in self.kept["down"]}
            yield "dealers", {(who,) for who in dealers}
            yield "tips", {(who,) for who in dealers} | _with_figures(report, "tips")
            yield "players", {(row[4],) for row in slips} | {(who,) for who in self.sat.get(day["date"], ())}

    def open_on(self, day: dict[str, Any]) -> set[tuple[int, str]]:
        """Return the drawers that were open at some time of a day: each by its number, and when it was opened."""
        names = {
            name: session for name, session in self.opened_here.items() if self.begun_on[session][0] <= day["date"]
        }
        names |= {name: session for name, session in self.sessions_before.items() if session and self.is_tied(name[0])}
        return {name for name, session in names.items() if self.counted_on.get(session, day["date"]) >= day["date"]}

    def closed_as_counted(self, says: str, day: dict[str, Any], report: dict[str, Any]) -> None:
        """Hold when and by whom a day was closed as counted, which may be after these days."""
        event = self.counts_closed.get(day["id"])
        if event is None:
            if report["counted_at"]:
                self.unproved.append(
                    f"When and by whom {day['date']} was closed as counted: after these days, by an event that is not"
                    " here. Later days’ packs prove it."
                )
            else:
                self.must(not report["counted_by_ids"], f"{says}it was counted there by somebody, and never")
            return
        at = max(moment(event["at"]), moment(day["closed_at"]))
        by = [event["staff"], event["data"]["approved_by_id"]]
        self.figure(f"{says}closed as counted at", report["counted_at"] and moment(report["counted_at"]), at)
        self.figure(f"{says}closed as counted by", report["counted_by_ids"], by)


def _words(key: Key) -> str:
    return " ".join(map(str, key))


def _opened(report: dict[str, Any]) -> set[tuple[int, str]]:
    return {name_of(row) for row in report["drawers"]}


def _with_figures(report: dict[str, Any], part: str) -> set[Key]:
    """Return the rows of a part in which any figure is something."""
    return {
        tuple(row[name] for name in KEYS[part])
        for row in report[part]
        if any(each for name, each in row.items() if name not in KEYS[part] and isinstance(each, int))
    }
