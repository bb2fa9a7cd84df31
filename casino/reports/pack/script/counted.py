"""Each day's report, against what two have counted: boxes, slips, drawers, what was carried over the day's end."""

from collections import Counter, defaultdict
from datetime import datetime
from functools import partial
from typing import Any

from casino.reports.pack.script.ledger import Moved, is_deposit, micros
from casino.reports.pack.script.packs import Pack
from casino.reports.pack.script.reports import BY_POSTINGS, BY_ROWS
from casino.reports.pack.script.sheets import Sheets
from casino.reports.pack.script.tables import OfDay, micros_of, moment

# What lies in the vault, and what reports call what was counted of it.
IN_VAULT = {
    "vault_cash": "cash",
    "vault_card_slips": "card_slips",
    "vault_foreign_notes": "foreign",
    "vault_chips": "chips",
}

# By which transfers what a runner was given is counted where it goes, or back.
COUNTED_FILLS = {"fill_verified", "fill_returned"}
# What a drawer has none of that was not counted.
NOT_COUNTED = (
    "closed_at", "counts", "chips_cents", "card_slips_cents", "foreign_cents", "money_over_short_cents",
    "chips_over_short_cents",
)  # fmt: skip
# Of which rows figures of reports are made, each with how many columns it has.
KINDS = {
    "slip": 27, "count": 11, "notes_counted": 8, "carried": 10, "down": 7, "sitting": 6, "tip_count": 13,
    "tip_count_of": 3, "tip_payroll": 13, "notes_taken": 7, "notes_exchanged": 17,
    "vault_count": 22, "fill": 39,
}  # fmt: skip


