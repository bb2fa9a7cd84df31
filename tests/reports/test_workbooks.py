"""Workbooks, read as the format has them: a sheet for each table, numbers and moments as such, names as they are."""

import io
import re
import zipfile
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.utils import translation

from casino.people.exception_report import exception_kinds
from casino.reports.files import as_workbook, sheet_names
from casino.reports.sheet import Column, Sheet
from casino.rooms.models import Room

IN = {"": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
ROOM = Room(name="=Casino", currency="EUR", time_zone="Europe/Helsinki")
# What a spreadsheet might take for something else.
NAMES = ["=1+1", "+1", "-2", "@SUM(A1)", "{=1+1}", "\t=1", "http://example.com", "0012", "a\x01b"]


def parts(book: bytes) -> dict[str, ElementTree.Element]:
    with zipfile.ZipFile(io.BytesIO(book)) as opened:
        return {name: ElementTree.fromstring(opened.read(name)) for name in opened.namelist() if name.endswith(".xml")}


def cells(book: bytes, number: int = 1) -> dict[str, tuple[str, str]]:
    """Return by place each cell of a sheet: its text, or its number and how that is written."""
    found = parts(book)
    texts = ["".join(each.itertext()) for each in found["xl/sharedStrings.xml"].findall("si", IN)]
    styles = found["xl/styles.xml"]
    codes = {each.get("numFmtId"): each.get("formatCode", "") for each in styles.iterfind("numFmts/numFmt", IN)}
    written = [each.get("numFmtId", "") for each in styles.iterfind("cellXfs/xf", IN)]
    sheet = found[f"xl/worksheets/sheet{number}.xml"]
    assert sheet.findall(".//f", IN) == []
    assert sheet.findall(".//hyperlink", IN) == []
    here = {}
    for cell in sheet.iterfind(".//c", IN):
        value = cell.findtext("v", "", IN)
        how = written[int(cell.get("s", "0"))]
        here[cell.get("r", "")] = (texts[int(value)], "text") if cell.get("t") == "s" else (value, codes.get(how, how))
    return here


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_each_sheet_has_a_name_of_its_own_that_a_workbook_takes(language: str) -> None:
    with translation.override(language):
        titles = [str(kind.words) for kind in exception_kinds()]
        names = sheet_names(titles)
        book = as_workbook("2026-11-20", [Sheet(str(each), title, [], []) for each, title in enumerate(titles)], ROOM)

    assert len({name.casefold() for name in names}) == len(titles) > 20
    assert [name for name in names if len(name) > 31 or re.search(r"[\[\]:*?/\\]|^'|'$", name)] == []
    assert [each.get("name") for each in parts(book)["xl/workbook.xml"].iterfind("sheets/sheet", IN)] == names


def test_titles_that_begin_alike_are_numbered() -> None:
    titles = ["What was counted too short in a box", "What was counted too short in a rack", "'all' [a/b]: *?\\'", "''"]

    assert sheet_names([*titles, titles[0].upper()]) == [
        "What was counted too short in…",
        "What was counted too short… 2",
        "all' ab",
        "…",
        "WHAT WAS COUNTED TOO SHORT… 3",
    ]


def test_numbers_are_numbers_moments_moments_and_names_names() -> None:
    columns = [Column("who", "Who"), Column("taken", "Taken", "cents"), Column("over", "Over", "change")]
    columns += [Column("at", "At", "moment"), Column("for", "For", "seconds"), Column("hands", "Hands", "count")]
    at = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)
    figures = {"taken": 1_234_56, "over": -5, "at": at, "for": 5400, "hands": 7}
    rows = [{"who": name, **figures} for name in NAMES]
    sheet = Sheet("who", "Kuka", columns, rows, {"taken": 9 * 1_234_56}, total_words="Yhteensä")

    found = cells(as_workbook("2026-11-20", [sheet], ROOM, note="=1+1"))

    assert [found[f"A{line}"] for line in (1, 2)] == [("Kuka · =Casino · 2026-11-20", "text"), ("=1+1", "text")]
    assert [found[f"A{line}"][0].replace("_x0001_", "\x01") for line in range(4, 13)] == NAMES
    assert {found[f"A{line}"][1] for line in range(4, 13)} == {"text"}
    assert [found[f"{column}4"] for column in "BCDEF"] == [
        ("1234.56", "#,##0.00"),
        ("-0.05", "+#,##0.00;-#,##0.00;0.00"),
        # By the room's clock.
        ("46346.85416666666", "yyyy-mm-dd hh:mm"),
        ("0.0625", "[h]:mm"),
        ("7", "#,##0"),
    ]
    assert [found[f"{column}13"] for column in "AB"] == [("Yhteensä", "text"), ("11111.04", "#,##0.00")]
