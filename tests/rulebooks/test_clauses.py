"""The list of clauses, and the matrix of what code and tests say about them."""

import pytest

from casino.rulebooks.clauses import Duty, books_with_clauses, clause, clauses
from casino.rulebooks.coverage import Evidence, citations, gather, marks, report, unknown


def test_a_clause_says_what_it_asks():
    assert clause("H4.28").duties == (Duty.COMPUTE,)
    assert clause("H4.22").duties == (Duty.PROMPT, Duty.RECORD)
    assert clause("H4.28").summary


def test_an_unknown_clause_is_an_error():
    with pytest.raises(LookupError, match=r"H4\.99"):
        clause("H4.99")
    with pytest.raises(LookupError, match="nowhere"):
        clauses("nowhere")


@pytest.mark.parametrize(("chapter", "count"), [("H1", 91), ("H2", 22), ("H3", 47), ("H4", 53), ("H5", 42)])
def test_the_cash_chapters_are_listed_whole(chapter, count):
    numbers = [int(c.id.partition(".")[2]) for c in clauses("helsinki") if c.id.startswith(f"{chapter}.")]

    assert numbers == list(range(1, count + 1))


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
    evidence.proved["H4.28"].append("tests/test_x.py::test_y")

    lines = "\n".join(report(evidence))

    assert "helsinki: 259 clauses, 1 at work in code, 1 of them proved by tests" in lines
    assert "code:  casino/poker/blinds.py" in lines
    assert "tests: tests/test_x.py::test_y" in lines
    assert "not yet: H1.1 " in lines


def test_every_mark_in_this_house_names_a_clause_of_a_book():
    evidence = gather()

    assert unknown(evidence) == []
    assert evidence.proved["H4.28"]
    assert "casino/poker/blinds.py" in evidence.cited["H4.28"]


# What this house computes so far; a clause that loses its proof is noticed here.
PROVED = citations(
    "H1.29 H1.62 H1.82-H1.88 H1.90 H2.2 H2.14-H2.17 H4.1 H4.5 H4.6 H4.8-H4.12 H4.22 H4.24 H4.26-H4.32 "
    "H4.51-H4.53 H5.36 H5.37 H5.42 H7.16"
)


def test_what_is_computed_stays_proved_and_has_a_sentence():
    evidence = gather()

    assert [clause_id for clause_id in PROVED if not evidence.proved.get(clause_id)] == []
    assert [clause_id for clause_id in PROVED if not clause(clause_id).summary] == []
