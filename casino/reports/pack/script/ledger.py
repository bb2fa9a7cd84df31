"""Transfers against the log that names them, and from opening balances to closing ones."""

import csv
import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from casino.reports.pack.script.log import Head, Log
from casino.reports.pack.script.packs import Pack, sha256
from casino.reports.pack.script.tables import Tables, micros_of, moment

# Of a drawer: on which day it was opened, with how much of cash and chips, and for which runner.
Begun = tuple[str, tuple[int, int], int | None]
OPENS = ("cage.open_drawer", "cage.open_bank")
# What an account is.
NAMED = ("owner_kind", "owner_id", "kind", "unit", "currency", "is_promise")
STOOD = "days’ closes that say what lay on all accounts"


def begun(event: dict[str, Any], date: str) -> Begun:
    """Return how a drawer was opened by its event, on a day."""
    data, is_bank = event["data"], event["name"] == "cage.open_bank"
    return date, (data["cash_cents"], data["chips_cents"]), event["args"]["approved_by_id"] if is_bank else None


def name_of(row: dict[str, Any]) -> tuple[int, str]:
    """Return by what a report's drawer is known: its number, and when it was opened."""
    return row["number"], row["opened_at"].replace("Z", "+00:00")


@dataclass(frozen=True)
class Lot:
    """A part of a deposit: since when it lies there, in microseconds, and how much of it is left."""

    since: int
    cents: int


def lies(lots: list[Lot], cents: int, at: int) -> list[Lot]:
    """Return a deposit's parts, the oldest first, after some was put there at a moment, or (negative) taken off."""
    if cents > 0:
        # Not before the last, though the clock was set back since.
        return [*lots, Lot(max(at, lots[-1].since) if lots else at, cents)]
    left = []
    for lot in lots:
        taken = min(-cents, lot.cents)
        cents += taken
        if lot.cents > taken:
            left.append(Lot(lot.since, lot.cents - taken))
    return left


def lots_before(pack: Pack) -> dict[int, list[Lot]]:
    """Return by account how deposits lay before a pack's days."""
    found: dict[int, list[Lot]] = {}
    for row in csv.DictReader(pack.lines("deposits.csv")):
        found.setdefault(int(row["account_id"]), []).append(Lot(micros_of(row["since"]), int(row["cents"])))
    return found


def lots_after(pack: Pack) -> dict[int, list[Lot]]:
    """Return by account how deposits lay after a pack's days."""
    lots, accounts = lots_before(pack), pack.accounts()
    for day in pack.json("manifest.json")["days"]:
        for text in pack.lines(f"days/{day['date']}/transfers.txt"):
            *_rest, at, lines = json.loads(text)
            move_deposits(lots, accounts, parts_of(lines), micros(at))
    return lots


def move_deposits(
    lots: dict[int, list[Lot]], accounts: dict[int, dict[str, Any]], parts: list[tuple[int, int]], at: int
) -> None:
    """Have deposits lie as they do after a transfer of these postings."""
    for account, cents in parts:
        if is_deposit(accounts.get(account, {})):
            lots[account] = lies(lots.get(account, []), cents, at)


def parts_of(lines: str) -> list[tuple[int, int]]:
    """Return a transfer's postings, (account, cents), out of its text."""
    return [(int(account), int(cents)) for account, cents in (each.split(":") for each in lines.split(","))]


def is_deposit(account: dict[str, Any]) -> bool:
    return (account.get("owner_kind"), account.get("kind")) == ("player", "deposit")


class Moved:
    """What came to each account and went from it on a day, and what of both was no count of a box."""

    def __init__(self) -> None:
        self.came: Counter[int] = Counter()
        self.went: Counter[int] = Counter()
        self.charged: Counter[int] = Counter()
        # By table: tips that two have counted. By transfer: its kind and lines.
        self.tips: Counter[int] = Counter()
        self.lines: dict[int, tuple[str, list[tuple[int, int]]]] = {}
        # All that are of no hand.
        self.ids: set[int] = set()
        # What lay on the accounts of chips in play when the day was over.
        self.in_play: dict[int, int] = {}
        # What had come to lie in the house when the vault was counted, by kind of account, by the last transfer before.
        self.lay: dict[int, Counter[str]] = {}
        # Accounts of drawers by the number of theirs.
        self.drawers: dict[int, int] = {}


