"""The report as CSV, cell by cell against the report as JSON. Its words are in the house's language."""

import csv
import re
from collections.abc import Callable, Iterable
from typing import Any
from zoneinfo import ZoneInfo

from casino.reports.pack.script.cage import Cage
from casino.reports.pack.script.owners import PROMISES
from casino.reports.pack.script.packs import Pack
from casino.reports.pack.script.tables import moment

Row = dict[str, Any]
# Columns of words, by what of the report each word stands for: the same one for the same, and another for another.
WORDS: dict[str, Callable[[Row], tuple[Any, ...]]] = {
    "venue": lambda row: (row.get("venue", ""),),
    "kind": lambda row: (row["kind"],),
    "method": lambda row: (row["method"],),
    "stage": lambda row: (row["stage"],),
    "reason": lambda row: (row["reason"],),
    "became": lambda row: (row["is_open"],),
    "owner": lambda row: (row["owner_kind"],),
    "account": lambda row: (row["owner_kind"], row["unit"], row["kind"]),
    "age": lambda row: (row["to_days"] is None,),
    "exchange": lambda row: (row["is_back"],),
    "carried": lambda row: (bool(row.get("carried_from")), row.get("is_carried")),
}
# Which numbers stand among these words.
AMONG_WORDS: dict[str, Callable[[Row], list[int]]] = {
    "age": lambda row: [each for each in (row["from_days"], row["to_days"]) if each is not None],
    "exchange": lambda row: [row["number"]],
    "carried": lambda row: [int(each) for each in reversed((row.get("carried_from") or "").split("-")) if each],
}
# Columns of people, games and things by their numbers, which are a word where there is none.
NUMBERED = {"game", "rule_book", "opened_by", "dealer", "player", "drawer", "runner", "item", "by"}
MOMENTS = {"opened_at", "closed_at", "counted_at", "carried_at", "done_at", "from"}
# By section of the CSV: which part of the report it is, and which columns have another name there.
SECTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "tables": ("tables", {}),
    "openings": ("openings", {"opened_by": "opened_by_id", "closed_by": "closed_by_id"}),
    "dealers": ("dealers", {"dealer": "staff_id", "dealt_seconds": "seconds"}),
    "tips": ("tips", {"dealer": "dealer_id", "dealt_seconds": "seconds", "share_cents": "cents"}),
    "players": ("players", {"player": "nickname", "seated_seconds": "seconds"}),
    "drawers": ("drawers", {"drawer": "number", "foreign_notes_cents": "foreign_cents"}),
    "runners": (
        "runners",
        {
            "runner": "runner_id", "cash_posted_cents": "posted_cash_cents",
            "chips_posted_cents": "posted_chips_cents",
        },
    ),
    "slips": (
        "slips",
        {
            "paid_amount_cents": "paid_cents", "reversed": "back", "reversed_amount_cents": "back_cents",
            "amount_cents": "cents",
        },
    ),
    "cash_plays": (
        "cash_plays",
        {
            "reversed": "back", "reversed_amount_cents": "back_cents", "never_sold": "never",
            "never_sold_amount_cents": "never_cents", "amount_cents": "cents", "dealer": "dealer_id",
        },
    ),
    "foreign_notes": ("foreign_notes", {"drawer": "number", "amount_cents": "cents"}),
    "exchanges": ("exchanges", {}),
    "vault_counts": ("vault_counts", {"count": "number", "foreign_notes_cents": "foreign_cents"}),
    "deposits": ("deposits", {"deposits": "count", "amount_cents": "cents"}),
    "carried": ("carried", {"item": "name", "by": "carried_by_id", "amount_cents": "cents"}),
    "trial_money": ("trial", {"before_cents": "opening_cents", "after_cents": "closing_cents"}),
    "trial_chips": ("trial", {"before_cents": "opening_cents", "after_cents": "closing_cents"}),
    "night": ("night", {"from": "began_at"}),
}  # fmt: skip


