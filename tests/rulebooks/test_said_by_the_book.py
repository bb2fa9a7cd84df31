"""Whatever a house's document decides stands in its book: every key is read, and code names no clause and no limit."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect

from casino.rulebooks import reasons, shipped
from casino.rulebooks.coverage import citations
from casino.rulebooks.schema import RuleBook
from tables.reasons import CITED
from tests.support.sources import CODE, nodes, sources

# The schema says what is so where a book says nothing; who plays a room has the felt's own figures beside the book's.
NO_APPS = ("casino/rulebooks/", "casino/simulation/")
# Of each reading it says which clauses leave it open (docs/readings.md).
READINGS = "casino/rulebooks/schema.py"
NAME_HOUSES = {
    "casino/hand_words.py": {"Helsinki hold’em", "Royal flush"},  # a game and a hand that are called so
    "casino/rooms/models.py": {"Europe/Helsinki"},  # the city of a time zone
    "casino/settings.py": {"Europe/Helsinki", "Czech", "helsinki"},  # that, a language, and a new room's book
}
# What a script or a sheet of styles says to us only; a template's notes.
NOTES = re.compile(r"/\*.*?\*/|(?:^|(?<=\s))//[^\n]*|{#.*?#}|{% comment.*?{% endcomment %}", re.DOTALL)


# Several tests read the same sources; one process does.
pytestmark = pytest.mark.xdist_group("sources")


def screens() -> Iterator[tuple[str, str]]:
    """Yield (path, text) of templates, scripts and styles, what they say to us only left out."""
    for folder, ending in (("templates", "*"), ("static", "js"), ("static", "ts"), ("static", "css")):
        yield from ((path, NOTES.sub(" ", text)) for path, text in sources(folder, ending=ending))


def keys(shape: inspect.Type, found: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the keys of each table of the schema, by the table's name."""
    if isinstance(shape, inspect.Metadata):
        keys(shape.type, found)
    elif isinstance(shape, inspect.UnionType):
        for each in shape.types:
            keys(each, found)
    elif isinstance(shape, inspect.VarTupleType):
        keys(shape.item_type, found)
    elif isinstance(shape, inspect.StructType) and shape.cls.__name__ not in found:
        found[shape.cls.__name__] = {each.name for each in shape.fields}
        for field in shape.fields:
            keys(field.type, found)
    return found


def read_in(text: str) -> set[str]:
    """Return the attributes that a source reads, but for where a table of the schema only checks itself."""
    checks = {"__post_init__", "_check_chips"}
    skipped = {
        id(inner)
        for table in nodes(text)
        # What the book as a whole checks is a setting held against what it limits.
        if isinstance(table, ast.ClassDef) and table.name != RuleBook.__name__
        for node in table.body
        if isinstance(node, ast.FunctionDef) and node.name in checks
        for inner in ast.walk(node)
    }
    return {node.attr for node in nodes(text) if isinstance(node, ast.Attribute) and id(node) not in skipped}


@functools.cache
def strings(text: str) -> tuple[str, ...]:
    """Return the strings of a source that are no docstrings: a string that stands alone says something to us only."""
    alone = {id(node.value) for node in nodes(text) if isinstance(node, ast.Expr)}
    texts = (node.value for node in nodes(text) if isinstance(node, ast.Constant) and id(node) not in alone)
    return tuple(value for value in texts if isinstance(value, str))


def test_every_key_of_the_schema_is_read_by_somebody():
    read = set().union(*(read_in(text) for _path, text in sources(*CODE)))
    # Of incidents a kind's clauses are read by the kind's name.
    kinds = {"Likely"}

    unread = {
        table: found - read for table, found in keys(inspect.type_info(RuleBook), {}).items() if table not in kinds
    }

    assert {table: found for table, found in unread.items() if found} == {}


def test_no_clause_is_named_in_code_or_on_screens_as_data():
    cited = {
        path: found
        for path, text in sources(*CODE)
        if path != READINGS
        if (found := set().union(*(citations(each) for each in strings(text))))
    }
    cited |= {path: found for path, text in screens() if (found := citations(text))}

    assert cited == {}


def test_no_house_is_named_but_by_what_is_called_so():
    houses = re.compile("|".join(shipped()), re.IGNORECASE)

    named = {path: set(filter(houses.search, strings(text))) for path, text in sources(*CODE)}

    assert {path: found for path, found in named.items() if found} == NAME_HOUSES
    assert [path for path, text in screens() if houses.search(text)] == []


