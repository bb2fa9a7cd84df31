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
import json
import sys
import zipfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from casino.reports.pack.script.complete import Complete
from casino.reports.pack.script.counted import KINDS
from casino.reports.pack.script.ledger import NAMED, micros
from casino.reports.pack.script.log import OLDER
from casino.reports.pack.script.packs import Pack, sha256
from casino.reports.pack.script.tables import Tables

SENTENCES_MAX = 200
# Where rows that events name only since a later version have the moment at which they begin.
BEGAN = {"down": 5, "sitting": 4}
# Which rows a pack may have as "open", by their numbers alone, by what is carried over a day's end of each.
CARRIED_AS = {"request": "slip", "fill": "fill", "fill_differs": "fill", "vault_differs": "vault_count", "box": "box"}
# Which nobody changes, so that none is "later".
FIXED = {
    "count", "count_by_two", "voucher_print", "note_rate", "notes_taken", "notes_counted", "vault_notes", "carried",
    "rack_fill", "rack_check", "rack_cash_count", "rack_cash_since", "table_difference", "tip_count", "tip_count_of",
    "tip_count_missing", "tip_payroll", "box_count", "box_count_reason", "report",
}  # fmt: skip


class Audit(Complete):
    """All that is verified of a pack."""

    def run(self, *, digest: str, key: str, printed: list[str], before: Path | None) -> None:
        """Verify all there is."""
        self.part("manifest.json", lambda: self.files(digest))
        if not self.about:
            return
        self.table_log = Tables(self.about["charges"], {day["id"]: day["date"] for day in self.about["days"]})
        self.has_before = before is not None
        self.part("keys.json", lambda: self.the_keys(key))
        self.part("rule-books", self.rule_books)
        self.part("accounts.csv", self.open_accounts)
        self.part("chart.csv", self.read_chart)
        self.part("chains.json", self.open_chains)
        if "before.txt" in self.pack.names():
            self.part("before.txt", self.opened_before)
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

    # ---- what else the log answers for, and what came before

    def rows(self) -> None:
        """Hold rows against the events that name them, and what reports say against those that may be used for it."""
        counts: Counter[str] = Counter()
        are_open: set[tuple[str, int]] = set()
        for line in self.pack.lines("rows.txt"):
            kind, state, text = line.split("\t")
            row = json.loads(text)
            name = kind, int(row[0])
            how = self.how_it_stands(kind, state, text, row, self.named.pop(name, None))
            counts[how] += 1
            if how == "open":
                are_open.add(name)
                self.open_counts[kind] += 1
            if how in ("later", "before"):
                self.unheld[name] = how
            if how in ("same", "later", "before") and kind in KINDS and state != "open":
                self.kept[kind].append(row)
        self.wrong += [f"an event names {kind} {pk}, which is not here" for kind, pk in self.named]
        for kind, pk in sorted(are_open - self.carried_over()):
            self.wrong.append(f"{kind} {pk} was not open when these days were over")
        if counts["later"]:
            kinds = ", ".join(sorted({kind for (kind, _pk), how in self.unheld.items() if how == "later"}))
            self.unproved.append(
                f"{counts['later']} slips, counts or boxes were changed again later, as the house says: what they say"
                f" the digest alone binds ({kinds})."
            )
        if counts["open"]:
            self.unproved.append(
                f"{counts['open']} slips, fills, boxes or vault counts were open and carried: what became of them later"
                " days’ packs prove."
            )
        if counts["before"]:
            self.unproved.append(f"{counts['before']} rows are of before the log named rows.")
        self.at_the_end()

    def carried_over(self) -> set[tuple[str, int]]:
        """
        Return what was open when the last day closed: it was carried over its end then, whatever it had been carried
        over before; and boxes that were carried uncounted, and that no event here counts.
        """
        found = {
            (CARRIED_AS.get(kind, ""), pk)
            for _id, _room, day, stage, kind, _number, pks, *_rest in self.kept["carried"]
            if (day, stage) == (self.about["days"][-1]["id"], "operations")
            for pk in pks
        }
        words = {row["item"] for _day, report, *_rest in self.days for row in report["carried"]}
        boxes = {int(word.removeprefix("box.")) for word in words if word.startswith("box.")}
        return found | {("box", pk) for pk in boxes - self.table_log.counted}

    def how_it_stands(self, kind: str, state: str, text: str, row: list[Any], fingerprint: str | None) -> str:
        """
        Say how a row stands to the event that names it with `fingerprint`: as the "same"; "open", "later" changed, or
        of "before" events named such rows. Empty where it is wrong, which is written down.
        """
        name, is_open = f"{kind} {row[0]}", state == "open"
        if is_open and kind not in CARRIED_AS.values():
            self.wrong.append(f"{name} cannot be open over a day's end")
        elif not is_open and len(row) != KINDS.get(kind, len(row)):
            self.wrong.append(f"{name} has {len(row)} columns, and not {KINDS[kind]}")
        elif fingerprint is None and (not self.names_rows or self.is_unnamed(kind, row)):
            return "before"
        elif fingerprint is None:
            self.wrong.append(f"{name} is named by no event")
        elif is_open:
            return "open"
        elif sha256(text) == fingerprint:
            self.proved["slips, counts, boxes"] += 1
            return "same"
        elif state == "later" and kind not in FIXED:
            return "later"
        else:
            self.wrong.append(f"{name} is not what its event says")
        return ""

    def is_unnamed(self, kind: str, row: list[Any]) -> bool:
        """Say whether a down or a sitting is of before the first event that names such rows."""
        began = BEGAN.get(kind)
        if began is None:
            return False
        first = self.first_named.get(kind)
        return first is None or micros(row[began]) < first

    def follows(self, before: Pack) -> None:
        about, closed = before.json("manifest.json"), before.accounts()
        meets = about["days"][-1]["log_until"] == self.about["days"][0]["log_after"]
        self.must(meets, "the pack before does not end where this one begins", "packs that meet")
        for pk in sorted(closed.keys() | self.accounts.keys()):
            left = closed.get(pk, {}).get("closing_cents", 0)
            found = self.accounts.get(pk, {}).get("opening_cents", 0)
            self.must(left == found, f"account {pk} was left with {left} by the pack before, and begins with {found}")
            one, other = ({name: each.get(pk, {}).get(name) for name in NAMED} for each in (closed, self.accounts))
            same = pk not in closed or pk not in self.accounts or one == other
            self.must(same, f"account {pk} is another one in the pack before", "accounts of the pack before")
        begins = self.pack.json("chains.json")
        for chain, head in sorted(before.heads().items()):
            if chain in self.ends:
                self.must(tuple(begins[chain]) == head, f"the log of {chain} does not go on where the pack before ends")
        if not self.is_older and about["format"] not in OLDER:
            self.lay(before)


def main() -> int:
    about = (__doc__ or "").strip()
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("--digest", default="")
    parser.add_argument("--key", default="")
    parser.add_argument("--printed", action="append", default=[], metavar="NUMBER:CODE")
    parser.add_argument("--before", type=Path, metavar="PACK")
    options = parser.parse_args()
    try:
        pack = Pack(options.pack)
    except (OSError, zipfile.BadZipFile) as problem:
        print(f"WRONG: {options.pack} cannot be read: {problem}")
        return 1
    audit = Audit(pack)
    audit.run(digest=options.digest, key=options.key, printed=options.printed, before=options.before)
    for what, count in audit.proved.items():
        print(f"proved: {count} {what}")
    for sentence in audit.unproved:
        print(f"NOT PROVED: {sentence}")
    for sentence in audit.wrong[:SENTENCES_MAX]:
        print(f"WRONG: {sentence}")
    if len(audit.wrong) > SENTENCES_MAX:
        print(f"WRONG: and {len(audit.wrong) - SENTENCES_MAX} more.")
    print("The pack does not hold." if audit.wrong else "The pack holds.")
    return 1 if audit.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
