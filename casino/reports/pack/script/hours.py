"""How long dealers dealt and players sat, seats through the night, and what each dealer gets of the tips."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from casino.reports.pack.script.ledger import STOOD, Moved, micros
from casino.reports.pack.script.packs import Pack
from casino.reports.pack.script.reports import BY_ROWS, Reports
from casino.reports.pack.script.tables import micros_of

BY_STAYS = "by downs and sittings"
Rows = Mapping[str, list[list[Any]]]


@dataclass(frozen=True)
class Stay:
    """A down or a sitting: whose, and from when until when, in microseconds; None while it goes on."""

    row_id: int
    who: int
    began: int
    ended: int | None
    day: int | None = None
    table: int | None = None


def stays_of(rows: Rows, kind: str) -> list[Stay]:
    """Return the downs, or the sittings, that a pack has."""
    found = []
    for row in rows[kind]:
        day, who, began, ended = row[3:7] if kind == "down" else (None, *row[3:6])
        found.append(Stay(row[0], who, micros(began), None if ended is None else micros(ended), day, row[2]))
    return found


def seconds_of(stays: Iterable[Stay], opened: int, closed: int) -> Counter[Any]:
    """Return by person how many seconds of theirs lie between two moments, of each stay the whole ones."""
    found: Counter[Any] = Counter()
    for each in stays:
        found[each.who] += shared(each, opened, closed, closed)
    return found


def shared(stay: Stay, first: int, until: int, closed: int) -> int:
    """Return how many seconds of a stay lie between two moments; one that goes on is until the day closed."""
    ended = closed if stay.ended is None else min(stay.ended, closed)
    return max(0, min(ended, until) - max(stay.began, first)) // 1_000_000


def at_once(stays: Iterable[Stay], opened: int, closed: int) -> int:
    """Return for how many seconds one person had a seat between two moments: two seats at once count once."""
    total, counted = 0, opened
    spans = ((max(each.began, opened), closed if each.ended is None else min(each.ended, closed)) for each in stays)
    for began, ended in sorted(spans):
        total += max(0, ended - max(began, counted))
        counted = max(counted, ended)
    return total // 1_000_000


def shares_by_time(cents: int, seconds: Mapping[int, int]) -> dict[int, int]:
    """Return what each dealer gets of tips by the time dealt: what is left over goes to whose share was cut most."""
    dealt = {dealer: each for dealer, each in seconds.items() if each > 0}
    whole = sum(dealt.values())
    found = {dealer: cents * each // whole for dealer, each in dealt.items()}
    cut_most = sorted(dealt, key=lambda dealer: (-(cents * dealt[dealer] % whole), -dealt[dealer], dealer))
    for dealer in cut_most[: cents - sum(found.values())]:
        found[dealer] += 1
    return found


def payrolls_of(day: dict[str, Any], rows: Rows) -> list[list[Any]]:
    """Return what went to payroll of a day's tips before it closed."""
    # id, room, day, number, posted on, by, approved by, last count, cents, seconds, transfer, shares, at
    return [row for row in rows["tip_payroll"] if (row[2], row[4]) == (day["id"], day["id"])]