class Counted(Sheets):
    """Verifies what the reports say of what was counted, when all days have been read: counts may follow later."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        self.days: list[tuple[dict[str, Any], dict[str, Any], OfDay, Moved]] = []
        # By kind the rows that figures are made of.
        self.kept: dict[str, list[list[Any]]] = defaultdict(list)
        # How many rows of a kind are here by their numbers alone.
        self.open_counts = Counter[str]()

    def read(self, day: dict[str, Any], report: dict[str, Any], of_day: OfDay, moved: Moved) -> None:
        """Keep what a day came to, and hold what needs no later one."""
        self.days.append((day, report, of_day, moved))
        self.cage(f"report of {day['date']}: ", report, moved)
        self.vault(f"report of {day['date']}: ", report, moved)
        if not self.is_older:
            self.deposits(f"report of {day['date']}: ", day, report)
            self.part(f"days/{day['date']}/report.csv", partial(self.sheets, day, report))

    def vault(self, says: str, report: dict[str, Any], moved: Moved) -> None:
        """Hold what counts of the vault expected, and what of it was posted as missing or too much."""
        # Reports of before tell of none.
        counts = report.get("vault_counts", ())
        for count in counts:
            for kind, what in IN_VAULT.items():
                lay = moved.lay[count["after_transfer_id"]][kind]
                name = f"{says}{kind} of count {count['number']} of the vault"
                self.figure(name, count[f"expected_{what}_cents"], lay, BY_POSTINGS)
        for account, found, posted in self.vault_missing(report, moved):
            if counts or posted:
                self.figure(f"{says}{account} by counts of the vault", found, posted, BY_POSTINGS)

    def runners(self, says: str, report: dict[str, Any], moved: Moved, rows: list[list[Any]]) -> None:
        """Hold what runners were given and what came, by postings of the day, and each slip by its own."""
        fills = {pk: self.fill(lines) for pk, (kind, lines) in moved.lines.items() if kind in COUNTED_FILLS}
        for row in rows:
            # …, number, …, runner, …, sent cash, sent chips, …, came cash, came chips, transfer by which it came, …
            if row[31] in fills:
                slip = row[18], row[21], row[22], row[29] - row[21], row[30] - row[22]
                self.figure(f"{says}what fill slip {row[2]} says", slip, fills[row[31]], BY_POSTINGS)
        found: Counter[Any] = Counter()
        for runner, *figures in fills.values():
            found.update(_carried(runner, 1, *figures))
        in_report: Counter[Any] = Counter()
        for row in report["runners"]:
            names = ("fills", "cash_cents", "chips_cents", "cash_over_short_cents", "chips_over_short_cents")
            in_report.update(_carried(row["runner_id"], *(row[name] for name in names)))
        self.figures(f"{says}%", in_report, found, BY_POSTINGS)

    def fill(self, lines: list[tuple[int, int]]) -> tuple[int, int, int, int, int]:
        """
        Return what the transfer by which a fill came says: its runner, what cash and chips were given, and by how much
        what came is over or short of each.
        """
        runner, went = 0, Counter[str]()
        for pk, cents in lines:
            account = self.accounts.get(pk, {})
            if account.get("owner_kind") == "runner":
                runner = account["owner_id"]
                went[account["kind"]] -= cents
        return runner, went["carried_cash"], went["carried"], went["over_short"], went["chips_over_short"]

    def vault_rows(self, says: str, day: dict[str, Any], report: dict[str, Any], rows: list[list[Any]]) -> None:
        """Hold counts of the vault against their rows; of one that was open its number alone is here."""
        found = {row[3]: row for row in rows if row[2] == day["id"]}
        names = [
            f"{name}{kind}_cents" for name in ("", "expected_") for kind in ("cash", "chips", "card_slips", "foreign")
        ]
        names = ["counted_by_id", "counted_with_id", *names, "after_transfer_id"]
        for count in report.get("vault_counts", ()):
            what, row = f"{says}count {count['number']} of the vault", found.pop(count["number"], None)
            if row is None:
                self.must(self.open_counts["vault_count"] > 0, f"{what} is not here")
                self.open_count(what, day, count)
                continue
            in_report = Counter({name: count[name] for name in names})
            self.figures(
                f"{what}, %", in_report, Counter(dict(zip(names, (*row[4:6], *row[8:17]), strict=True))), BY_ROWS
            )
            self.figure(f"{what}, counted at", micros_of(count["counted_at"]), micros(row[20]), BY_ROWS)
        self.wrong += [f"{says}count {number} of the vault is not there" for number in found]

    def open_count(self, what: str, day: dict[str, Any], count: dict[str, Any]) -> None:
        """
        Hold a count of the vault that was open against its event: who counted, when, and by how much each kind of what
        lies there differs from what the postings have. After which transfer that was, where it differs.
        """
        event = self.vault_counted.get((day["date"], count["number"]))
        if event is None:
            self.unproved.append(
                f"What count {count['number']} of the vault found on {day['date']}, and who counted it: it was"
                " open, its log is of before it told that, and later days’ packs prove it."
            )
            return
        data, posted = event["data"], [int(pk) for pk in (event.get("rows") or {}).get("transfer") or ()]
        for name in ("counted_by_id", "counted_with_id"):
            self.figure(f"{what}, {name}", count[name], data[name])
        self.figure(f"{what}, counted at", moment(count["counted_at"]), moment(event["at"]))
        for part in IN_VAULT.values():
            differs = count[f"{part}_cents"] - count[f"expected_{part}_cents"]
            self.figure(f"{what}, {part} over or short", differs, data[f"{part}_difference_cents"])
        for after in (self.transfer_before[pk] for pk in posted if pk in self.transfer_before):
            self.figure(f"{what}, after transfer", count["after_transfer_id"], after, BY_POSTINGS)

    def cage(self, says: str, report: dict[str, Any], moved: Moved) -> None:
        """Hold what is posted of drawers and runners, and the sums of deposits and tips."""
        in_report: Counter[Any] = Counter()
        found: Counter[Any] = Counter()
        units = {"over_short": "money", "chips_over_short": "chips"}
        runner = {"over_short": "cash", "chips_over_short": "chips"}
        deposits = 0
        for pk, account in self.accounts.items():
            kind, owner, cents = account["kind"], account["owner_id"], -(moved.came[pk] + moved.went[pk])
            if account["owner_kind"] == "drawer" and kind in units and owner in moved.drawers:
                found[f"drawer {moved.drawers[owner]}, {units[kind]}"] += cents
            elif account["owner_kind"] == "runner" and kind in runner:
                found[f"runner {owner}, {runner[kind]}"] += cents
            elif is_deposit(account):
                deposits += self.balances[pk]
        for row in report["drawer_sums"]:
            in_report[f"drawer {row['number']}, {row['unit']}"] += row["posted_cents"]
        for row in report["runners"]:
            for unit in ("cash", "chips"):
                in_report[f"runner {row['runner_id']}, {unit}"] += row[f"posted_{unit}_cents"]
        self.figures(f"{says}over or short of %", in_report, found, BY_POSTINGS)
        self.figure(f"{says}deposits", sum(row["cents"] for row in report["deposits"]), deposits, BY_POSTINGS)
        sums: list[Counter[Any]] = [Counter(), Counter()]
        for row in report["drawers"]:
            for unit in units.values():
                sums[0][f"drawer {row['number']}, {unit}"] += row[f"{unit}_over_short_cents"] or 0
        for row in report["drawer_sums"]:
            sums[1][f"drawer {row['number']}, {row['unit']}"] += row["cents"]
        self.figures(f"{says}counted over or short of %", sums[1], sums[0], "by its sessions")
        of_units = sorted((row["number"], row["unit"]) for row in report["drawer_sums"])
        drawers = {row["number"] for row in report["drawers"]}
        whole = sorted((number, unit) for number in drawers for unit in units.values())
        self.must(of_units == whole, f"{says}what drawers were over or short of is not told of each of its drawers")

    def at_the_end(self) -> None:
        """Hold what later days and the rows tell of each day: what boxes held, slips, drawers, what was carried."""
        rows = self.kept
        posted: set[int] = set()
        for day, report, of_day, moved in self.days:
            says = f"report of {day['date']}: "
            posted |= moved.lines.keys()
            self.part(f"{says}boxes", partial(self.boxes, says, day, report, of_day))
            self.part(f"{says}slips", partial(self.slips, says, report, moved, rows["slip"]))
            self.part(f"{says}drawers", partial(self.drawers, says, day, report, rows))
            self.part(f"{says}carried", partial(self.carried, says, day, report, moved, rows["carried"]))
            self.part(f"{says}runners", partial(self.runners, says, report, moved, rows["fill"]))
            self.part(f"{says}vault", partial(self.vault_rows, says, day, report, rows["vault_count"]))
            self.part(f"{says}foreign notes", partial(self.notes, says, day, report, posted, rows))
            self.part(f"{says}exchanges", partial(self.exchanges, says, report, moved, rows))
            self.part(f"{says}sales from racks", partial(self.cash_plays, says, report, moved, rows))
            if not self.is_older:
                self.part(f"{says}hours", partial(self.hours, says, day, report, moved, rows))

    def boxes(self, says: str, day: dict[str, Any], report: dict[str, Any], of_day: OfDay) -> None:
        """Hold what was counted in boxes of what fell in on the day, by opening."""
        if of_day.is_old:
            is_any = any(of["counted_cents"] for row in report["openings"] for of in row["charges"].values())
            if is_any:
                self.unproved.append(f"What was counted in boxes of {day['date']} the digest alone binds.")
            return
        until = moment(report["counted_at"]) if report["counted_at"] else None
        found: Counter[Any] = Counter()
        begun: set[tuple[int | None, str]] = set()
        for box in self.table_log.boxes.values():
            counts = [each for each in box.counts if until is None or moment(each[0]) <= until]
            here = {opening for date, opening in box.logged if date == day["date"]}
            if not counts or not here:
                continue
            for opening in here:
                found["counted", opening, box.code] += box.logged[day["date"], opening]
            if box.last is not None and box.last[0] == day["date"]:
                _at, expected, counted = counts[-1]
                key = box.last[1], box.code
                found["over_short", *key] += counted - expected
                found["beyond", *key] += expected - sum(box.logged.values())
                begun |= {key} if not box.whole else set()
        later = set()
        for row in report["openings"]:
            for code, of in row["charges"].items():
                key, what = (row["opening_id"], code), f"{says}{code} of opening {row['opening_id']}, "
                over, beyond = of["over_short_cents"] or 0, of["beyond_cents"]
                logged = (of["counted_cents"] or 0) - beyond - over
                rest = self.may_be_counted(day["date"], row["opening_id"], code, until)
                same = (logged, over, beyond) == tuple(
                    found[name, *key] for name in ("counted", "over_short", "beyond")
                )
                if key in begun or (not same and rest and logged - found["counted", *key] in rest):
                    later.add(f"{code} at table {row['table']}")
                    continue
                self.figure(f"{what}in boxes that were counted", logged, found["counted", *key])
                self.figure(f"{what}counted over or short", over, found["over_short", *key])
                self.figure(f"{what}left by undone hands", beyond, found["beyond", *key])
        if later:
            self.unproved.append(
                f"What was counted of {', '.join(sorted(later))} on {day['date']}: the box hung before these days or"
                " was counted after them. A pack from the day on which it was hung to that of its count proves it."
            )

    def may_be_counted(self, date: str, opening: int, code: str, until: datetime | None) -> set[int]:
        """Return what of an opening may have been counted after these days: of its boxes that were not, any or none."""
        sums: set[int] = set()
        for box in (*self.table_log.boxes.values(), *self.table_log.loose.values()):
            is_counted = any(until is None or moment(at) <= until for at, _expected, _counted in box.counts)
            if box.code == code and (date, opening) in box.logged and not is_counted:
                sums |= {each + box.logged[date, opening] for each in sums | {0}} | {0}
        return sums

    def slips(self, says: str, report: dict[str, Any], moved: Moved, rows: list[list[Any]]) -> None:
        """Hold slips by kind and method, and what each player bought and was paid, by the rows and their transfers."""
        in_report: Counter[Any] = Counter()
        found: Counter[Any] = Counter()
        for row in report["slips"]:
            for name in ("paid", "paid_cents", "back", "back_cents", "posted_cents"):
                in_report[f"{name} of {row['kind']} by {row['method']}"] += row[name]
        for row in report["players"]:
            in_report[f"bought in by player {row['player_id']}"] += row["bought_in_cents"]
            in_report[f"cashed out by player {row['player_id']}"] += row["cashed_out_cents"]
            called = str(row["player_id"] or "")
            self.must(row["nickname"] == called, f"{says}player {called} is called {row['nickname']} there")
        for _id, _room, kind, _status, player, amount, method, *rest in rows:
            # Its transfer, and the one that took it back.
            for pk, name, sign in ((rest[10], "paid", 1), (rest[15], "back", -1)):
                if pk not in moved.lines:
                    continue
                found[f"{name} of {kind} by {method}"] += 1
                found[f"{name}_cents of {kind} by {method}"] += amount
                found[f"posted_cents of {kind} by {method}"] += sign * self.largest(moved.lines[pk][1], method, -sign)
                bought = {"buy_in": "bought in", "cash_out": "cashed out"}.get(kind)
                if bought:
                    found[f"{bought} by player {player}"] += sign * amount
        self.figures(f"{says}%", in_report, found, BY_ROWS)

    def largest(self, lines: list[tuple[int, int]], method: str, sign: int) -> int:
        """Return the most that a slip's transfer takes away (-1) or brings: cash beside foreign notes is change."""
        kinds = {pk: (self.accounts[pk]["owner_kind"], self.accounts[pk]["kind"]) for pk, _cents in lines}
        return max(sign * cents for pk, cents in lines if method != "foreign" or kinds[pk] != ("drawer", "cash"))

    def drawers(self, says: str, day: dict[str, Any], report: dict[str, Any], rows: dict[str, list[list[Any]]]) -> None:
        """
        Hold what was counted in drawers by the last count of each session. One that was not counted on the day was
        carried over its end.
        """
        carried = {row["item"] for row in report["carried"] if row["stage"] == "operations"}
        foreign, expected = Counter[int](), Counter[int]()
        for _id, count, _currency, _pieces, _face, _face_expected, cents, expects in rows["notes_counted"]:
            foreign[count] += cents
            expected[count] += expects
        last = self.last_counts(day, rows)
        for row in report["drawers"]:
            session = self.session_of(row)
            self.begun(says, day, row)
            if row.get("carried_from"):
                session = session or self.carried_in.get(row["number"])
            if row["cash_cents"] is None:
                word = f"{'bank' if row.get('holder_id') else 'drawer'}.{row['number']}"
                lacks = f"{says}drawer {row['number']} was neither counted nor carried over the day’s end"
                self.must(word in carried, lacks, f"figures of reports {BY_ROWS}")
                stated = sorted(name for name in NOT_COUNTED if row.get(name))
                self.must(not stated, f"{says}drawer {row['number']} was not counted, and says {', '.join(stated)}")
                continue
            if session is None:
                # Logs of before told of no session.
                lacks = f"{says}drawer {row['number']} was counted there, and opened and closed by no event here"
                self.must(not self.sessions, lacks)
                continue
            if session not in last:
                self.wrong.append(f"{says}drawer {row['number']} was counted there, and by no count here")
                continue
            what, (pk, _session, number, _by, *cents, _at) = f"{says}drawer {row['number']}, ", last[session]
            # It is closed by its first count, which is not before it was opened though the clock was set back.
            closed = next(micros(each[10]) for each in rows["count"] if (each[1], each[2]) == (session, 1))
            closed = max(closed, micros_of(row["opened_at"]))
            self.figure(f"{what}closed at", micros_of(row["closed_at"]), closed, BY_ROWS)
            counted = ("cash_cents", "chips_cents", "card_slips_cents", "counts", "foreign_cents")
            found = (*cents[:3], number, foreign[pk])
            self.figures(
                f"{what}%",
                Counter({name: row[name] for name in counted}),
                Counter(dict(zip(counted, found, strict=True))),
                BY_ROWS,
            )
            money = cents[0] + cents[2] + foreign[pk] - cents[3] - cents[5] - expected[pk]
            self.figure(f"{what}money over or short", row["money_over_short_cents"], money, BY_ROWS)
            self.figure(f"{what}chips over or short", row["chips_over_short_cents"], cents[1] - cents[4], BY_ROWS)

    def begun(self, says: str, day: dict[str, Any], row: dict[str, Any]) -> None:
        """Hold when a drawer was opened, and with what, where an event here did it; and from which day it came."""
        what = f"{says}drawer {row['number']}, "
        is_before = (row.get("carried_from") or day["date"]) < self.about["days"][0]["date"]
        if known := self.begun_as(row):
            of, float_cents, holder = known
            in_report = row["float_cash_cents"], row["float_chips_cents"]
            self.figure(f"{what}float of cash and chips", in_report, float_cents)
            self.figure(f"{what}held by", row.get("holder_id"), holder)
            self.figure(f"{what}opened on", row.get("carried_from") or day["date"], of)
        elif is_before:
            self.unproved.append(
                f"With how much drawer {row['number']} of {day['date']} was opened, and for whom: that was before these"
                " days, and nobody touched it in them, or the pack is of before it had that. A pack from that day on"
                " proves it."
            )
        else:
            # Logs of before told of no session.
            self.must(not self.begun_on, f"{what}it was opened in these days, and by no event here")
        if "is_carried" in row:
            self.figure(f"{what}is carried", row["is_carried"], row["cash_cents"] is None, "by its own figures")

    def carried(
        self, says: str, day: dict[str, Any], report: dict[str, Any], moved: Moved, rows: list[list[Any]]
    ) -> None:
        """
        Hold what was carried over the day's end: what, by whom and why, and how much of chips in play, and of what a
        table that was counted through was over or short; in the second stage as far as it is here.
        """
        in_report = {
            (row["stage"], row["item"], row["reason"], row["carried_by_id"], micros_of(row["carried_at"]))
            for row in report["carried"]
        }
        found = {
            (stage, f"{kind}.{number}", reason, by, micros(at))
            for _id, _room, of, stage, kind, number, _rows, reason, by, at in rows
            if of == day["id"]
        }
        amounts = {
            f"{kind}.{number}": sum(moved.in_play.get(pk, 0) for pk in pks)
            for _id, _room, of, _stage, kind, number, pks, *_rest in rows
            if (of, kind) == (day["id"], "in_play")
        }
        for pk, cents in moved.in_play.items():
            number = self.about["tables"][str(self.accounts[pk]["owner_id"])]
            amounts[f"over_short.{number}"] = self.table_log.counted_through.get((day["date"], number), 0) - cents
        for row in () if self.is_older else report["carried"]:
            self.figure(f"{says}{row['item']}, cents", row["cents"], amounts.get(row["item"]), BY_POSTINGS)
            is_open = (row["name"], row["is_open"], row["done_at"]) == (row["item"], True, None)
            self.must(is_open, f"{says}{row['item']} was carried, and is there as of another moment")
        for each in sorted(found | {each for each in in_report if each[0] == "operations"}, key=str):
            self.must(
                each in in_report and each in found, f"{says}what was carried: {each}", f"figures of reports {BY_ROWS}"
            )


def _carried(runner: int, *figures: int) -> dict[str, int]:
    names = ("fills", "cash", "chips", "cash over or short", "chips over or short")
    return {f"{name} of runner {runner}": each for name, each in zip(names, figures, strict=True)}
