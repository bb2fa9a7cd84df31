# ruff: noqa: T201 - a script that prints
"""
Verify an auditor's pack of Brush: python verify.py PACK.zip (or the folder that it was unpacked into).

It needs Python 3.11 or newer and nothing else: no Brush, no database, no network. It reads the pack, recomputes what
can be recomputed, says what it proved, and ends with 0; or with 1, after a sentence for each thing that is wrong.

A pack cannot vouch for itself. What ties it to the house comes from elsewhere, and is given on the command line:

    --digest HEX           the pack's digest as the house's log and page show it
    --key HEX              the sealer's public key, as the house's copy of the seals has it
    --printed NUMBER:CODE  a seal as it stands on a printed page of the day
    --before PACK          the pack of the days before: its last balances are this one's first

Use a copy of this script that you trust, and not the one from a pack that you doubt.
"""

import argparse
import csv
import hashlib
import json
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

FORMAT, GENESIS, SAID_MAX = 1, "0" * 64, 200
Head = tuple[int, str]


# ---- signatures: Ed25519 (RFC 8032, 5.1), for the standard library has none. Nothing secret is computed here.

P = 2**255 - 19
# Where what counts of a table's rack found stands, and what reports call it.
IN_RACK = {
    "rack_over_short": "chips over or short in the rack",
    "rack_cash_over_short": "cash over or short in the rack",
}
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _point(encoded: bytes) -> Point | None:
    """Return the point that 32 bytes encode, None where they encode none (5.1.3)."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


_base = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
assert _base is not None
BASE: Point = _base


def is_signed(public: str, text: str, signature: str) -> bool:
    """Say whether the key with this public half signed this text; both in hex (5.1.7)."""
    try:
        key, signed = bytes.fromhex(public), bytes.fromhex(signature)
    except ValueError:
        return False
    point = _point(key) if (len(key), len(signed)) == (32, 64) else None
    s = int.from_bytes(signed[32:], "little")
    if point is None or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signed[:32] + key + text.encode()).digest(), "little") % ORDER
    minus = (P - point[0], point[1], 1, P - point[3])
    # R = [S]B - [k]A, both at once, from the highest bit down.
    sums, found = {1: BASE, 2: minus, 3: _add(BASE, minus)}, (0, 1, 1, 0)
    for bit in range(252, -1, -1):
        found = _add(found, found)
        if both := (s >> bit & 1) | (k >> bit & 1) << 1:
            found = _add(found, sums[both])
    inverse = pow(found[2], -1, P)
    x, y = found[0] * inverse % P, found[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signed[:32]


def _is_signed(job: tuple[int, str, str, str]) -> int:
    """Return the number of a seal that its key did not sign, 0 for one that it did."""
    number, public, text, signature = job
    return 0 if is_signed(public, text, signature) else number


# ---- the pack


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Pack:
    """The files of a pack, out of its zip or a folder."""

    def __init__(self, where: Any) -> None:
        self._folder: Path | None = where if isinstance(where, Path) and where.is_dir() else None
        self._zip = zipfile.ZipFile(where) if self._folder is None else None

    def names(self) -> set[str]:
        if self._zip is not None:
            return {name for name in self._zip.namelist() if not name.endswith("/")}
        assert self._folder is not None
        return {each.relative_to(self._folder).as_posix() for each in self._folder.rglob("*") if each.is_file()}

    def open(self, name: str) -> Any:
        if self._zip is not None:
            return self._zip.open(name)
        assert self._folder is not None
        return (self._folder / name).open("rb")

    def read(self, name: str) -> str:
        with self.open(name) as file:
            return str(file.read(), "utf-8")

    def lines(self, name: str) -> Iterator[str]:
        with self.open(name) as file:
            for line in file:
                yield str(line, "utf-8").removesuffix("\n")

    def hash(self, name: str) -> str:
        digest = hashlib.sha256()
        with self.open(name) as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
        return digest.hexdigest()

    def accounts(self) -> dict[int, dict[str, Any]]:
        found = {}
        for row in csv.DictReader(self.lines("accounts.csv")):
            numbers = ("id", "owner_id", "is_promise", "opening_cents", "closing_cents")
            account: dict[str, Any] = row | {name: int(row[name]) for name in numbers}
            found[account["id"]] = account
        return found


class Audit:
    """What is wrong with a pack, what was proved of it, and what could not be."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.wrong: list[str] = []
        self.unproved: list[str] = []
        self.proved: Counter[str] = Counter()
        self.about: dict[str, Any] = {}
        self.keys: dict[int, str] = {}
        self.accounts: dict[int, dict[str, Any]] = {}
        self.balances: dict[int, int] = {}
        # The log: where each chain stands, hashes of this day's and the last day's events, and what rows events name.
        self.heads: dict[str, Head] = {}
        self.ends: dict[str, int] = {}
        self.known: list[dict[Head | tuple[str, int], str]] = [{}, {}]
        self.named: dict[tuple[str, int], str] = {}
        self.names_rows = False
        # Seals: those not read yet, the first one that waits for events to come, and how far each chain is sealed.
        self.seals: Iterator[dict[str, Any]] = iter(())
        self.waiting: dict[str, Any] | None = None
        self.sealed: dict[str, int] = {}

    def run(self, *, digest: str, key: str, printed: list[str], before: Path | None) -> None:
        """Verify all there is."""
        self.part("manifest.json", lambda: self.files(digest))
        if not self.about:
            return
        self.part("keys.json", lambda: self.the_keys(key))
        self.part("rule-books", self.rule_books)
        self.part("accounts.csv", self.open_accounts)
        self.part("chains.json", self.open_chains)
        self.part("seals.txt", lambda: self.signatures(printed))
        self.seals = self.read_seals()
        for day in self.about["days"]:
            self.part(f"the day {day['date']}", partial(self.day, day))
        self.ends = {chain: number for chain, (number, _hash) in self.heads.items() if chain in self.ends}
        self.part("after.txt", self.after)
        self.part("seals.txt", lambda: self.hold_seals(is_all=True))
        self.part("rows.txt", self.rows)
        self.part("accounts.csv", self.close_accounts)
        if before is not None:
            self.part(str(before), lambda: self.follows(Pack(before)))

    def part(self, name: str, verify: Callable[[], None]) -> None:
        """Verify one part; whatever cannot be read there is wrong too."""
        try:
            verify()
        except Exception as problem:
            # Whatever somebody wrote there, and zlib's error, which is no other's.
            self.wrong.append(f"{name} cannot be read: {type(problem).__name__} {problem}")

    def must(self, holds: bool, sentence: str, proves: str = "") -> None:
        if not holds:
            self.wrong.append(sentence)
        elif proves:
            self.proved[proves] += 1

    # ---- files, keys, books

    def files(self, digest: str) -> None:
        about = json.loads(self.pack.read("manifest.json"))
        self.must(about["format"] == FORMAT, "the pack has a form that this script does not know")
        found, files = self.pack.hash("manifest.json"), about["files"]
        print(f"Digest of the pack: {found}")
        if digest:
            self.must(found == digest.lower(), f"the pack is not the one of digest {digest}", "digest")
        else:
            self.unproved.append("No digest was given (--digest): whether the house made just this is not known.")
        here = self.pack.names() - {"manifest.json"}
        self.wrong += [f"{name} is in the pack, and not in its manifest" for name in sorted(here - files.keys())]
        self.wrong += [f"{name} is in the manifest, and not in the pack" for name in sorted(files.keys() - here)]
        for name in sorted(files.keys() & here):
            self.part(name, partial(self.file, name, files[name]["sha256"]))
        self.about = about

    def file(self, name: str, hashed: str) -> None:
        self.must(self.pack.hash(name) == hashed, f"{name} is not what the manifest says", "files")

    def the_keys(self, given: str) -> None:
        trusted = False
        for row in json.loads(self.pack.read("keys.json")):
            version, public, signature = row["key"], row["public"], row["signature"]
            says = json.dumps({"key": version, "public": public}, sort_keys=True, separators=(",", ":"))
            follows = is_signed(self.keys.get(version - 1, ""), says, signature)
            if signature:
                self.must(follows, f"key {version} is not signed by the key before", "keys")
            elif version > 1:
                self.unproved.append(f"Key {version} was signed by none before it: a restored house begins like that.")
            trusted = public == given.lower() or (trusted and follows)
            self.keys[version] = public
        if given:
            self.must(trusted, "the seals' newest key does not come from the key that was given", "key given")
        else:
            self.unproved.append("No key was given (--key): whose seals these are is not known.")

    def rule_books(self) -> None:
        for book in self.about["rule_books"]:
            found = sha256(self.pack.read(book["file"]))
            self.must(found == book["digest"], f"rule book {book['number']} is not what its digest says", "rule books")

    # ---- the log

    def open_chains(self) -> None:
        for chain, (number, head) in json.loads(self.pack.read("chains.json")).items():
            self.heads[chain] = (number, head)

    def events(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the events of a file, each tied to the one before it in its chain."""
        books = {book["id"]: book["digest"] for book in self.about["rule_books"]}
        for line in self.pack.lines(name):
            said, _space, text = line.partition(" ")
            event = json.loads(text)
            chain, number = event["chain"], event["number"]
            where = f"{chain} {number}"
            last, previous = self.heads.get(chain, (0, GENESIS))
            if number != last + 1:
                self.wrong.append(f"log: {chain} goes from event {last} to {number}")
            else:
                found = hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()
                self.must(found == said, f"log: event {where} is not what its hash says", "events")
            self.must(event["room"] == self.about["room"]["id"], f"log: event {where} is of another room")
            version = event.get("rule_book_version")
            self.must(version is None or version in books, f"log: event {where} is by a rule book that is not here")
            became = (event.get("data") or {}).get("became")
            if became is not None and became in books:
                same = event["data"].get("digest") == books[became]
                self.must(same, f"log: event {where} put another rule book in force", "rule books by the log")
            self.heads[chain] = (number, said)
            self.known[0][chain, number] = said
            yield event

    def after(self) -> None:
        """Read what was logged between the span's end and its last seal: it only ties the seal to the span."""
        self.known = [{}, {**self.known[1], **self.known[0]}]
        for _event in self.events("after.txt"):
            pass

    # ---- seals

    def read_seals(self) -> Iterator[dict[str, Any]]:
        """Yield the seals, each with its text read, its heads and its hash."""
        for line in self.pack.lines("seals.txt"):
            text, heads, signature = line.split("\t")
            said = json.loads(text) if text else {}
            own = sha256(f"{text}\n{signature}") if text else signature
            more = {"text": text, "named": json.loads(heads), "sealed": sha256(heads), "sign": signature, "hash": own}
            yield {**said, **more}

    def signatures(self, printed: list[str]) -> None:
        """Verify what each seal says of itself, that it follows the one before, and who signed it."""
        codes = dict(each.split(":", 1) for each in printed)
        codes = {number: "".join(filter(str.isalnum, code)).upper() for number, code in codes.items()}
        before: dict[str, Any] | None = None
        jobs = self.jobs()
        with ProcessPoolExecutor() as pool:
            while batch := list(islice(jobs, 4096)):
                # A few are done sooner than processes begin.
                found = map(_is_signed, batch) if len(batch) < 300 else pool.map(_is_signed, batch, chunksize=64)
                bad = {number for number in found if number}
                self.proved["signatures"] += len(batch) - len(bad)
                self.wrong += [f"seal {number} is not signed by the house's key" for number in sorted(bad)]
        for seal in self.read_seals():
            if seal["text"]:
                name = f"seal {seal['number']}"
                self.must(seal["sealed"] == seal["heads"], f"{name} was made over other heads")
                self.must(seal["room"] == self.about["room"]["id"], f"{name} is of another room")
                if before is not None:
                    follows = seal["previous"] == before["hash"] and before.get("number", 0) in (0, seal["number"] - 1)
                    self.must(follows, f"{name} does not follow the seal before it", "seals in a row")
                    self.must(seal["key"] >= before.get("key", 0), f"{name} is by a key that had been turned over")
                if code := codes.pop(str(seal["number"]), ""):
                    same = seal["hash"][:20].upper() == code
                    self.must(same, f"{name} was printed with another code", "printed seals")
            else:
                self.must(before is None or not before["text"], "a seal of the old kind comes after a signed one")
                self.proved["seals of the old kind, which only the house can verify"] += 1
            before = seal
        self.wrong += [f"seal {number}, which was printed, is not here" for number in codes]

    def jobs(self) -> Iterator[tuple[int, str, str, str]]:
        for seal in self.read_seals():
            if seal["text"]:
                yield seal["number"], self.keys.get(seal["key"], ""), seal["text"], seal["sign"]

    def hold_seals(self, *, is_all: bool = False) -> None:
        """Hold against the log each seal whose events have been read; at the end all that are left."""
        while (seal := self.waiting or next(self.seals, None)) is not None:
            last = {chain: self.heads.get(chain, (0, ""))[0] for chain in seal["named"]}
            ahead = [chain for chain, (number, _) in seal["named"].items() if number > last[chain]]
            if ahead and not is_all:
                self.waiting = seal
                return
            self.waiting = None
            for chain in ahead:
                self.wrong.append(f"a seal knows event {chain} {seal['named'][chain][0]}, which is not here")
            for chain, (number, named) in seal["named"].items():
                found = self.known[0].get((chain, number)) or self.known[1].get((chain, number))
                if found is None and last[chain] == number:
                    found = self.heads[chain][1]
                if found is not None:
                    self.must(found == named, f"a seal knows another event {chain} {number}", "sealed heads")
                self.sealed[chain] = max(number, self.sealed.get(chain, 0))

    # ---- money

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

    def close_accounts(self) -> None:
        for pk, account in self.accounts.items():
            same = self.balances[pk] == account["closing_cents"]
            says = f"account {pk} closes with {account['closing_cents']}, and its postings come to {self.balances[pk]}"
            self.must(same, says, "accounts from opening to closing balance")
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
        self.known = [{}, self.known[0]]
        named: dict[int, str] = {}
        moments: set[int] = set()
        for event in self.events(f"{folder}/log.txt"):
            self.ends[event["chain"]] = event["number"]
            rows = event.get("rows") or {}
            self.names_rows = self.names_rows or bool(rows)
            if not self.names_rows and event["result"] == "done":
                moments.add(_micros(datetime.fromisoformat(event["at"]).timestamp()))
            for kind, hashes in rows.items():
                for row_id, hashed in hashes.items():
                    if kind == "transfer":
                        named[int(row_id)] = hashed
                    else:
                        self.named[kind, int(row_id)] = hashed
        self.part(f"{folder}/report.json", lambda: self.transfers_and_report(day, named, moments))
        self.hold_seals()

    def transfers_and_report(self, day: dict[str, Any], named: dict[int, str], moments: set[int]) -> None:
        opening, moved = dict(self.balances), _Moved()
        lines_of: dict[int, list[tuple[int, int]]] = {}
        for text in self.pack.lines(f"days/{day['date']}/transfers.txt"):
            pk, room, of_day, kind, _key, made_by, approved_by, table, reverses, _about, at, lines = json.loads(text)
            name, said = f"transfer {pk}", named.pop(pk, None)
            if said is None and _micros(float(at)) in moments:
                self.proved["transfers of before the log named rows, by their moment alone"] += 1
            else:
                same = said in (None, sha256(text))
                self.must(said is not None, f"{name} is named by no event of its day")
                self.must(same, f"{name} is not what its event says", "transfers with their events")
            self.must((room, of_day) == (self.about["room"]["id"], day["id"]), f"{name} is of another room or day")
            self.must(approved_by is None or approved_by != made_by, f"{name} was approved by who made it")
            parts = [(int(account), int(cents)) for account, cents in (each.split(":") for each in lines.split(","))]
            lines_of[pk] = parts
            self.post(name, kind, parts, moved)
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
        report = json.loads(self.pack.read(f"days/{day['date']}/report.json"))
        self.must(report["date"] == day["date"], f"the report of {day['date']} is of another day")
        self.trial(day["date"], report, opening, moved)
        self.tables(day["date"], report, moved)

    def post(self, name: str, kind: str, parts: list[tuple[int, int]], moved: "_Moved") -> None:
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

    # ---- reports

    def trial(self, date: str, report: dict[str, Any], opening: dict[int, int], moved: "_Moved") -> None:
        sums: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for pk, account in self.accounts.items():
            row = sums[account["owner_kind"], account["kind"], account["unit"], account["currency"]]
            for index, cents in enumerate((opening[pk], moved.came[pk], moved.went[pk], self.balances[pk])):
                row[index] += cents
        found = {key: row for key, row in sums.items() if any(row)}
        figures = ("opening_cents", "came_cents", "went_cents", "closing_cents")
        said: dict[tuple[str, ...], list[int]] = {
            (row["owner_kind"], row["kind"], row["unit"], row["currency"]): [row[each] for each in figures]
            for row in report["trial"]
        }
        for key in sorted({*found, *said}):
            one, other = said.get(key), found.get(key)
            says = f"report of {date}: {' '.join(key[:2])} stands there as {one}, and the postings come to {other}"
            self.must(one == other, says, "figures of reports by the postings")

    def tables(self, date: str, report: dict[str, Any], moved: "_Moved") -> None:
        """Hold what a report says was posted of each charge, counted as tips, and missing, against the postings."""
        figures = {box: f"{code}, posted" for code, box in self.about["charges"].items()}
        in_rack = self.told_of_racks(date, report)
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
            said: Counter[tuple[int, str]] = Counter()
            for row in rows:
                said[row["table"], "tips"] += row["tips_cents"]
                said[row["table"], "over or short"] += row["over_short_cents"]
                for kind, what in in_rack.items():
                    said[row["table"], what] += row.get(f"{kind}_cents", 0)
                for code, charged in row["charges"].items():
                    said[row["table"], f"{code}, posted"] += charged["posted_cents"]
            for key in sorted(found.keys() | said.keys()):
                what = f"report of {date}: {key[1]} at table {key[0]}"
                says = f"{what} is {said[key]} there, and {found[key]} by the postings"
                self.must(said[key] == found[key], says, "figures of reports by the postings")

    def told_of_racks(self, date: str, report: dict[str, Any]) -> dict[str, str]:
        """Return which of `IN_RACK` a report tells: all of them, or none in one of before."""
        rows = report["tables"] + report["openings"]
        if not rows or any(f"{kind}_cents" in row for row in rows for kind in IN_RACK):
            return IN_RACK
        self.unproved.append(f"The report of {date} is of before reports told what of racks is chips, and what cash.")
        return {}

    # ---- what else the log answers for, and what came before

    def rows(self) -> None:
        later, unnamed = 0, 0
        for line in self.pack.lines("rows.txt"):
            kind, state, text = line.split("\t")
            name = kind, int(json.loads(text)[0])
            said = self.named.pop(name, None)
            if said is not None and state == "later" and sha256(text) != said:
                later += 1
            elif said is None and not self.names_rows:
                unnamed += 1
            else:
                same = said in (None, sha256(text))
                self.must(said is not None, f"{kind} {name[1]} is named by no event")
                self.must(same, f"{kind} {name[1]} is not what its event says", "slips, counts, boxes")
        self.wrong += [f"an event names {kind} {pk}, which is not here" for kind, pk in self.named]
        if later:
            self.unproved.append(f"{later} slips, counts or boxes were changed again later, as the house says.")
        if unnamed:
            self.unproved.append(f"{unnamed} rows are of before the log named rows.")

    def follows(self, before: Pack) -> None:
        about, closed = json.loads(before.read("manifest.json")), before.accounts()
        meets = about["days"][-1]["log_until"] == self.about["days"][0]["log_after"]
        self.must(meets, "the pack before does not end where this one begins", "packs that meet")
        for pk in sorted(closed.keys() | self.accounts.keys()):
            left = closed.get(pk, {}).get("closing_cents", 0)
            found = self.accounts.get(pk, {}).get("opening_cents", 0)
            self.must(left == found, f"account {pk} was left with {left} by the pack before, and begins with {found}")


class _Moved:
    """What came to each account and went from it on a day, and what of both was no count of a box."""

    def __init__(self) -> None:
        self.came: Counter[int] = Counter()
        self.went: Counter[int] = Counter()
        self.charged: Counter[int] = Counter()
        # By table: tips that two have counted.
        self.tips: Counter[int] = Counter()


def _micros(seconds: float) -> int:
    return round(seconds * 1_000_000)


def main() -> int:
    about = (__doc__ or "").strip()
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("--digest", default="")
    parser.add_argument("--key", default="")
    parser.add_argument("--printed", action="append", default=[], metavar="NUMBER:CODE")
    parser.add_argument("--before", type=Path, metavar="PACK")
    told = parser.parse_args()
    try:
        pack = Pack(told.pack)
    except (OSError, zipfile.BadZipFile) as problem:
        print(f"WRONG: {told.pack} cannot be read: {problem}")
        return 1
    audit = Audit(pack)
    audit.run(digest=told.digest, key=told.key, printed=told.printed, before=told.before)
    for what, count in audit.proved.items():
        print(f"proved: {count} {what}")
    for sentence in audit.unproved:
        print(f"NOT PROVED: {sentence}")
    for sentence in audit.wrong[:SAID_MAX]:
        print(f"WRONG: {sentence}")
    if len(audit.wrong) > SAID_MAX:
        print(f"WRONG: and {len(audit.wrong) - SAID_MAX} more.")
    print("The pack does not hold." if audit.wrong else "The pack holds.")
    return 1 if audit.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
