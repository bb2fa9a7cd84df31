"""The list of clauses, and the matrix of what code and tests say about them."""

import re

import pytest
from msgspec.structs import astuple

from casino.rulebooks import load, parse, shipped, text_of
from casino.rulebooks.clauses import Duty, books_with_clauses, clause, clauses
from casino.rulebooks.coverage import ROOT, Evidence, Standing, citations, gather, marks, report, standing, unknown

pytestmark = pytest.mark.xdist_group("sources")


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Return what code and tests say: read once, for it is all of them."""
    return gather()


def test_a_clause_says_what_it_asks():
    assert clause("H4.28").duties == (Duty.COMPUTE,)
    assert clause("H4.22").duties == (Duty.PROMPT, Duty.RECORD)
    assert clause("H4.28").summary


def test_an_unknown_clause_is_an_error():
    with pytest.raises(LookupError, match=r"H4\.99"):
        clause("H4.99")
    with pytest.raises(LookupError, match="nowhere"):
        clauses("nowhere")


def test_each_clause_that_a_book_names_is_listed():
    for name in shipped():
        book = load(name)
        likely = [each for kind in astuple(book.likely) for each in kind]
        listed = {each.id for known in (name, "licence") for each in clauses(known)}
        # An ambiguity of a clause has an id too (A55), and is listed with no house's.
        assert {each for each in [*book.clauses.values(), *likely] if not each.startswith("A")} <= listed


@pytest.mark.parametrize(
    ("book", "sentence"),
    [
        ("helsinki", "H1.10: The seat is held until 21:05."),
        ("royal", "R-§4: The seat is held until 21:05."),
        ("czech", "The seat is held until 21:05."),
    ],
)
def test_a_sentence_is_led_by_the_houses_own_clause_or_by_none(book, sentence):
    assert load(book).leads("seat_held", "The seat is held until 21:05.") == sentence


def test_a_text_from_before_books_named_their_clauses_has_those_of_its_document():
    before = re.sub(r"\[(clauses|likely)\]\n(?:.+\n)+", "", text_of("royal"))
    renamed = before.replace("Royal Casino Aarhus, poker glossary", "The room's own glossary")
    royal = load("royal")

    kept = [parse(before, source="kept"), parse(renamed, source="kept", kept_as="royal")]

    assert "[clauses]" not in before
    assert renamed != before
    assert [(book.clauses, book.likely) for book in kept] == [(royal.clauses, royal.likely)] * 2
    assert parse(renamed, source="kept").clauses == {}


@pytest.mark.parametrize(("chapter", "count"), [("H1", 91), ("H2", 22), ("H3", 47), ("H4", 53), ("H5", 42)])
def test_the_cash_chapters_are_listed_whole(chapter, count):
    numbers = [int(c.id.partition(".")[2]) for c in clauses("helsinki") if c.id.startswith(f"{chapter}.")]

    assert numbers == list(range(1, count + 1))


@pytest.mark.parametrize(("book", "count"), [("unibet", 198), ("royal", 88), ("czech", 78), ("licence", 157)])
def test_the_other_books_are_listed_whole(book, count):
    assert len(clauses(book)) == count


@pytest.mark.parametrize("book", books_with_clauses())
def test_every_clause_has_a_duty(book):
    assert all(c.duties for c in clauses(book))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rules: H1.84-H1.87, A15.", {"H1.84", "H1.85", "H1.86", "H1.87"}),
        ("H4.26–H4.27 and H2.3-5", {"H4.26", "H4.27", "H2.3", "H2.4", "H2.5"}),
        ("H1.8 is not H1.88; E-H1.86a is an example", {"H1.8", "H1.88"}),
        ("(H4.22).", {"H4.22"}),
        ("L-P18-L-P20, U92-U94 and U-R4a", {"L-P18", "L-P19", "L-P20", "U92", "U93", "U94", "U-R4a"}),
        ("R-§18-3, R-§6a-1 and R2", {"R-§18-3", "R-§6a-1", "R2"}),
        ("UA19, RA8 and L-PQ5 are readings", set()),
        ("nothing here", set()),
    ],
)
def test_citations_are_found_and_spans_spelled_out(text, expected):
    assert citations(text) == expected


def test_marks_are_read_from_functions_classes_and_parameters():
    source = """
