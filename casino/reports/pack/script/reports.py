"""Each day's report, figure by figure, against the log and the postings."""

import tomllib
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from casino.reports.pack.script.dues import drop_due, rake_due
from casino.reports.pack.script.ledger import Moved
from casino.reports.pack.script.owners import Owners
from casino.reports.pack.script.packs import Pack
from casino.reports.pack.script.tables import (
    NOBODY_KNOWN,
    NOTED,
    NOTEWORTHY,
    PLACED,
    Hand,
    Noted,
    OfDay,
    Opened,
    moment,
)

# Where what counts of a table's rack found stands, and what reports call it.
IN_RACK = {
    "rack_over_short": "chips over or short in the rack",
    "rack_cash_over_short": "cash over or short in the rack",
}
BY_LOG, BY_POSTINGS, BY_ROWS = "by the log", "by the postings", "by slips and counts"
# Which figures packs of before cannot prove, by the part of a report in which they stand.
NOT_HELD = {
    "dealers": "how long each dealer dealt",
    "players": "how long each player sat",
    "tips": "each dealer’s share of the tips",
    "deposits": "since when deposits lie",
    "night": "seats through the night",
    "trial": "the report as CSV",
}
NOTES_HELD = (*NOTED, "caught_up")
# What a report says in its own parts too: (part, figure, of which it is the sum, "-": less that).
SUMS: list[tuple[str, str, tuple[str, ...]]] = [
    ("slips", "cents", ("paid_cents", "-back_cents")),
    ("cash_plays", "cents", ("sold_cents", "-back_cents", "-never_cents")),
    ("exchanges", "difference_cents", ("got_cents", "-worth_cents")),
    ("tips", "cents", ("handed_cents", "owed_cents")),
    ("vault_counts", "chips_over_short_cents", ("chips_cents", "-expected_chips_cents")),
    (
        "vault_counts", "money_over_short_cents",
        (
            "cash_cents", "card_slips_cents", "foreign_cents", "-expected_cash_cents", "-expected_card_slips_cents",
            "-expected_foreign_cents",
        ),
    ),
]  # fmt: skip
# By account what of the vault's counts stands there as missing.
VAULT_MISSING = {"vault_missing": ("cash", "card_slips", "foreign"), "vault_chips_missing": ("chips",)}

# How long stretches of the night are, in seconds; of a night of more than so many of them four times as long.
QUARTER, QUARTERS_MAX = 15 * 60, 12 * 4
# More cents than any pot holds.
MUCH = 10**12
# In place of an opening: whichever it was.
ANY = 0


def opening_of(report: dict[str, Any], noted: Noted) -> int | None:
    """
    Return of which opening a report counts something: the one that its event names, or the last one that its table ran
    by then; None where it ran none.
    """
    if noted.opening in {row["opening_id"] for row in report["openings"]}:
        return noted.opening
    there = [row for row in report["openings"] if row["table"] == noted.table]
    before = [row for row in there if moment(row["opened_at"]) <= moment(noted.at)] or there[:1]
    return before[-1]["opening_id"] if before else None


def noted_of(what: str, opening: int | None) -> str:
    """Return what a figure of something noteworthy is called."""
    return what if opening == ANY else f"{what} of opening {opening}" if opening else f"{what} of no table"


