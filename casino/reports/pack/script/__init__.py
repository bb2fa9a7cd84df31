"""
The script that lies in an auditor's pack: one file there, of these parts, and nothing else of Brush runs where it does.

    signatures.py   Ed25519
    packs.py        the files of a pack
    checks.py       what is wrong, proved, and not proved
    log.py          files, keys, rule books, the log and its seals
    tables.py       what the log tells of hands, time that was paid, and boxes
    dues.py         what a hand owes by its rule book
    ledger.py       transfers and balances
    owners.py       whose an account is
    reports.py      figures of the reports by the log and the postings
    hours.py        figures of the reports by downs, sittings and counts of tips
    cage.py         foreign notes, sales from racks, deposits by age
    sheets.py       the report as CSV
    counted.py      figures of the reports by what was counted
    complete.py     which rows a report has
    main.py         what is verified in which order, and the command line
"""

import ast
from pathlib import Path

PARTS = (
    "signatures",
    "packs",
    "checks",
    "log",
    "tables",
    "dues",
    "ledger",
    "owners",
    "reports",
    "hours",
    "cage",
    "sheets",
    "counted",
    "complete",
    "main",
)
_OWN = f"from {__name__}."


def whole() -> str:
    """Return the script as one file: what `main` says of it, the imports of all parts, then part by part."""
    imports, bodies, about = set(), [], ""
    for part in PARTS:
        text = Path(__file__).with_name(f"{part}.py").read_text(encoding="utf-8")
        _begins, about, text = text.split('"""', 2)
        text = text.strip()
        nodes = [node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)]
        written = [ast.unparse(node) for node in nodes]
        imports |= {line for line in written if not line.startswith(_OWN)}
        title = "" if part == "main" else f"# ---- {about.strip()}\n\n"
        bodies.append(title + "\n".join(text.splitlines()[nodes[-1].end_lineno :]).strip())
    head = ["# ruff: noqa: T201 - a script that prints", f'"""{about}"""', "", *sorted(imports)]
    return "\n".join(head) + "\n\n" + "\n\n\n".join(bodies) + "\n"