class Hours(Reports):
    """Verifies what reports say of people's time."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        # Rows that no event here proves: of "before" events named such, or changed "later" in a way that is lost.
        self.unheld: dict[tuple[str, int], str] = {}
        # By day: what each player sat.
        self.sat: dict[str, dict[int, list[Stay]]] = {}

    def hours(self, says: str, day: dict[str, Any], report: dict[str, Any], moved: Moved, rows: Rows) -> None:
        """Hold downs, sittings, seats through the night and tips, by the rows that events name."""
        opened, closed = micros_of(day["opened_at"]), micros_of(day["closed_at"])
        self.seats(says, day, report, closed)
        self.handed(says, day, report, rows)
        downs = [
            each
            for each in stays_of(rows, "down")
            if each.day == day["id"] or (each.day is None and opened <= each.began < closed)
        ]
        what = "how long each dealer dealt, and each dealer’s share of the tips"
        if self.are_held("down", downs, report["dealers"] + report["tips"], what, day):
            self.figures(
                f"{says}downs of dealer %",
                Counter({row["staff_id"]: row["downs"] for row in report["dealers"]}),
                Counter(each.who for each in downs),
                BY_STAYS,
            )
            in_report = Counter({row["staff_id"]: row["seconds"] for row in report["dealers"]})
            self.figures(f"{says}seconds dealt by dealer %", in_report, seconds_of(downs, opened, closed), BY_STAYS)
            of_day = [each for each in downs if each.day == day["id"]]
            self.tips(says, day, report, moved, rows, seconds_of(of_day, 0, closed))
            self.dealt_in(says, day, report, downs)
        sat = [
            each
            for each in stays_of(rows, "sitting")
            if each.began < closed and (each.ended is None or each.ended > opened)
        ]
        what = "how long each player sat, and seats taken through the night"
        if self.are_held("sitting", sat, report["players"], what, day):
            self.players(says, day, report, sat, opened, closed)

    def dealt_in(self, says: str, day: dict[str, Any], report: dict[str, Any], downs: Iterable[Stay]) -> None:
        """
        Hold who dealt in each opening on the day, in the order of pushing in: by the day's downs at its table while it
        ran.
        """
        closed = micros_of(day["closed_at"])
        at_table = defaultdict[int, list[Stay]](list)
        for each in sorted(downs, key=lambda down: (down.began, down.row_id)):
            at_table[self.about["tables"].get(str(each.table), 0)].append(each)
        for row in report["openings"]:
            # Reports of before do not tell it.
            if "dealer_ids" not in row:
                continue
            began, ended = micros_of(row["opened_at"]), micros_of(row["closed_at"]) if row["closed_at"] else closed
            found = [
                each.who
                for each in at_table[row["table"]]
                if each.began < min(ended, closed) and (each.ended is None or each.ended > began)
            ]
            what = f"{says}opening {row['opening_id']}: who dealt in it"
            self.figure(what, row["dealer_ids"], list(dict.fromkeys(found)), BY_STAYS)

    def are_held(
        self, kind: str, stays: list[Stay], people: list[dict[str, Any]], what: str, day: dict[str, Any]
    ) -> bool:
        """
        Say whether events name all of these as they stand; where not, that they are not proved, and why. One that was
        changed later may have been of any day.
        """
        reasons = []
        is_before = any(self.unheld.get((kind, each.row_id)) == "before" for each in stays)
        is_old = kind not in self.first_named and not self.proved[STOOD]
        if is_before or (is_old and any(row["seconds"] for row in people)):
            reasons.append("its log is of before events named such rows")
        if any(name[0] == kind and how == "later" for name, how in self.unheld.items()):
            reasons.append("such rows were changed again later, and how they stood is lost")
        if reasons:
            self.unproved.append(f"Of {day['date']} the digest alone binds {what}: {'; '.join(reasons)}.")
        return not reasons

    def players(
        self, says: str, day: dict[str, Any], report: dict[str, Any], sat: list[Stay], opened: int, closed: int
    ) -> None:
        """Hold for how long each player had a seat, and how many of the seats were taken through the night."""
        by_player = self.sat[day["date"]] = defaultdict[int, list[Stay]](list)
        for each in sat:
            # Whose record was joined on a later day sat under their own.
            later = (gone for date, gone in self.sat_as.get(each.row_id, ()) if date > day["date"])
            by_player[next(later, each.who)].append(each)
        found = Counter({player: at_once(stays, opened, closed) for player, stays in by_player.items()})
        in_report = Counter({row["player_id"]: row["seconds"] for row in report["players"]})
        self.figures(f"{says}seconds in a seat of player %", in_report, found, BY_STAYS)
        self.slots(says, report, "seats_taken_tenths", [(each, 1) for each in sat], closed, BY_STAYS)

    def seats(self, says: str, day: dict[str, Any], report: dict[str, Any], closed: int) -> None:
        """Hold how many seats there were at open tables through the night, by openings and the rule book."""
        spans = []
        for row in report["openings"]:
            game = self.games(row["rule_book_version"]).get(row["game"])
            if game is None:
                self.unproved.append(
                    f"Of {day['date']} the digest alone binds how many seats there were through the night: no rule book"
                    f" here has {row['game']}."
                )
                return
            ended = micros_of(row["closed_at"]) if row["closed_at"] else None
            spans.append((Stay(row["opening_id"], 0, micros_of(row["opened_at"]), ended), game["seats"]))
        self.slots(says, report, "seats_tenths", spans, closed, "by the rule book")

    def slots(
        self, says: str, report: dict[str, Any], name: str, spans: list[tuple[Stay, int]], closed: int, by: str
    ) -> None:
        """Hold how many were there on average in each stretch of the night, in tenths."""
        begins = [micros_of(row["began_at"]) for row in report["night"]]
        for index, (row, first) in enumerate(zip(report["night"], begins, strict=True)):
            until = begins[index + 1] if index + 1 < len(begins) else closed
            lasts = max(min(report["stretch_seconds"], (closed - first) // 1_000_000), 1)
            seconds = sum(times * shared(stay, first, until, closed) for stay, times in spans)
            self.figure(f"{says}{name} in stretch {index} of the night", row[name], round(10 * seconds / lasts), by)

    def handed(self, says: str, day: dict[str, Any], report: dict[str, Any], rows: Rows) -> None:
        """Hold what each dealer had got of the day's tips when it closed."""
        found: Counter[Any] = Counter()
        for row in payrolls_of(day, rows):
            found.update(dict(row[11]))
        in_report = Counter({row["dealer_id"]: row["handed_cents"] for row in report["tips"]})
        self.figures(f"{says}tips of dealer %, handed_cents", in_report, found, BY_ROWS)

    def tips(
        self, says: str, day: dict[str, Any], report: dict[str, Any], moved: Moved, rows: Rows, dealt: Counter[Any]
    ) -> None:
        """Hold what each dealer was owed of the day's tips when it closed, and by which time dealt."""
        last = max(((row[3], row[7]) for row in payrolls_of(day, rows)), default=(0, 0))[1]
        shared_by = {row[0]: row[2] for row in rows["tip_count_of"]}
        owed: Counter[Any] = Counter()
        pooled = 0
        # id, room, table, number, day, by, approved by, dealer, pieces, cents, noted, transfer, at
        for row in rows["tip_count"]:
            if row[4] != day["id"] or row[0] <= last or row[11] not in moved.ids:
                continue
            if row[7] is not None:
                owed[row[7]] += row[9]
            elif shared_by.get(row[0]) is not None:
                owed.update(shares_by_time(row[9], {int(who): each for who, each in shared_by[row[0]].items()}))
            else:
                pooled += row[9]
        owed.update(shares_by_time(pooled, dealt))
        in_report = Counter({row["dealer_id"]: row["owed_cents"] for row in report["tips"]})
        self.figures(f"{says}tips of dealer %, owed_cents", in_report, owed, BY_ROWS)
        if report["tips"]:
            in_report = Counter({row["dealer_id"]: row["seconds"] for row in report["tips"]})
            self.figures(f"{says}tips of dealer %, seconds", in_report, dealt, BY_STAYS)
