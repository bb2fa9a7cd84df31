"""What the manual of the auditor's pack says of exceptions: those that are events are counted in a pack."""

import re
import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import pytest
from django.conf import settings

from casino.people.exception_report import exception_kinds
from tests.reports.packing import FIRST, evening, packed
from tests.reports.test_exceptions import Officer, of, vera
from tests.tables.conftest import House

__all__ = ["vera"]

pytestmark = pytest.mark.two_houses


@pytest.mark.slow
def test_exceptions_that_are_events_are_counted_in_a_pack_as_its_manual_says(
    house: House, vera: Officer, tmp_path: Path
) -> None:
    evening(house, tmp_path)
    (tmp_path / "pack.zip").write_bytes(packed(house, FIRST, FIRST))
    manual = (Path(settings.BASE_DIR) / "docs" / "auditors-pack.md").read_text(encoding="utf-8")
    lines = re.search(r"^    import collections.*?\n\n", manual, re.MULTILINE | re.DOTALL)
    assert lines is not None
    code = "\n".join(line.strip() for line in lines.group().splitlines())

    prints = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)

    counted = literal_eval(prints.stdout.strip().removeprefix("Counter(").removesuffix(")"))
    found, kinds = vera.reads(FIRST), [kind for kind in exception_kinds() if kind.command]
    reported = {
        (kind.command, person.staff_id): person.figure.count
        for kind in kinds
        for person in of(found, kind.code).people
        if person.figure.count
    }
    assert reported == {key: number for key, number in counted.items() if key[0] in {kind.command for kind in kinds}}
    assert ("tables.undo_hand", house.cast.anna.pk) in reported
    assert ("cage.reverse_slip", house.cast.carla.pk) in reported
