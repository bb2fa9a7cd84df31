# ruff: noqa: T201 - a script that prints
"""Files, keys and rule books; the log, event by event in its chains; the seals over it."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from typing import Any

from casino.reports.pack.script.checks import Checks
from casino.reports.pack.script.packs import Pack, sha256
from casino.reports.pack.script.signatures import is_signed

# Up to the second, packs had neither downs and sittings nor how deposits lay.
FORMATS, OLDER, GENESIS = {1, 2, 3}, {1, 2}, "0" * 64
Head = tuple[int, str]


def _is_signed(job: tuple[int, str, str, str]) -> int:
    """Return the number of a seal that its key did not sign, 0 for one that it did."""
    number, public, text, signature = job
    return 0 if is_signed(public, text, signature) else number


class Log(Checks):
    """Verifies that the log is whole and the house's."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        self.keys: dict[int, str] = {}
        # Where each chain stands, hashes of this day's and the last day's events, and what rows events name.
        self.heads: dict[str, Head] = {}
        self.ends: dict[str, int] = {}
        self.known: list[dict[Head | tuple[str, int], str]] = [{}, {}]
        self.named: dict[tuple[str, int], str] = {}
        self.names_rows = False
        # Whether the pack is of before it had all that its reports follow from, and whether the one before is given.
        self.is_older = False
        self.has_before = False
        # Seals: those not read yet, the first one that waits for events to come, and how far each chain is sealed.
        self.seals: Iterator[dict[str, Any]] = iter(())
        self.waiting: dict[str, Any] | None = None
        # The one after it, where it has been looked at.
        self.coming: dict[str, Any] | None = None
        self.sealed: dict[str, int] = {}

    # ---- files, keys, books

    def files(self, digest: str) -> None:
        about = self.pack.json("manifest.json")
        self.must(about["format"] in FORMATS, "the pack has a form that this script does not know")
        found, files = self.pack.hash("manifest.json"), about["files"]
        print(f"Digest of the pack: {found}")
        if digest:
            self.must(found == digest.lower(), f"the pack is not the one of digest {digest}", "digest")
        else:
            self.unproved.append(
                "No digest was given (--digest): whether the house made just this is not known, nor is what it alone"
                " binds: whether words of the CSV and of chart.csv are the right ones (here each stands for one thing"
                " alone), README.txt and verify.py; on which account a charge lies of which nothing came; whose an"
                " account is that each of these days left empty, and of which no transfer says it."
            )
        here = self.pack.names() - {"manifest.json"}
        self.wrong += [f"{name} is in the pack, and not in its manifest" for name in sorted(here - files.keys())]
        self.wrong += [f"{name} is in the manifest, and not in the pack" for name in sorted(files.keys() - here)]
        for name in sorted(files.keys() & here):
            self.part(name, partial(self.file, name, files[name]["sha256"]))
        self.about, self.is_older = about, about["format"] in OLDER

    def file(self, name: str, hashed: str) -> None:
        self.must(self.pack.hash(name) == hashed, f"{name} is not what the manifest says", "files")

    def the_keys(self, given: str) -> None:
        trusted = False
        for row in self.pack.json("keys.json"):
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
        for chain, (number, head) in self.pack.json("chains.json").items():
            self.heads[chain] = (number, head)

    def events(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the events of a file, each tied to the one before it in its chain."""
        books = {book["id"]: book["digest"] for book in self.about["rule_books"]}
        for line in self.pack.lines(name):
            event_hash, _space, text = line.partition(" ")
            event = json.loads(text)
            chain, number = event["chain"], event["number"]
            where = f"{chain} {number}"
            last, previous = self.heads.get(chain, (0, GENESIS))
            if number != last + 1:
                self.wrong.append(f"log: {chain} goes from event {last} to {number}")
            else:
                found = hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()
                self.must(found == event_hash, f"log: event {where} is not what its hash says", "events")
            self.must(event["room"] == self.about["room"]["id"], f"log: event {where} is of another room")
            version = event.get("rule_book_version")
            self.must(version is None or version in books, f"log: event {where} is by a rule book that is not here")
            became = (event.get("data") or {}).get("became")
            if became is not None and became in books:
                same = event["data"].get("digest") == books[became]
                self.must(same, f"log: event {where} put another rule book in force", "rule books by the log")
            self.heads[chain] = (number, event_hash)
            self.known[0][chain, number] = event_hash
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
            seal = json.loads(text) if text else {}
            own = sha256(f"{text}\n{signature}") if text else signature
            more = {"text": text, "named": json.loads(heads), "sealed": sha256(heads), "sign": signature, "hash": own}
            yield {**seal, **more}

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

    def in_order(self, date: str) -> None:
        """
        Hold that no event was put into another day: when a day has been read, every seal whose events are all here has
        been held. What is here and not under the next two was logged later, or something before it stands elsewhere.
        """
        if self.waiting is None or (coming := self.coming or next(self.seals, None)) is None:
            # After the last one nothing says what came later.
            return
        self.coming, known = coming, Counter(self.sealed)
        for seal in (self.waiting, coming):
            known.update({name: max(0, number - known[name]) for name, (number, _hash) in seal["named"].items()})
        late = sorted(name for name in self.ends if self.heads[name][0] > known[name])
        self.must(
            not late,
            f"by the seals {', '.join(late)} of the log of {date} goes on after its close, or it lacks earlier events",
            "days whose events are theirs by the seals",
        )

    def hold_seals(self, *, is_all: bool = False) -> None:
        """Hold against the log each seal whose events have been read; at the end all that are left."""
        while (seal := self.waiting or self.coming or next(self.seals, None)) is not None:
            self.coming = None if seal is self.coming else self.coming
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
