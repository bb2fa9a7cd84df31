"""Foreign notes, their exchange, sales from racks and deposits by age."""

from collections import Counter
from collections.abc import Collection
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from casino.reports.pack.script.hours import Hours, Rows
from casino.reports.pack.script.ledger import Moved, lots_after, name_of
from casino.reports.pack.script.packs import Pack
from casino.reports.pack.script.reports import BY_POSTINGS, BY_ROWS

# The first day of each band of age.
BANDS = (0, 31, 91, 366)


class Cage(Hours):
    """Verifies what reports say of the cage by piece and by person."""

    def zone(self) -> ZoneInfo | None:
        """Return the house's time zone, None where this machine knows none."""
        try:
            return ZoneInfo(self.about["room"]["time_zone"])
        except ZoneInfoNotFoundError:
            return None

    def deposits(self, says: str, day: dict[str, Any], report: dict[str, Any]) -> None:
        """Hold the deposits at the end of a day by the age of their oldest part, which goes first."""
        zone, found = self.zone(), Counter[str]()
        if zone is None:
            self.unproved.append(f"This machine knows no time zones: how old deposits of {day['date']} are.")
            return
        for lots in self.lots.values():
            if lots:
                since = datetime.fromtimestamp(lots[0].since / 1_000_000, zone).date()
                days = max((date.fromisoformat(day["date"]) - since).days, 0)
                band = max(first for first in BANDS if first <= days)
                found[f"deposits of {band} days and more"] += 1
                found[f"cents on deposits of {band} days and more"] += sum(lot.cents for lot in lots)
        in_report: Counter[str] = Counter()
        for row in report["deposits"]:
            in_report[f"deposits of {row['from_days']} days and more"] += row["count"]
            in_report[f"cents on deposits of {row['from_days']} days and more"] += row["cents"]
            until = next((band - 1 for band in BANDS if band > row["from_days"]), None)
            self.figure(f"{says}deposits of {row['from_days']} days until", row["to_days"], until, BY_POSTINGS)
        self.figures(f"{says}%", in_report, found, BY_POSTINGS)

    def notes(
        self, says: str, day: dict[str, Any], report: dict[str, Any], posted: Collection[int], rows: Rows
    ) -> None:
        """
        Hold foreign notes by face: what slips brought until the day's end, and what the last count of each session
        found. `posted` are the transfers of all days up to this one.
        """
        here, begun, unknown = self.sessions_of(report)
        whole = {session: number for session, number in here.items() if number not in begun}
        known = {session: number for session, number in here.items() if number not in unknown}
        found = Counter[str]()
        before = self.notes_before or {"slip": [], "notes_taken": []}
        # A slip of before these days that was taken back in them stands here as it is since.
        slips = {row[0]: row for row in before["slip"]}
        paid = {row[17] for row in before["slip"] if row[22] is None}.union(posted)
        slips |= {row[0]: row for row in rows["slip"]}
        brought = {
            pk: whole[row[12]]
            for pk, row in slips.items()
            if row[12] in whole and row[17] in paid and row[22] not in posted
        }
        for _id, slip, currency, _pieces, face, _rate, cents in rows["notes_taken"] + before["notes_taken"]:
            if slip in brought:
                found.update(_notes(brought[slip], currency, slips=1, face_cents=face, cents=cents))
        drawer_of = {row[0]: known[session] for session, row in self.last_counts(day, rows).items() if session in known}
        for _id, count, currency, _pieces, face, _expected_face, cents, _expected in rows["notes_counted"]:
            if count in drawer_of:
                found.update(_notes(drawer_of[count], currency, counted_face_cents=face, counted_cents=cents))
        in_report: Counter[str] = Counter()
        for row in report["foreign_notes"]:
            figures = [] if row["number"] in begun else ["slips", "face_cents", "cents"]
            figures += [] if row["number"] in unknown else ["counted_face_cents", "counted_cents"]
            in_report.update(_notes(row["number"], row["currency"], **{name: row[name] or 0 for name in figures}))
        self.figures(f"{says}%", in_report, found, BY_ROWS)
        if not_whole := {row["number"] for row in report["foreign_notes"]} & begun:
            self.unproved.append(
                f"What foreign notes drawer {', '.join(map(str, sorted(not_whole)))} had taken by the end of"
                f" {day['date']}: it was opened before these days, and no seal here names the end of its log, or the"
                " pack is of before it had that. A pack from the day on which it was opened proves it."
            )

    def sessions_of(self, report: dict[str, Any]) -> tuple[dict[int, int], set[int], set[int]]:
        """
        Return a report's sessions, each with the number of its drawer; the numbers of those that were opened before
        these days, with slips that are not here; and of these, those whose session no event here names.
        """
        here: dict[int, int] = {}
        begun, unknown = set[int](), set[int]()
        for row in report["drawers"]:
            number, session = row["number"], self.session_of(row)
            is_before = row.get("carried_from") and name_of(row) not in self.sessions
            if session is None or (is_before and self.notes_before is None):
                begun.add(number)
                session = session or self.carried_in.get(number)
            if session is None:
                unknown.add(number)
            else:
                here[session] = number
        return here, begun, unknown

    def exchanges(self, says: str, report: dict[str, Any], moved: Moved, rows: Rows) -> None:
        """Hold the foreign notes that went to be exchanged on a day, and those that came back."""
        found: Counter[str] = Counter()
        # id, room, number, currency, pieces, face, worth, got, by, approved by, transfer, …, transfer that took it back
        for row in rows["notes_exchanged"]:
            for pk, sign in ((row[10], 1), (row[14], -1)):
                if pk in moved.ids:
                    found.update(_exchange(row[2], row[3], sign < 0, *(sign * cents for cents in row[5:8])))
        in_report: Counter[str] = Counter()
        for row in report["exchanges"]:
            figures = (row["face_cents"], row["worth_cents"], row["got_cents"])
            in_report.update(_exchange(row["number"], row["currency"], row["is_back"], *figures))
        self.figures(f"{says}%", in_report, found, BY_ROWS)

    def cash_plays(self, says: str, report: dict[str, Any], moved: Moved, rows: Rows) -> None:
        """Hold what each dealer sold out of a rack: slips whose cash came to lie there."""
        found: Counter[str] = Counter()
        for row in rows["slip"]:
            _kind, lines = moved.lines.get(row[17], ("", []))
            racks = [self.accounts[pk] for pk, cents in lines if cents > 0 and pk in self.accounts]
            tables = [
                each["owner_id"] for each in racks if (each["owner_kind"], each["kind"]) == ("table", "rack_cash")
            ]
            if row[2] != "buy_in" or not tables:
                continue
            at = f"at table {self.about['tables'][str(tables[0])]} by dealer {row[15]}"
            found.update({f"slips {at}": 1, f"sold_cents {at}": row[5]})
            name = {"reversal": "back", "never_sold": "never"}.get(moved.lines.get(row[22], ("", []))[0])
            if name:
                found.update({f"{name} {at}": 1, f"{name}_cents {at}": row[5]})
        in_report: Counter[str] = Counter()
        for row in report["cash_plays"]:
            at = f"at table {row['table']} by dealer {row['dealer_id']}"
            figures = ("slips", "sold_cents", "back", "back_cents", "never", "never_cents")
            in_report.update({f"{name} {at}": row[name] for name in figures})
        self.figures(f"{says}sold from racks, %", in_report, found, BY_ROWS)

    def last_counts(self, day: dict[str, Any], rows: Rows) -> dict[int, list[Any]]:
        """Return the last count of each drawer's session that was closed on a day: none is counted later again."""
        counts = sorted(rows["count"], key=lambda row: row[2])
        return {row[1]: row for row in counts if self.counted_on.get(row[1]) == day["date"]}

    def lay(self, before: Pack) -> None:
        """Hold since when deposits had lain against how the pack of the days before leaves them."""
        lots = lots_after(before)
        for pk in sorted(lots.keys() | self.first_lots.keys()):
            one, other = lots.get(pk, []), self.first_lots.get(pk, [])
            self.must(one == other, f"deposits on account {pk} do not lie as the pack before left them", "deposits")


def _notes(number: int, currency: str, **figures: int) -> dict[str, int]:
    return {f"{name} of {currency} in drawer {number}": cents for name, cents in figures.items()}


def _exchange(number: int, currency: str, is_back: bool, *figures: int) -> dict[str, int]:
    at = f"of {currency} in exchange {number}{', taken back' if is_back else ''}"
    names = ("face_cents", "worth_cents", "got_cents")
    return {f"{name} {at}": cents for name, cents in zip(names, figures, strict=True)}