@pytest.mark.rule("H1.1", "H1.2")
def test_one(): ...

@pytest.mark.rule("H1.3")
class TestTwo:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("H1.4"))])
    async def test_three(self, x): ...

def helper(): ...
"""

    assert list(marks(source)) == [
        ("test_one", "H1.1"),
        ("test_one", "H1.2"),
        ("test_three", "H1.3"),
        ("test_three", "H1.4"),
    ]


def test_the_matrix_names_code_and_tests_and_what_is_not_yet():
    evidence = Evidence()
    evidence.cited["H4.28"].append("casino/poker/blinds.py")
    evidence.proved["H4.28"] += ["tests/test_x.py::test_the_blinds_go_on", "tests/test_x.py::test_so_does_the_button"]

    lines = "\n".join(report(evidence))

    assert re.search(r"helsinki +424 +1 ", lines)
    assert f"H4.28    proved   {clause('H4.28').summary}" in lines
    assert "code: casino/poker/blinds.py" in lines
    assert "tests: tests/test_x.py: the blinds go on; so does the button" in lines
    assert "not yet: H1.1 H1.2 " in lines


@pytest.mark.parametrize(
    ("clause_id", "is_cited", "is_proved", "expected"),
    [
        ("H4.28", True, True, Standing.PROVED),
        ("H4.28", True, False, Standing.UNPROVED),
        ("H4.28", False, False, Standing.NOT_YET),
        ("L-G20", True, True, Standing.IN_PART),
        ("H4.14", False, False, Standing.OPEN),
    ],
)
def test_how_far_brush_is_with_a_clause(clause_id, is_cited, is_proved, expected):
    evidence = Evidence()
    evidence.cited[clause_id] += ["a.py"] * is_cited
    evidence.proved[clause_id] += ["t.py::test_it"] * is_proved

    assert standing(clause(clause_id), evidence) is expected


def test_whatever_is_named_in_the_matrix_has_a_sentence(evidence):
    listed = [each for book in books_with_clauses() for each in clauses(book)]

    assert [each.id for each in listed if standing(each, evidence) != Standing.NOT_YET and not each.summary] == []


def test_the_page_on_how_to_read_it_explains_every_word():
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")

    assert [word for word in Standing if f"| {word} |" not in page] == []


def test_every_mark_in_this_house_names_a_clause_of_a_book(evidence):
    assert unknown(evidence) == []
    assert evidence.proved["H4.28"]
    assert "casino/poker/blinds.py" in evidence.cited["H4.28"]


# What this house computes so far; a clause that loses its proof is noticed here.
PROVED = citations(
    "H1.62 H1.82-H1.88 H1.90 H2.2 H2.14-H2.17 H4.1 H4.5 H4.6 H4.8-H4.12 H4.22 H4.24 H4.26-H4.32 "
    "H4.51-H4.53 H5.36 H5.37 H5.42 H7.16"
)


def test_what_is_computed_stays_proved_and_has_a_sentence(evidence):
    assert [clause_id for clause_id in PROVED if not evidence.proved.get(clause_id)] == []
    assert [clause_id for clause_id in PROVED if not clause(clause_id).summary] == []


# What a cash room's floor does: seats, lists, blinds, absence, moves (helsinki H1, H2, H4; royal R1-R7, §2-§4, §11,
# §18; unibet's cash rules U4-U47 and U-R1-U-R24; the licence's venue and buy-in).
FLOOR = re.compile(
    r"(H[124]\.\d+|R[1-7]|R-§(2|3|4|11|18)(-\d+)?|U([4-9]|[1-3]\d|4[0-7])|U-R([1-9]|1\d|2[0-4])([abc]|\.\d)?|L-P(1|5|24|25))"
)


def test_every_clause_of_the_floor_is_proved_or_open_with_its_reason(evidence):
    required = [each for book in books_with_clauses() for each in clauses(book) if FLOOR.fullmatch(each.id)]
    required = [each for each in required if each.duties[0] is not Duty.INFO]

    assert len(required) > 200
    assert [each.id for each in required if not evidence.proved.get(each.id) and not each.open] == []
    assert [each.id for each in required if evidence.proved.get(each.id) and each.open] == []