def test_what_is_said_by_a_reason_is_what_books_may_name():
    """Of refusals the reasons are their own; the rest is listed (`tables.reasons`), and nothing that nobody says."""
    on_sheets = {
        each for _path, text in sources("templates", ending="html") for each in re.findall(r'cited "(\w+)"', text)
    }
    code = [text for path, text in sources(*CODE) if path != "tables/reasons.py"]
    on_lines = {each for text in code for each in re.findall(r'\bcited ?= ?\(?"(\w+)"', text)}

    assert "plays_over" in on_sheets
    assert {"seat_held", "call_runs_out"} <= on_lines
    assert on_sheets | on_lines <= reasons.all_reasons()
    assert set(CITED) <= on_sheets.union(*map(strings, code))


def is_limit(value: Any) -> bool:
    """Say whether a value is a number that somebody chose: none, one and two are what a game is made of."""
    return (
        isinstance(value, ast.Constant)
        and isinstance(value.value, int)
        and not isinstance(value.value, bool)
        and value.value > 2
    )


def test_no_value_stands_in_code_that_the_schema_has():
    """A number that is bound to the name of a key of the schema, be it as a default or a constant, is the book's."""
    names = set().union(*keys(inspect.type_info(RuleBook), {}).values())
    found = [
        f"{path}: {name}"
        for path, text in sources(*CODE)
        if not path.startswith(NO_APPS)
        for name, value in bound_in(text)
        if name.lower() in names and is_limit(value)
    ]
    # "rows" is also how high a field of a form is.
    found += [f"{path}: {name}" for path, text in screens() for name in numbers_in(text) if name in names - {"rows"}]

    assert found == []


def numbers_in(text: str) -> Iterator[str]:
    """Yield the names, with underscores, to which a script or a template binds a number that somebody chose."""
    for name, number in re.findall(r"""\b(\w+)['"]?\s*[:=]\s*['"]?(\d[\d_]*)\b""", text):
        if int(number.replace("_", "")) > 2:
            yield re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    for field in re.findall(r"<input\b[^>]*>", text):
        name, bound = re.search(r'\bname="(\w+)"', field), re.search(r'\b(?:min|max|value)="(\d+)"', field)
        if name and bound and int(bound[1]) > 2:
            yield name[1]


def test_a_number_on_a_screen_is_found():
    text = """const callSeconds = 60; {{ rake_cents }} <input name="minutes" max="240"> warning_minutes: 5, seats = 2"""

    assert list(numbers_in(text)) == ["call_seconds", "max", "warning_minutes", "minutes"]


def test_no_chosen_value_of_an_app_stands_without_a_reason_why_it_is_no_key():
    """
    A duration, a sum or a count that a module names is a key of the book, or stands in `NO_KEYS` with why it is none.
    So who adds one has to say which.
    """
    chosen = {
        f"{path.removesuffix('.py')}:{name}"
        for path, text in sources(*DECIDING)
        for name, value in constants_of(text)
        if is_chosen(value) and not OF_SCREENS.fullmatch(name)
    }

    assert chosen == set().union(*NO_KEYS.values())
    assert sum(map(len, NO_KEYS.values())) == len(chosen)