class Ledger(Log):
    """Verifies that money and chips went as the log says."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        self.accounts: dict[int, dict[str, Any]] = {}
        self.balances: dict[int, int] = {}
        self.table_log = Tables({}, {})
        self.sessions: dict[tuple[int, str], int] = {}
        # By transfer of a day the chain of the event that names it.
        self.named_by: dict[int, str] = {}
        # By session that these days opened.
        self.begun_on: dict[int, Begun] = {}
        # The same of those that were opened before these days, by number and moment.
        self.begun_before: dict[tuple[int, str], Begun] = {}
        self.sessions_before: dict[tuple[int, str], int] = {}
        # Where chains ended before these days, and by kind the rows of foreign notes that they name, if they are here.
        self.heads_before: dict[str, Head] = {}
        self.notes_before: dict[str, list[list[Any]]] | None = None
        # By day and number: the event of a count of the vault.
        self.vault_counted: dict[tuple[str, int], dict[str, Any]] = {}
        # By transfer that posted what such a count found, the last one before it.
        self.transfer_before: dict[int, int] = {}
        self.last_transfer = 0
        # How the room stood when a day closed, as the event of that says; none in logs of before.
        self.stands: dict[str, Any] = {}
        # By number of the drawer: the session that was carried over to these days, and counted in them.
        self.carried_in: dict[int, int] = {}
        # By session that these days counted: on which one. And by sitting whose player was joined: on which, and who.
        self.counted_on: dict[int, str] = {}
        self.sat_as: dict[int, list[tuple[str, int]]] = {}
        # When an event here first named a row of a kind, and by account how deposits lie.
        self.first_named: dict[str, int] = {}
        self.first_lots: dict[int, list[Lot]] = {}
        self.lots: dict[int, list[Lot]] = {}

    def open_accounts(self) -> None:
        self.accounts = self.pack.accounts()
        self.balances = {pk: account["opening_cents"] for pk, account in self.accounts.items()}
        for which in ("opening_cents", "closing_cents"):
            sums: Counter[tuple[str, str]] = Counter()
            for account in self.accounts.values():
                sums[account["unit"], account["currency"]] += account[which]
                low = account["is_promise"] and account[which] < 0
                self.must(not low, f"account {account['id']} is a promise and stands at {account[which]}")
            for unit, cents in sums.items():
                self.must(cents == 0, f"{which} of all accounts are {cents} in {' '.join(unit)}, and not nothing")
        if not self.is_older:
            self.part("deposits.csv", self.open_deposits)

    def open_deposits(self) -> None:
        """Hold how deposits lay before these days against what was on their accounts."""
        self.first_lots = lots_before(self.pack)
        self.lots = dict(self.first_lots)
        deposits = {pk for pk, account in self.accounts.items() if is_deposit(account)}
        for pk in sorted(self.lots.keys() | deposits):
            lay, opening = sum(lot.cents for lot in self.lots.get(pk, [])), self.balances.get(pk, 0)
            self.must(lay == opening, f"deposits on account {pk} lie there as {lay}, and it opens with {opening}")
        if self.lots and not self.has_before:
            self.unproved.append(
                f"Since when {len(self.lots)} deposits of before these days lie: the pack before proves it (--before)."
            )

    def close_accounts(self) -> None:
        for pk, account in self.accounts.items():
            same = self.balances[pk] == account["closing_cents"]
            says = f"account {pk} closes with {account['closing_cents']}, and its postings come to {self.balances[pk]}"
            self.must(same, says, "accounts from opening to closing balance")
        if not self.proved[STOOD]:
            self.unproved.append(
                "What lay on accounts that nothing moved in these days, and whose they are; which rule books, currency"
                " and time zone the room had: the log is of before the event of a day’s close told that. The digest"
                " binds it, and the pack before what lay there and whose it was (--before)."
            )
        missing = {chain for chain, number in self.ends.items() if self.sealed.get(chain, 0) < number}
        if missing:
            few = ", ".join(sorted(missing)[:5])
            self.wrong.append(
                f"the end of {len(missing)} chains of the log is in no seal ({few}): where the day has just closed,"
                " have the pack made again some minutes later; a house without a sealer proves nothing against itself"
            )

    def day(self, day: dict[str, Any]) -> None:
        """Verify one gaming day: its log, its transfers against that and against balances, its report, its seals."""
        folder = f"days/{day['date']}"
        self.known, self.stands = [{}, self.known[0]], {}
        named: dict[int, str] = {}
        moments: set[int] = set()
        self.table_log.begin_day(day["date"])
        event: dict[str, Any] = {}
        for event in self.events(f"{folder}/log.txt"):
            self.see(event)
            self.ends[event["chain"]] = event["number"]
            rows = event.get("rows") or {}
            self.names_rows = self.names_rows or bool(rows)
            if not self.names_rows and event["result"] == "done":
                moments.add(micros_of(event["at"]))
            if event["name"] == "people.merge_players":
                for row_id in rows.get("sitting", ()):
                    self.sat_as.setdefault(int(row_id), []).append((day["date"], event["args"]["gone_id"]))
            for kind, hashes in rows.items():
                self.first_named.setdefault(kind, micros_of(event["at"]))
                for row_id, hashed in hashes.items():
                    if kind == "transfer":
                        named[int(row_id)], self.named_by[int(row_id)] = hashed, event["chain"]
                    else:
                        self.named[kind, int(row_id)] = hashed
        self.ends_with(day, event)
        self.part(f"{folder}/report.json", lambda: self.transfers_and_report(day, named, moments))
        self.hold_seals()
        self.in_order(day["date"])

    def ends_with(self, day: dict[str, Any], event: dict[str, Any]) -> None:
        """Hold that a day's log ends with the event of its close, and that a pack is not called one of before."""
        data, date = event.get("data") or {}, day["date"]
        is_close = (event.get("name"), event.get("result")) == ("cage.close_day", "done")
        same = is_close and (data["day_id"], data["date"]) == (day["id"], date)
        self.must(same, f"the log of {date} does not end with the event of its close", "days up to their close")
        self.must(not (self.is_older and self.stands), f"the log of {date} is of no pack of before, as this is called")
        if is_close:
            closed_at = max(moment(event["at"]), moment(day["opened_at"]))
            self.must(
                moment(day["closed_at"]) == closed_at, f"{date} closed at {closed_at}, and not as the manifest has it"
            )

    def see(self, event: dict[str, Any]) -> None:
        """Take in what reports are held against."""
        self.table_log.see(event)
        data, chain = event.get("data") or {}, event["chain"]
        if event["result"] == "done" and event["name"] == "cage.close_day":
            self.stands = data.get("stands") or {}
        if event["result"] == "done" and event["name"] == "cage.count_vault" and "counted_with_id" in data:
            self.vault_counted[self.table_log.date, data["vault_count_number"]] = event
        if event["result"] == "done" and chain.startswith("drawer.") and "session_id" in data:
            number = int(chain.removeprefix("drawer."))
            if event["name"] == "cage.close_drawer" and data["session_id"] not in self.sessions.values():
                self.carried_in[number] = data["session_id"]
            if event["name"] == "cage.close_drawer":
                self.counted_on[data["session_id"]] = self.table_log.date
            self.sessions.setdefault((number, event["at"]), data["session_id"])
            if event["name"] in OPENS:
                self.begun_on[data["session_id"]] = begun(event, self.table_log.date)

    def opened_before(self) -> None:
        """Read the log of drawers from when they were opened before these days, to where their chains stand here."""
        date, named = "", dict[tuple[str, int], str]()
        days: list[tuple[str, str]] = []
        for line in self.pack.lines("before.txt"):
            previous, hashed, text = line.split(" ", 2)
            event = json.loads(text)
            chain, number, data = event["chain"], event["number"], event.get("data") or {}
            follows = self.heads_before.get(chain, (number - 1, previous)) == (number - 1, previous)
            same = follows and sha256(f"{previous}\n{text}") == hashed
            self.must(
                same, f"before.txt: event {chain} {number} is not what its hash says", "events of before these days"
            )
            self.heads_before[chain] = number, hashed
            for kind, rows in (event.get("rows") or {}).items():
                named |= {(kind, int(pk)): fingerprint for pk, fingerprint in rows.items()}
            if event["result"] == "done" and event["name"] == "cage.open_day":
                date = data["date"]
                days.append((event["at"], date))
            elif event["result"] == "done" and event["name"] in OPENS:
                name = int(chain.removeprefix("drawer.")), event["at"]
                self.begun_before[name], self.sessions_before[name] = begun(event, date), data.get("session_id", 0)
        for name, (of, *_rest) in list(self.begun_before.items()):
            # Between which days' events it stands nothing binds: it is of that day by its moment too, or not proved.
            if of != max((each for each in days if moment(each[0]) <= moment(name[1])), default=("", ""))[1]:
                del self.begun_before[name]
        for chain, head in self.heads_before.items():
            self.must(self.heads.get(chain, head) == head, f"before.txt does not end where {chain} begins here")
        if "before_rows.txt" in self.pack.names():
            self.part("before_rows.txt", lambda: self.rows_before(named))

    def rows_before(self, named: dict[tuple[str, int], str]) -> None:
        """Read the foreign notes of before these days, and their slips, each as the last event in before.txt has it."""
        found = self.notes_before = {"slip": [], "notes_taken": []}
        for line in self.pack.lines("before_rows.txt"):
            kind, state, text = line.split("\t")
            row = json.loads(text)
            same = not state and named.pop((kind, row[0]), "") == sha256(text)
            self.must(same, f"before_rows.txt: {kind} {row[0]} is not what its event says", "rows of before these days")
            found[kind].append(row)
        lacks = {f"notes_taken {pk}" for kind, pk in named if kind == "notes_taken"}
        lacks |= {f"slip {row[1]}" for row in found["notes_taken"]} - {f"slip {row[0]}" for row in found["slip"]}
        self.wrong += [f"an event of before these days names {name}, which is not here" for name in sorted(lacks)]

    def is_tied(self, number: int) -> bool:
        """Say whether the log of a drawer from before these days ends where they begin, or where a seal has it end."""
        chain = f"drawer.{number}"
        return chain in self.ends or self.sealed.get(chain) == self.heads_before.get(chain, (0, ""))[0]

    def begun_as(self, row: dict[str, Any]) -> Begun | None:
        """Return how a report's drawer was opened, None where no event says it that hangs on a seal."""
        name = name_of(row)
        before = self.begun_before.get(name) if self.is_tied(row["number"]) else None
        return self.begun_on.get(self.sessions.get(name, 0), before)

    def session_of(self, row: dict[str, Any]) -> int | None:
        """Return the session of a drawer in a report by when it was opened, None where no event here opened it."""
        name = name_of(row)
        before = self.sessions_before.get(name) if self.is_tied(row["number"]) else None
        return self.sessions.get(name) or before or None

    def report(self, day: dict[str, Any], report: dict[str, Any], opening: dict[int, int], moved: Moved) -> None:
        """Verify a day's report."""
        raise NotImplementedError

    def whose(self, text: str, chain: str, parts: list[tuple[int, int]]) -> None:
        """Hold whose the accounts of a transfer are, which an event of a chain names."""
        raise NotImplementedError

    def transfers_and_report(self, day: dict[str, Any], named: dict[int, str], moments: set[int]) -> None:
        opening, moved = dict(self.balances), Moved()
        lines_of: dict[int, list[tuple[int, int]]] = {}
        report = self.pack.json(f"days/{day['date']}/report.json")
        counted = sorted({count["after_transfer_id"] for count in report.get("vault_counts", ())}, reverse=True)
        for text in self.pack.lines(f"days/{day['date']}/transfers.txt"):
            pk, room, of_day, kind, _key, made_by, approved_by, table, reverses, about, at, lines = json.loads(text)
            name, fingerprint = f"transfer {pk}", named.pop(pk, None)
            self.must(pk > self.last_transfer, f"{name} does not stand where it was posted")
            while counted and counted[-1] < pk:
                moved.lay[counted.pop()] = self.in_house()
            if fingerprint is None and micros(at) in moments:
                self.proved["transfers of before the log named rows, by their moment alone"] += 1
            else:
                same = fingerprint in (None, sha256(text))
                self.must(fingerprint is not None, f"{name} is named by no event of its day")
                self.must(same, f"{name} is not what its event says", "transfers with their events")
            self.must((room, of_day) == (self.about["room"]["id"], day["id"]), f"{name} is of another room or day")
            self.must(approved_by is None or approved_by != made_by, f"{name} was approved by who made it")
            parts = parts_of(lines)
            lines_of[pk] = parts
            if {"hand", "time", "slip", "fill"} & about.keys():
                moved.lines[pk] = kind, parts
            if "hand" not in about:
                moved.ids.add(pk)
            for account, _cents in parts:
                if "drawer" in about and self.accounts.get(account, {}).get("owner_kind") == "drawer":
                    moved.drawers[self.accounts[account]["owner_id"]] = about["drawer"]
            self.post(name, kind, parts, moved)
            self.whose(text, self.named_by.pop(pk, ""), parts)
            if kind == "vault_counted" and self.last_transfer:
                self.transfer_before[pk] = self.last_transfer
            self.last_transfer = pk
            move_deposits(self.lots, self.accounts, parts, micros(at))
            if kind == "tips_taken":
                # What two have counted has left the tip box for the dealers' part of the vault.
                dealers = [cents for pk, cents in parts if self.accounts.get(pk, {}).get("kind") == "tips"]
                moved.tips[int(table)] += sum(dealers)
            if reverses in lines_of:
                sums: Counter[int] = Counter()
                for account, cents in parts + lines_of[reverses]:
                    sums[account] += cents
                self.must(not any(sums.values()), f"{name} does not mirror {reverses}, which it reverses", "reversals")
        self.wrong += [f"an event names transfer {pk}, which is not here" for pk in named]
        moved.lay.update((pk, self.in_house()) for pk in counted)
        self.stood(day)
        moved.in_play = {pk: self.balances[pk] for pk, each in self.accounts.items() if each["kind"] == "in_play"}
        self.report(day, report, opening, moved)

    def stood(self, day: dict[str, Any]) -> None:
        """
        Hold what lay on all accounts when a day closed, whose they are, and which rule books and currency the room had,
        against the event of its close.
        """
        if not self.stands:
            return
        says, of = self.stands, f"when {day['date']} closed"
        lay = "".join(
            f"\n{pk},{','.join(str(account[name]) for name in NAMED)},{self.balances[pk]}"
            for pk, account in sorted(self.accounts.items())
            if self.balances[pk]
        )
        self.must(
            sha256(day["balances_seed"] + lay) == says["balances"],
            f"what lay on all accounts {of}, and whose they are, is not what the event of its close says",
            STOOD,
        )
        had = [book for book in self.about["rule_books"] if book["id"] <= says["newest_rule_book_version"]]
        names = ("id", "number", "book", "digest", "holds_from")
        books = "\n".join(
            ",".join(str(book[name]) for name in names) for book in sorted(had, key=lambda each: each["id"])
        )
        self.must(sha256(books) == says["rule_books"], f"the rule books are not those that the room had {of}")
        for name in ("slug", "currency", "time_zone"):
            here = self.about["room"][name]
            self.must(here == says[name], f"the room’s {name} is {here} there, and {says[name]} by the log")

    def in_house(self) -> Counter[str]:
        """Return what lies on the house's own accounts, by kind, as far as transfers have been read."""
        lies: Counter[str] = Counter()
        for pk, account in self.accounts.items():
            lies[account["kind"]] += self.balances[pk] if account["owner_kind"] == "house" else 0
        return lies

    def post(self, name: str, kind: str, parts: list[tuple[int, int]], moved: Moved) -> None:
        sums: Counter[tuple[str, str]] = Counter()
        for account_id, cents in parts:
            account = self.accounts.get(account_id)
            if account is None:
                self.wrong.append(f"{name} moves {cents} on account {account_id}, which is not here")
                continue
            sums[account["unit"], account["currency"]] += cents
            self.balances[account_id] += cents
            moved.came[account_id] += max(cents, 0)
            moved.went[account_id] += min(cents, 0)
            if kind != "box_counted":
                moved.charged[account_id] += cents
        self.must(not any(sums.values()), f"{name} does not sum to zero", "transfers that sum to zero")
        for account_id, _cents in parts:
            account = self.accounts.get(account_id)
            low = account is not None and account["is_promise"] and self.balances[account_id] < 0
            self.must(not low, f"{name} takes the promise {account_id} below zero")


def micros(seconds: Any) -> int:
    """Return a moment as rows have it in whole microseconds."""
    return round(float(seconds) * 1_000_000)
