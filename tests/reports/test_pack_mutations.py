"""Whatever one thing is changed in a pack is found by its script, or is one of those that it says it does not prove."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.reports.packing import OF_DAY, REPORT, TRANSFERS, changed, verified
from tests.reports.test_pack_of_people_and_cage import two_days
from tests.tables.conftest import House

# What the digest alone binds, as the script says: by file, which places. Nothing was taken of charges that evening, and
# there is one drawer, one table, one deposit: what a word stands for is held where it is there twice.
UNBOUND = {
    "manifest.json": ["charges.drop", "charges.rake", "days.*.log_after", "days.*.log_until"],
    f"{OF_DAY}report.csv": ["drawers.drawer", "openings.venue", "slips.kind"],
}
Place = tuple[str | int, ...]


def places(content: Any, *, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield each value within JSON, with where it stands."""
    if isinstance(content, dict | list):
        for key, each in content.items() if isinstance(content, dict) else enumerate(content):
            yield from places(each, at=(*at, key))
    else:
        yield at, content


def other(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value + 1
    if re.match(r"\d{4}-\d\d-\d\dT", value):
        return f"{int(value[:4]) + 1}{value[4:]}"
    return f"{value}1"


def with_other(content: str, at: Place) -> str:
    """Return JSON with another value in one place."""
    whole = part = json.loads(content)
    for key in at[:-1]:
        part = part[key]
    part[at[-1]] = other(part[at[-1]])
    return json.dumps(whole)


def of_json(content: str) -> Iterator[tuple[str, str]]:
    """Yield JSON with another value in each sort of place, once."""
    seen = set()
    for at, _value in places(json.loads(content)):
        name = ".".join("*" if isinstance(key, int) else key for key in at)
        if name not in seen and not name.startswith("files."):
            seen.add(name)
            yield name, with_other(content, at)


def of_lines(content: str) -> Iterator[tuple[str, str]]:
    """Yield rows, or transfers, with another value in each column of one of each kind; and without it, and twice."""
    lines = content.splitlines(keepends=True)
    seen = set()
    for index, line in enumerate(lines):
        *columns, text = line.removesuffix("\n").split("\t")
        head = "".join(f"{column}\t" for column in columns)
        if head in seen:
            continue
        seen.add(head)
        kind, rest = head.split("\t")[0], lines[index + 1 :]
        for number, value in enumerate(json.loads(text)):
            value = "" if isinstance(value, dict | list) else value
            row = json.loads(text)
            row[number] = other(value)
            yield f"{kind} {number}", "".join([*lines[:index], f"{head}{json.dumps(row)}\n", *rest])
        yield f"{kind} less", "".join([*lines[:index], *rest])
        yield f"{kind} twice", "".join([*lines[:index], line, line, *rest])


def of_csv(content: str) -> Iterator[tuple[str, str]]:
    """Yield CSV with another value in each column of each table of it, in the last row."""
    rows = list(csv.reader(io.StringIO(content)))
    for index, row in enumerate(rows):
        if row and (index + 1 == len(rows) or not rows[index + 1]):
            begins = max((each for each in range(index) if not rows[each]), default=-1)
            if begins == index - 2:
                continue
            for number in range(len(row)):
                text = io.StringIO()
                cells = [*row[:number], other(row[number]), *row[number + 1 :]]
                csv.writer(text).writerows([*rows[:index], cells, *rows[index + 1 :]])
                yield (
                    f"{rows[begins + 1][0]}.{rows[begins + 2][number]}" if begins >= 0 else str(number),
                    text.getvalue(),
                )


MUTATE = {
    REPORT: of_json, "manifest.json": of_json, "keys.json": of_json, "rows.txt": of_lines, TRANSFERS: of_lines,
    f"{OF_DAY}report.csv": of_csv, "accounts.csv": of_csv,
}  # fmt: skip


def instead(content: str, _before: str) -> str:
    return content


@pytest.mark.slow
def test_whatever_one_thing_is_changed_is_found_or_named_as_not_proved(house: House, tmp_path: Path) -> None:
    pack, _second = two_days(house, tmp_path)
    with zipfile.ZipFile(io.BytesIO(pack)) as opened:
        files = {name: opened.read(name).decode() for name in MUTATE}

    sound = set()
    for name, mutate in MUTATE.items():
        for place, content in mutate(files[name]):
            found = verified(changed(pack, {name: partial(instead, content)})).wrong
            # Who changes a figure of the report changes it in the CSV too.
            if not [each for each in found if name != REPORT or "report.csv: " not in each]:
                sound.add((name, place))

    assert sound == {(name, place) for name, found in UNBOUND.items() for place in found}