def constants_of(text: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield what a module binds to names in capitals, one by one where a line binds several."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value
        for target in node.targets if isinstance(node, ast.Assign) else ():
            assert isinstance(node, ast.Assign)
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                yield from zip(map(ast.unparse, target.elts), node.value.elts, strict=True)
            elif isinstance(target, ast.Name) and target.id.isupper():
                yield target.id, node.value


def is_chosen(value: ast.expr) -> bool:
    """Say whether a value is numbers and nothing else, one of which somebody chose; a duration is its numbers."""
    if isinstance(value, ast.Call):
        is_duration = isinstance(value.func, ast.Name) and value.func.id in {"timedelta", "range"}
        return is_duration and any(is_chosen(each) for each in (*value.args, *(each.value for each in value.keywords)))
    if isinstance(value, ast.BinOp):
        return is_chosen(value.left) or is_chosen(value.right)
    if isinstance(value, ast.Tuple):
        return any(map(is_chosen, value.elts))
    return is_limit(value)


# Where something is decided that a house may decide otherwise.
DECIDING = (
    "tables", "jackpot", "casino/poker", "casino/cage", "casino/boxes", "casino/waiting", "casino/promotions",
    "casino/paper", "casino/people", "casino/ledger", "casino/rooms", "casino/compliance", "casino/floor",
    "casino/lobby", "casino/reports/standing_out.py", "casino/reports/services.py", "casino/reports/selectors",
    "casino/patience.py", "tournaments",
)  # fmt: skip
# How much a screen shows, and in which order what several apps give stands on it, says its name.
OF_SCREENS = re.compile(r"_?(\w+_)?(SHOWN|LISTED|NEWEST|RANK|OFFERED|COLUMNS|LINES|ON_A_PAGE)")
NO_KEYS: dict[str, set[str]] = {
    "how much a screen or a sheet has room for": {
        "casino/paper/views:_HANDS_MAX", "casino/paper/views:_SEATS_AND_HANDS", "casino/paper/views:_TIME_ROOM",
        "casino/paper/views_catch_up:_DOWNS", "casino/paper/views_catch_up:_NAMES",
        "casino/paper/views_catch_up:_PERIODS", "casino/paper/views_lists:_NAMES", "casino/waiting/parts:OF_LISTS",
        "casino/waiting/selectors/lists:NAMED", "casino/waiting/selectors/phones:ENDED_MAX", "jackpot/graph:HEIGHT",
        "jackpot/graph:WIDTH", "jackpot/pool_pages:HITS", "jackpot/views:HANDS_MOST", "tables/parts:OF_TABLES",
        "tables/selectors/incidents:FOUND", "tables/selectors/ladder:STEPS_MIN",
        "tables/selectors/regulars:SITTINGS_LOOKED_AT", "tables/views/moves:TARGETS_MAX",
        "casino/compliance/api:SLIPS_MAX", "casino/compliance/selectors/findings:NOTES_MAX",
        "casino/compliance/views:FOUND", "casino/compliance/views:PAGE", "casino/people/exception_report:CASES_MAX",
        "casino/people/views/kept:FOUND",
    },
    "beyond it is a slip of the finger, or more than a row or an answer can hold": {
        "casino/boxes/api:TABLE_MAX", "casino/boxes/services:NUMBER_MAX", "casino/cage/api/bodies:DRAWER_NUMBER_MAX",
        "casino/cage/api/bodies:PIECES_MAX", "casino/cage/api/bodies:RATE_MAX", "casino/cage/api/bodies:VALUES_MAX",
        "casino/cage/rules:NUMBERS_AFTER", "casino/cage/rules:_PIECES_MAX", "casino/paper/bodies:SEAT_MAX",
        "casino/paper/bodies_lists:LINES_MAX", "casino/paper/bodies_lists:TABLE_MAX", "casino/paper/entered:DOWNS_MAX",
        "casino/paper/entered:HANDS_MAX", "casino/paper/entered:LINES_MAX", "casino/paper/entered:TIMES_MAX",
        "casino/paper/form:_DIGITS_MAX", "casino/promotions/services/periods:PERIODS_MOST",
        "jackpot/api_pools:SHARES_MOST", "tables/api/bodies:TABLE_NUMBER_MAX", "tables/api/moves:CONSENTS_MAX",
        "tables/api/seats:MINUTES_A_DAY", "tables/api/time_charges:KIND_MAX", "tables/api/time_charges:MINUTES_MAX",
        "tables/rules/logged:POTS_CENTS_MAX", "tables/rules/time_paid:PERIODS_MAX",
        "tables/selectors/dealer_times:SPAN_DAYS_MAX", "tables/services/books:TEXT_LENGTH_MAX",
        "tables/services/closing:HANDS_MAX", "tables/services/downs:SETS_MAX", "tables/services/kept_taps:KEPT_MAX",
        "tables/views/incidents:_ID_MAX", "casino/people/services/apart:PLAYERS_MOST",
        "casino/people/services/tokens:DAYS_MAX", "casino/reports/selectors/exceptions:DAYS_MAX",
        "casino/reports/services:DAYS_MAX",
    },
    "how long a screen offers or shows something; nothing is refused by it": {
        "casino/boxes/selectors/todo:_NUMBERS_FOR", "casino/cage/selectors/chips:LATELY",
        "casino/waiting/selectors/lists:LATELY", "casino/waiting/selectors/wall:RUNS_AFTER_A_HAND",
        "casino/waiting/selectors/wall:RUNS_AFTER_A_PUSH", "tables/views/books:MORNING_HOUR",
        "casino/patience:COUNTS_TAKE", "casino/patience:FILL_TAKES", "casino/patience:PUSH_IS_NEAR",
        "casino/patience:TABLE_EMPTY_FOR", "casino/patience:TIME_CHARGE_TAKES",
    },
    "an estimate's own arithmetic: a wait, a pace": {
        "casino/waiting/rules/estimates:MINUTES_MAX", "casino/waiting/rules/estimates:MINUTES_MIN",
        "casino/waiting/rules/estimates:OPENED_MIN", "casino/waiting/rules/estimates:STEP_MINUTES",
        "casino/waiting/services/turnover:LOOKS_BACK", "casino/waiting/services/turnover:MEASURED_EVERY",
        "tables/selectors/dealer_times:MINUTES_FOR_A_PACE", "tables/selectors/running:HANDS_FOR_A_PACE",
        "tables/selectors/running:SECONDS_FOR_A_PACE",
    },
    "how the program does it: tries, gaps between places, what a tablet carries ahead, bands of a report": {
        "casino/cage/selectors/deposits:_BANDS", "casino/cage/selectors/foreign:MILLION",
        "casino/cage/services/cash_plays:_TRIES", "casino/waiting/services/state:STEP",
        "tables/selectors/coming:JOINS_WITHIN", "tables/selectors/dealer:HANDS_AHEAD",
        "tables/selectors/tip_boxes:_NEVER_COUNTED", "casino/ledger/selectors/accounts:_EVER",
        "casino/people/hashing:TURN_SECONDS_MAX", "casino/people/looks:KEPT_SECONDS",
        "casino/people/services/forgetting:BATCH", "casino/reports/selectors/day:_HOUR",
        "casino/reports/selectors/day:_QUARTER", "casino/reports/selectors/day:_QUARTERS_MAX",
    },
    "what keeps secrets from being guessed and sign-ins from being borrowed; no house lowers it": {
        "casino/people/earlier:PROVES_FOR", "casino/people/http:TAP_AGE_MAX",
        "casino/people/keys:DEVICE_COOKIE_SECONDS", "casino/people/passes:_COOKIE_SECONDS",
        "casino/people/secrets:CODE_LENGTH", "casino/people/services/addresses:CODES_AT_ONE_ADDRESS",
        "casino/people/services/addresses:CODES_IN_ALL", "casino/people/services/addresses:CODES_KEPT_SECONDS",
        "casino/people/services/addresses:PASSWORDS_PER_SECONDS",
        "casino/people/services/addresses:WRONG_PASSWORDS_MAX", "casino/people/services/devices:CODE_MINUTES",
        "casino/people/services/secrets_tried:FORGOTTEN_AFTER",
        "casino/people/services/secrets_tried:FREE_PASSWORD_TRIES",
        "casino/people/services/secrets_tried:WAIT_SECONDS_MAX", "casino/people/services/secrets_tried:WRONG_PINS_MAX",
        "casino/people/services/staff:UNLOCKS_MAX", "casino/people/services/strangers:KEPT_SECONDS",
    },
    "what counting says in every house alike; who signs the book is among those whom it measures": {
        "casino/reports/standing_out:CASES_MIN", "casino/reports/standing_out:SPREADS",
    },
}  # fmt: skip


def test_no_chosen_value_is_compared_with_where_it_stands():
    """A limit without a name ("if cents > 400_00") is found by neither of the two above."""
    found = {
        f"{path}: {ast.unparse(node)}"
        for path, text in sources(*DECIDING)
        for node in nodes(text)
        if isinstance(node, ast.Compare) and any(map(is_chosen, (node.left, *node.comparators)))
    }

    assert {each for each in found if not OF_TEXTS.search(each)} == COMPARED


# How long a text is, and whether a sum is of whole units.
OF_TEXTS = re.compile(r"\blen\(|cents % 100 == 0$")
# What cards are, all of something, a century, and how the program does it.
COMPARED = {
    "casino/poker/ranking.py: each == 14", "casino/poker/ranking.py: number == 4",
    "casino/poker/rake_ways.py: self.rate_bp > 10000",
    "tables/rules/racks.py: 100 * min(left) > over_percent * sold.cents",
    "tables/views/books.py: next_book.holds_from < at - timedelta(seconds=10)",
    "casino/cage/rules.py: value * 4 <= amount_cents",
    "casino/people/http.py: 2000 <= moment.year < 2100", "casino/people/http.py: 2000 <= day.year < 2100",
}  # fmt: skip


def test_how_many_seats_a_table_may_have_stands_once():
    """What bounds seats in rows, forms and calls is what bounds them in a book (`units`)."""
    found = [
        f"{path}: {name}"
        for path, text in sources(*CODE)
        if not path.startswith(NO_APPS)
        for name, value in bound_in(text)
        if "seat" in name.lower() and is_limit(value)
    ]

    # On a sheet a seat that a table has not is refused with those that it has.
    assert found == ["casino/paper/bodies.py: SEAT_MAX"]


def bound_in(text: str) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield what a source binds to names: as constants, defaults and arguments, and as bounds of a named field."""
    bounds = {"min_value", "max_value"}
    for node in nodes(text):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
                    if isinstance(node.value, ast.Call):
                        yield from ((target.id, each.value) for each in node.value.keywords if each.arg in bounds)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg, node.value
        elif isinstance(node, ast.arguments):
            yield from zip((each.arg for each in node.kwonlyargs), node.kw_defaults, strict=True)


def test_the_third_house_is_known_to_its_own_folder_alone():
    known = [path for path, text in sources(*CODE, "templates") if "salonki" in text.lower()]

    assert known == []
    assert (Path(__file__).parent / "third_house" / "salonki.toml").exists()