class Sheets(Cage):
    """Verifies that the report as CSV says what the report as JSON does."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        # By column and what it stands for the word; and the other way.
        self.words: dict[tuple[Any, ...], str] = {}
        self.stands_for: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        # By kind of owner and account their words in chart.csv.
        self.chart: dict[tuple[str, str], str] = {}

    def read_chart(self) -> None:
        """Read what the accounts are called, and hold which of them are promises."""
        for row in csv.DictReader(self.pack.lines("chart.csv")):
            name = row["owner_kind"], row["kind"]
            self.chart[name] = row["words"]
            same = self.is_older or (row["is_promise"] == "1") == (name in PROMISES)
            self.must(same, f"chart.csv says otherwise whether {' '.join(name)} is a promise")

    def word(self, says: str, column: str, cell: str, row: Row) -> None:
        """Hold a word of the CSV: it stands for one thing in all of the pack, with the right numbers in it."""
        code, word = WORDS[column](row), cell
        if column in AMONG_WORDS:
            found, word = [int(each) for each in re.findall(r"\d+", cell)], re.sub(r"\d+", "#", cell)
            self.figure(f"{says}{column}", found, AMONG_WORDS[column](row), "in the report")
        same = self.words.setdefault((column, *code), word) == word
        same &= self.stands_for.setdefault((column, *code[:-1], word), code) == code
        self.must(same, f"{says}{column} is “{cell}”, which elsewhere stands for something else", "words of the CSV")
        if column == "account":
            whole = self.chart.get((row["owner_kind"], row["kind"]), "").endswith(f": {cell}")
            self.must(whole, f"{says}{column} is “{cell}”, and is called otherwise in chart.csv")

    def sheets(self, day: Row, report: Row) -> None:
        """Hold each figure of the CSV, and each table of figures that the report has."""
        zone, where = self.zone(), f"days/{day['date']}/report.csv"
        lines = list(csv.reader(self.pack.lines(where)))
        first = ["gaming_day", day["date"], "closed", "differs", str(report["differs"])]
        self.must(lines[0] == first, f"{where} begins otherwise")
        seen = set()
        for name, columns, rows in _sections(lines):
            part, names = SECTIONS.get(name, ("", {}))
            self.must(bool(part), f"{where}: the report has no {name}")
            seen.add(part)
            expected = list(_rows(name, report, self.about["charges"])) if part else []
            self.must(
                len(rows) == len(expected), f"{where}: {name} has {len(rows)} rows, and the report {len(expected)}"
            )
            for number, (row, figures) in enumerate(zip(rows, expected, strict=False), start=1):
                self.row(f"{where}: {name}, row {number}, ", dict(zip(columns, row, strict=True)), figures, names, zone)
        missing = {part for part, _names in SECTIONS.values() if report.get(part)} - seen
        self.must(not missing, f"{where} has no {', '.join(sorted(missing))}")

    def row(self, says: str, row: dict[str, str], figures: Row, names: dict[str, str], zone: ZoneInfo | None) -> None:
        """Hold one row of the CSV against the figures of the report."""
        for column, cell in row.items():
            name = names.get(column, column)
            if column in WORDS:
                self.word(says, column, cell, figures)
                continue
            value = figures.get(name)
            if column in NUMBERED:
                if not value:
                    continue
                # Beside a drawer's number stands its name. What a spreadsheet takes for a formula has a stroke before.
                cell = cell.split(" · ")[0] if column == "drawer" else cell
                cell = str(value) if cell == f"'{value}" else cell
            if column in MOMENTS and value:
                if zone is None:
                    continue
                value = f"{moment(value).astimezone(zone):%Y-%m-%d %H:%M}"
            self.figure(f"{says}{column}", cell, "" if value is None else str(value), "in the report")


def _sections(lines: list[list[str]]) -> Iterable[tuple[str, list[str], list[list[str]]]]:
    """Yield each table of a CSV: its name, its columns, its rows; an empty line stands before each."""
    begins = [index + 1 for index, line in enumerate(lines) if not line]
    for begin, end in zip(begins, [*(each - 1 for each in begins[1:]), len(lines)], strict=True):
        yield lines[begin][0], lines[begin + 1], lines[begin + 2 : end]


def _rows(name: str, report: Row, codes: Iterable[str]) -> Iterable[Row]:
    """Yield a part of the report as the CSV has it, row by row, with what of it is reckoned there."""
    rows = report[SECTIONS[name][0]]
    if name.startswith("trial_"):
        rows = [row for row in rows if row["unit"] == name.removeprefix("trial_")]
    made = MADE.get(name, _nothing)
    last = {row.get("number"): index for index, row in enumerate(rows)}
    for index, row in enumerate(rows):
        figures = dict(row)
        for code in codes:
            figures |= {f"{code}_{what}": cents for what, cents in row.get("charges", {}).get(code, NOTHING).items()}
            if "taken" in row:
                figures[f"{code}_taken_cents"] = row["taken"].get(code, 0)
        figures |= row.get("notes", {})
        yield figures | made(report, figures, last[row.get("number")] == index)
    if name == "openings" and report["elsewhere"]:
        yield {"table": "", **report["elsewhere"]}


# What a charge came to of which a table had none.
NOTHING = {
    "due_cents": 0, "taken_cents": 0, "posted_cents": 0, "counted_cents": None, "beyond_cents": 0,
    "over_short_cents": None, "uncounted_cents": 0,
}  # fmt: skip


def _nothing(_report: Row, _row: Row, _is_last: bool) -> Row:
    return {}


def _an_hour(report: Row, row: Row, _is_last: bool) -> Row:
    seconds = row["open_seconds" if "open_seconds" in row else "seconds"]
    return {"hands_an_hour_tenths": round(row["hands"] * 36_000 / seconds) if seconds else None}


def _opening(_report: Row, row: Row, _is_last: bool) -> Row:
    return {
        "rule_book": row["rule_book"] and f"{row['rule_book']} {row['rule_book_version']}",
        "dealers": ", ".join(map(str, row.get("dealer_ids", ()))),
    }


def _drawer(report: Row, row: Row, is_last: bool) -> Row:
    found = {}
    for each in report["drawer_sums"]:
        if each["number"] == row["number"]:
            # What was posted of a drawer's counts stands beside its last session.
            cents, wrong = row[f"{each['unit']}_over_short_cents"], (each["posted_cents"] - each["cents"]) * is_last
            found[f"{each['unit']}_posted_cents"] = (cents or 0) + wrong if cents or wrong else cents
    return found


def _vault(report: Row, row: Row, _is_last: bool) -> Row:
    found, counts = {}, report["vault_counts"]
    for unit, account in (("money", "vault_missing"), ("chips", "vault_chips_missing")):
        moved = [each["came_cents"] + each["went_cents"] for each in report["trial"] if each["kind"] == account]
        wrong = -sum(moved) - sum(each[f"{unit}_over_short_cents"] for each in counts)
        is_last = row["number"] == counts[-1]["number"]
        found[f"{unit}_posted_cents"] = row[f"{unit}_over_short_cents"] + (wrong if is_last else 0)
    return found | {"by": f"{row['counted_by_id']}, {row['counted_with_id']}"}


def _faces(report: Row, row: Row, _is_last: bool) -> Row:
    counted, face = row["counted_cents"], row["counted_face_cents"]
    return {
        "face": row["face_cents"] // 100,
        "counted_face": None if face is None else face // 100,
        "over_short_cents": None if counted is None else counted - row["cents"],
    }


# What the CSV reckons of a row of the report, and whether it is the last one of its number.
MADE: dict[str, Callable[[Row, Row, bool], Row]] = {
    "tables": _an_hour,
    "openings": _opening,
    "dealers": _an_hour,
    "players": lambda _report, row, _is_last: {"player_id": row["player_id"] or ""},
    "drawers": _drawer,
    "foreign_notes": _faces,
    "exchanges": lambda _report, row, _is_last: {"face": row["face_cents"] // 100},
    "vault_counts": _vault,
}