class Reports(Owners):
    """Verifies what the reports say."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        self.books: dict[int, dict[str, Any]] = {}
        self.venues: dict[int | None, str] = {}

    def figure(self, what: str, in_report: Any, found: Any, by: str = BY_LOG) -> None:
        """Hold one figure: what a report says of it, and what it comes to."""
        self.must(in_report == found, f"{what} is {in_report} there, and {found} {by}", f"figures of reports {by}")

    def figures(self, what: str, in_report: Counter[Any], found: Counter[Any], by: str = BY_LOG) -> None:
        for key in sorted(in_report.keys() | found.keys(), key=str):
            name = " ".join(str(part) for part in (key if isinstance(key, tuple) else (key,)))
            self.figure(what.replace("%", name), in_report[key], found[key], by)

    def report(self, day: dict[str, Any], report: dict[str, Any], opening: dict[int, int], moved: Moved) -> None:
        """Verify the report of a day of which log and transfers have been read."""
        date = day["date"]
        self.must(report["date"] == date, f"the report of {date} is of another day")
        for name in ("opened_at", "closed_at"):
            same = moment(report[name]) == moment(day[name])
            self.must(same, f"report of {date}: {name} is {report[name]}, and {day[name]} in the manifest")
        stages = ("operations", "at_once") if report["counted_at"] is None else ("counted",)
        same = self.is_older or report["stage"] in stages
        self.must(same, f"the report of {date} is of a day {report['stage']}, and its counts are not")
        same = self.is_older or moment(report["at"]) == moment(day["closed_at"])
        self.must(same, f"the report of {date} is not of when its day closed")
        in_boxes = self.in_boxes(moved)
        # Which transfers a hand has only a log that names rows can say.
        self.table_log.is_old = self.table_log.is_old or not self.names_rows
        of_day = self.table_log.end_day(in_boxes)
        says = f"report of {date}: "
        self.trial(says, report, opening, moved)
        self.tables(says, report, moved)
        self.agrees(says, report, moved)
        self.openings(says, day, report, of_day)
        self.people(says, report, of_day)
        self.night(says, day, report, of_day)
        self.read(day, report, of_day, moved)
        if self.table_log.is_old:
            self.unproved.append(
                f"The log of {date} is of before it told of which opening each hand was, and what was due of it: hands"
                " are held by table, and what was due by the pack’s digest alone."
            )
        if self.is_older:
            held = ", ".join(what for part, what in NOT_HELD.items() if report.get(part))
            self.unproved.append(f"The pack is of before it had what proves of the report of {date} {held}.")

    def read(self, day: dict[str, Any], report: dict[str, Any], of_day: OfDay, moved: Moved) -> None:
        """Take in a day of which the log has been held against its report."""
        raise NotImplementedError

    # ---- by the postings

    def in_boxes(self, moved: Moved) -> dict[int, list[tuple[int, str, int]]]:
        """Return by transfer what it moved of charges: (number of the table, account, cents)."""
        found: dict[int, list[tuple[int, str, int]]] = {}
        for pk, (kind, lines) in moved.lines.items():
            for account_id, cents in lines:
                account = self.accounts.get(account_id, {})
                is_box = account.get("owner_kind") == "table" and account["kind"] in self.about["charges"].values()
                if is_box and kind != "box_counted":
                    number = self.about["tables"][str(account["owner_id"])]
                    found.setdefault(pk, []).append((number, account["kind"], cents))
        return found

    def trial(self, says: str, report: dict[str, Any], opening: dict[int, int], moved: Moved) -> None:
        sums: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for pk, account in self.accounts.items():
            row = sums[account["owner_kind"], account["kind"], account["unit"], account["currency"]]
            for index, cents in enumerate((opening[pk], moved.came[pk], moved.went[pk], self.balances[pk])):
                row[index] += cents
        found = {key: row for key, row in sums.items() if any(row)}
        figures = ("opening_cents", "came_cents", "went_cents", "closing_cents")
        in_report: dict[tuple[str, ...], list[int]] = {
            (row["owner_kind"], row["kind"], row["unit"], row["currency"]): [row[each] for each in figures]
            for row in report["trial"]
        }
        for key in sorted({*found, *in_report}):
            one, other = in_report.get(key), found.get(key)
            wrong = f"{says}{' '.join(key[:2])} stands there as {one}, and the postings come to {other}"
            self.must(one == other, wrong, f"figures of reports {BY_POSTINGS}")

    def tables(self, says: str, report: dict[str, Any], moved: Moved) -> None:
        """Hold what a report says was posted of each charge, counted as tips, and missing, against the postings."""
        figures = {box: f"{code}, posted" for code, box in self.about["charges"].items()}
        in_rack = self.rack_figures_in(says, report)
        found: Counter[tuple[int, str]] = Counter()
        for pk, account in self.accounts.items():
            if account["owner_kind"] != "table":
                continue
            number = self.about["tables"][str(account["owner_id"])]
            if account["kind"] in figures:
                found[number, figures[account["kind"]]] += moved.charged[pk]
            elif account["kind"] == "tip_box":
                found[number, "tips"] += moved.came[pk] + moved.went[pk]
            elif account["kind"] in ("difference", *IN_RACK):
                found[number, "over or short"] -= moved.came[pk] + moved.went[pk]
                if account["kind"] in in_rack:
                    found[number, in_rack[account["kind"]]] -= moved.came[pk] + moved.went[pk]
        for table, cents in moved.tips.items():
            found[self.about["tables"][str(table)], "tips"] += cents
        # What each game came to at a table is the sum of its openings, and of what was posted where none ran.
        idle = [row for row in report["tables"] if not row["game"]]
        for rows in (report["tables"], report["openings"] + idle):
            in_report: Counter[tuple[int, str]] = Counter()
            for row in rows:
                in_report[row["table"], "tips"] += row["tips_cents"]
                in_report[row["table"], "over or short"] += row["over_short_cents"]
                for kind, what in in_rack.items():
                    in_report[row["table"], what] += row.get(f"{kind}_cents", 0)
                for code, charged in row["charges"].items():
                    in_report[row["table"], f"{code}, posted"] += charged["posted_cents"]
            of_tables = Counter({f"{what} at table {number}": cents for (number, what), cents in in_report.items()})
            by_postings = Counter({f"{what} at table {number}": cents for (number, what), cents in found.items()})
            self.figures(f"{says}%", of_tables, by_postings, BY_POSTINGS)

    def rack_figures_in(self, says: str, report: dict[str, Any]) -> dict[str, str]:
        """Return which of `IN_RACK` a report tells: all of them, or none in one of before."""
        rows = report["tables"] + report["openings"]
        if not rows or any(f"{kind}_cents" in row for row in rows for kind in IN_RACK):
            return IN_RACK
        self.unproved.append(f"The {says[:-2]} is of before reports told what of racks is chips, and what cash.")
        return {}

    # ---- by itself and by the log

    def agrees(self, says: str, report: dict[str, Any], moved: Moved) -> None:
        """Hold what a report says in two ways: each game at a table is its openings together."""
        sums: list[Counter[Any]] = [Counter(), Counter()]
        for found, name in zip(sums, ("tables", "openings"), strict=True):
            for row in (each for each in report[name] if each["game"]):
                at = f"of {row['game']} at table {row['table']}"
                for figure in ("hands", "open_seconds", "tips_cents", "over_short_cents"):
                    found[f"{figure} {at}"] += row[figure]
                for code, charged in row["charges"].items():
                    for figure, cents in charged.items():
                        found[f"{code}, {figure} {at}"] += cents or 0
        self.figures(f"{says}%", sums[0], sums[1], "in its openings")
        for row in report["tables"] + report["openings"]:
            for code, of in row["charges"].items():
                counted = of["counted_cents"] or 0
                parts = (counted - of["beyond_cents"] - (of["over_short_cents"] or 0), of["posted_cents"])
                what = f"{says}{code}, not counted yet at table {row['table']}"
                self.figure(what, of["uncounted_cents"], parts[1] - parts[0], "by its own figures")
        for part, whole, names in SUMS:
            for index, row in enumerate(report.get(part, ())):
                found = sum(-row[name[1:]] if name[0] == "-" else row[name] for name in names)
                self.figure(f"{says}{whole} of {part}, row {index + 1},", row[whole], found, "by its own figures")
        differs = sum(
            of["taken_cents"] != of["posted_cents"] for row in report["tables"] for of in row["charges"].values()
        )
        differs += sum(each["cents"] != each["posted_cents"] for each in report["slips"] + report["drawer_sums"])
        for each in report["runners"]:
            same = all(each[f"{of}_over_short_cents"] == each[f"posted_{of}_cents"] for of in ("cash", "chips"))
            differs += not same
        differs += sum(counted != posted for _kind, counted, posted in self.vault_missing(report, moved))
        trial: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        for row in report["trial"]:
            came = (row["opening_cents"], row["came_cents"] + row["went_cents"], row["closing_cents"])
            before = trial[row["unit"], row["currency"]]
            trial[row["unit"], row["currency"]] = [one + other for one, other in zip(before, came, strict=True)]
        differs += sum(any(each) for each in trial.values())
        self.figure(f"{says}how many figures differ", report["differs"], differs, "by its own figures")

    def vault_missing(self, report: dict[str, Any], moved: Moved) -> list[tuple[str, int, int]]:
        """Return what counts of the vault found over or short, (account, counted, posted); negative: it is missing."""
        # Reports of before tell of none.
        counts, posted = report.get("vault_counts", ()), Counter[str]()
        for pk, account in self.accounts.items():
            if account["owner_kind"] == "house":
                posted[account["kind"]] -= moved.came[pk] + moved.went[pk]
        return [
            (
                kind,
                sum(count[f"{part}_cents"] - count[f"expected_{part}_cents"] for count in counts for part in parts),
                posted[kind],
            )
            for kind, parts in VAULT_MISSING.items()
        ]

    def openings(self, says: str, day: dict[str, Any], report: dict[str, Any], of_day: OfDay) -> None:
        """Hold hands, what was due, taken and posted, and what is noteworthy, of each opening; and when it ran."""
        is_old, place = self.table_log.is_old, "at table" if self.table_log.is_old else "of opening"
        hands: Counter[Any] = Counter()
        cents: Counter[Any] = Counter()
        notes: Counter[Any] = Counter()
        posted: Counter[Any] = Counter()
        for row in report["openings"]:
            key = row["table"] if is_old else row["opening_id"]
            hands[key] += row["hands"]
            for code, of in row["charges"].items():
                cents[f"{code} taken {place} {key}"] += of["taken_cents"]
                cents[f"{code} due {place} {key}"] += 0 if is_old else of["due_cents"]
                posted[key, code] += of["posted_cents"]
            notes.update({(key, name): row["notes"][name] for name in NOTES_HELD})
            self.opened(f"{says}opening {row['opening_id']}: ", day, row)
        self.figures(f"{says}hands {place} %", hands, of_day.hands)
        self.figures(f"{says}hands {place} % noted", notes, of_day.notes)
        found: Counter[Any] = Counter(
            {f"{code} taken {place} {key}": each for (key, code), each in of_day.taken.items()}
        )
        if not is_old:
            found.update({f"{code} due {place} {key}": each for (key, code), each in of_day.due.items()})
            if all(opening is not None for opening, _code in of_day.posted):
                self.figures(f"{says}posted {place} %", posted, of_day.posted, BY_POSTINGS)
        self.figures(f"{says}%", cents, found)
        self.noteworthy(says, report)
        self.dues(says, report)

    def noteworthy(self, says: str, report: dict[str, Any]) -> None:
        """Hold what else is noteworthy: of each opening where the log says of which it was, else of all together."""
        placed = [name for name in PLACED if not self.is_older and name not in self.table_log.not_placed]
        in_report: Counter[str] = Counter()
        found: Counter[str] = Counter()
        for row in [*report["openings"], {"notes": report["elsewhere"], "opening_id": None}]:
            for name in {*PLACED, *NOTEWORTHY.values()}:
                in_report[noted_of(name, row["opening_id"] if name in placed else ANY)] += row["notes"].get(name, 0)
        for each in self.table_log.noted:
            found[noted_of(each.what, opening_of(report, each) if each.what in placed else ANY)] += 1
        self.figures(f"{says}%", in_report, found)
        apart = sorted({each.what for each in self.table_log.noted}.intersection(PLACED).difference(placed))
        if apart:
            self.unproved.append(
                f"At which tables {', '.join(apart)} of the {says[:-2]} were: its log is of before it told that."
            )

    def opened(self, what: str, day: dict[str, Any], row: dict[str, Any]) -> None:
        began, until = moment(row["opened_at"]), moment(day["closed_at"])
        ended = moment(row["closed_at"]) if row["closed_at"] else until
        seconds = max(0, int((min(ended, until) - max(began, moment(day["opened_at"]))).total_seconds()))
        self.figure(f"{what}seconds open", row["open_seconds"], seconds, "by its own figures")
        known = self.opened_as(row, began)
        books = {book["number"]: book["book"] for book in self.about["rule_books"]}
        self.figure(f"{what}rule book", row["rule_book"], books.get(row["rule_book_version"], ""), "in the manifest")
        games = self.games(row["rule_book_version"])
        self.figure(f"{what}venue", row["venue"], self.venues.get(row["rule_book_version"], ""), "by the rule book")
        if known is None:
            is_before = began < moment(self.about["days"][0]["opened_at"])
            self.must(is_before, f"{what}it was opened in these days, and by no event here")
            self.unproved.append(
                f"When and by whom {what.split(': ')[1]} of {day['date']} was opened: before these days."
            )
            return
        self.figure(f"{what}table", row["table"], known.table)
        self.figure(f"{what}opened by", row["opened_by_id"], known.by)
        if known.goes_on and began > moment(known.at):
            self.unproved.append(f"When {what[:-2]} began: after the day that it was to begin with.")
            return
        versions = {book["id"]: book["number"] for book in self.about["rule_books"]}
        self.figure(f"{what}opened at", began, moment(known.at))
        if known.version is not None or not known.goes_on:
            self.figure(f"{what}rule book", row["rule_book_version"], versions.get(known.version or 0))
        closed_at = known.closed_at and moment(known.closed_at)
        if closed_at or not self.is_older:
            self.figure(f"{what}closed at", row["closed_at"] and ended, closed_at)
            # Reports of before do not tell it.
            self.figure(f"{what}closed by", row.get("closed_by_id", known.closed_by), known.closed_by)
        self.must(not games or row["game"] in games, f"{what}its rule book has no game {row['game']}")
        game = games.get(row["game"], {})
        for name in ("small_blind_cents", "big_blind_cents", "buy_in_min_cents", "buy_in_max_cents"):
            if game:
                self.figure(f"{what}{name}", row[name], game.get(name), "by the rule book")

    def opened_as(self, row: dict[str, Any], began: datetime) -> Opened | None:
        """
        Return how the log saw an opening begin, None where it did not. Events of before do not name one with which a
        table plays on: it is the one of that moment, or the one that began so much later as the one before it.
        """
        there = self.table_log.continued.get(row["table"], [])
        same = [each for each in there if moment(each.at) == began]
        later = [each for each in there if each.goes_on and moment(each.at) < began]
        return self.table_log.openings.get(row["opening_id"]) or next(iter(same + later), None)

    def games(self, number: int | None) -> dict[str, Any]:
        """Return the games of a version of the rule book, by name."""
        if number is not None and number not in self.books:
            files = {book["number"]: book["file"] for book in self.about["rule_books"]}
            book = tomllib.loads(self.pack.read(files[number])) if number in files else {}
            self.books[number] = {game["name"]: game for game in book.get("games", [])}
            self.venues[number] = book.get("venue", {}).get("kind", "")
        return self.books.get(number or 0, {})

    def dues(self, says: str, report: dict[str, Any]) -> None:
        """Reckon rake and drop of each hand anew of which the log says what its rule book asks for; name the others."""
        rows = {row["opening_id"]: row for row in report["openings"]}
        unknown: Counter[int] = Counter()
        for hand in self.table_log.charged():
            row = rows.get(hand.opening or 0)
            game = self.games(row["rule_book_version"]).get(row["game"]) if row else None
            unknown[hand.table] += game is None or not self.is_reckoned(says, game, hand)
        if hands := ", ".join(f"{count} at table {table}" for table, count in sorted(unknown.items()) if count):
            self.unproved.append(
                f"Of {report['date']} what these hands owed by the rule book, for the log does not say what that is"
                f" reckoned by, all pots or who was dealt in: {hands}. What was due of them is held against the log"
                " alone."
            )

    def is_reckoned(self, says: str, game: dict[str, Any], hand: Hand) -> bool:
        """Hold what was due of a hand against what its rule book asks for; return whether all of it could be."""
        what = f"{says}what was due of hand {hand.number} at table {hand.table}, a pot of {sum(hand.pots)},"
        # Who pays by the time owes no drop for as long as that, which may have begun before these days.
        is_free = "by_time" in (game.get("drop") or {}) and hand.may_be_free
        rake, drop = rake_due(game, hand), 0 if is_free and hand.due.get("drop") == 0 else drop_due(game, hand)
        if rake is not None and "rake" in hand.due:
            self.figure(what, hand.due["rake"], rake, "by the rule book")
        if drop is not None and "drop" in hand.due:
            self.figure(f"{what} of the drop", hand.due["drop"], drop, "by the rule book")
        # Who pressed "maximum" has counted enough where a larger pot pays no more.
        is_whole = not hand.is_at_least or rake_due(game, replace(hand, pots=[*hand.pots, MUCH])) == rake
        return is_whole and None not in (rake, drop) and {"rake", "drop"} <= hand.due.keys()

    def people(self, says: str, report: dict[str, Any], of_day: OfDay) -> None:
        hands: Counter[Any] = Counter()
        taken: Counter[Any] = Counter()
        for row in report["dealers"]:
            hands[row["staff_id"]] += row["hands"]
            taken.update({(row["staff_id"], code): cents for code, cents in row["taken"].items()})
        self.figures(f"{says}hands of dealer %", hands, of_day.by_dealer)
        if NOBODY_KNOWN not in {dealer for dealer, _code in of_day.dealer_taken}:
            self.figures(f"{says}taken by dealer %", taken, of_day.dealer_taken)

    def night(self, says: str, day: dict[str, Any], report: dict[str, Any], of_day: OfDay) -> None:
        """Hold hands, and what was taken, through the night: each stretch where the log says when, else together."""
        began, step, count = moment(day["opened_at"]), report["stretch_seconds"], len(report["night"])
        begins = [moment(row["began_at"]) - began for row in report["night"]]
        same = begins == [timedelta(seconds=step * index) for index in range(count)]
        self.must(same, f"{says}stretches of the night do not follow each other")
        lasts = max(int((moment(day["closed_at"]) - began).total_seconds()), 1)
        usual = QUARTER if lasts <= QUARTERS_MAX * QUARTER else 4 * QUARTER
        self.must(step == usual, f"{says}stretches of the night are of {step} seconds, and not of {usual}")
        self.must(step * (count - 1) < lasts <= step * count, f"{says}the night is not whole")

        def slot(at: str | None) -> int:
            index = int((moment(at) - began).total_seconds() // step) if at else 0
            return max(0, min(index, count - 1))

        has_moments = None not in of_day.ended and None not in {at for at, _code, _cents in of_day.paid}
        hands: Counter[Any] = Counter(slot(at) if has_moments else 0 for at in of_day.ended)
        taken: Counter[Any] = Counter()
        for at, code, cents in of_day.paid:
            taken[slot(at) if has_moments else 0, code] += cents
        reported_hands: Counter[Any] = Counter()
        reported_taken: Counter[Any] = Counter()
        for index, row in enumerate(report["night"]):
            reported_hands[index if has_moments else 0] += row["hands"]
            for code, cents in row["taken"].items():
                reported_taken[index if has_moments else 0, code] += cents
        self.figures(f"{says}hands in stretch % of the night", reported_hands, hands)
        self.figures(f"{says}taken in stretch % of the night", reported_taken, taken)
