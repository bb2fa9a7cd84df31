"""The messages command: finding texts, keeping translations, and saying what is wrong with them."""

import gettext
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import ngettext, override

from casino import translations

PYTHON = """
_("Seat %(number)s is taken.")
ngettext("one seat", "%(count)s seats", count)
pgettext_lazy("of a table", "Open")
gettext_lazy(
    "Ask the floor."
)
gettext(chosen_at_run_time)
"""
TEMPLATE = """
{% load i18n %}
    <p class="it's quoted">{{ player|default:_("nobody") }}
  {% translate "Open" context "to open" as label %}
        {% blocktranslate trimmed count seats=seats %}
            one free seat
        {% plural %}
            {{ seats }} free seats
        {% endblocktranslate %}
  {# Translators: the big board by the door #}
  {% blocktranslate with name=room.name %}Welcome to {{ name }}{% endblocktranslate %}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "errors.py").write_text(PYTHON)
    (tmp_path / "templates" / "lobby").mkdir(parents=True)
    (tmp_path / "templates" / "lobby" / "board.html").write_text(TEMPLATE)
    return tmp_path


@pytest.fixture
def translated(tree: Path) -> Callable[..., list[str]]:
    """Return a function that gives the Finnish of some texts (`changes`; the rest is made up) and returns problems."""

    def translate(changes: dict[str, str] | None = None, *, fuzzy: str | None = None) -> list[str]:
        translations.update(tree, "fi")
        catalog = translations.load(tree, "fi")
        for message in catalog:
            if message.id:
                plural = isinstance(message.id, tuple)
                originals = message.id if plural else (message.id,)
                strings = tuple((changes or {}).get(text, text) for text in originals)
                message.string = strings if plural else strings[0]
                if fuzzy in originals:
                    message.flags.add("fuzzy")
        with translations.po_file(tree, "fi").open("wb") as file:
            write_po(file, catalog)
        translations.update(tree, "fi")
        return translations.problems(tree, "fi")

    return translate


def test_texts_are_found_in_python_and_in_templates(tree: Path) -> None:
    found = {(message.id, message.context) for message in translations.collect(tree) if message.id}

    assert found == {
        ("Seat %(number)s is taken.", None),
        (("one seat", "%(count)s seats"), None),
        ("Open", "of a table"),
        ("Ask the floor.", None),
        ("nobody", None),
        ("Open", "to open"),
        (("one free seat", "%(seats)s free seats"), None),
        ("Welcome to %(name)s", None),
    }


def test_a_note_to_translators_goes_with_its_text(tree: Path) -> None:
    message = translations.collect(tree).get("Welcome to %(name)s")

    assert message is not None
    assert message.auto_comments == ["the big board by the door"]


def test_new_texts_wait_untranslated_and_are_named(tree: Path) -> None:
    translations.update(tree, "fi")

    assert "fi: not translated: 'Ask the floor.'" in translations.problems(tree, "fi")


def test_a_text_that_nobody_collected_yet_is_named_with_its_file(
    tree: Path, translated: Callable[..., list[str]]
) -> None:
    assert translated() == []

    (tree / "tables" / "errors.py").write_text(PYTHON + '_("New.")\n')

    assert translations.problems(tree, "fi") == ["fi: not in django.po: 'New.' (tables/errors.py)"]


def test_what_the_code_says_no_more_is_named_and_dropped(tree: Path, translated: Callable[..., list[str]]) -> None:
    translated()
    (tree / "tables" / "errors.py").write_text(PYTHON.replace("Ask the floor.", "Ask."))

    assert "fi: no longer in the code: 'Ask the floor.'" in translations.problems(tree, "fi")

    translations.update(tree, "fi")
    assert "Ask the floor" not in translations.po_file(tree, "fi").read_text()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"Ask the floor.": ""}, "not translated: 'Ask the floor.'"),
        ({"Seat %(number)s is taken.": "Paikka %(numero)s on varattu."}, "placeholders differ"),
        ({"Seat %(number)s is taken.": "Paikka on varattu."}, "placeholders differ"),
        ({"%(count)s seats": "%(seats)s paikkaa"}, "placeholders differ"),
        ({"Ask the floor.": "Kysy. "}, "begins or ends with other white space"),
    ],
)
def test_a_wrong_translation_is_named(
    translated: Callable[..., list[str]], changes: dict[str, str], problem: str
) -> None:
    found = translated(changes)

    assert len(found) == 1
    assert problem in found[0]


def test_a_guess_does_not_count_as_a_translation(translated: Callable[..., list[str]]) -> None:
    assert translated(fuzzy="Ask the floor.") == ["fi: marked fuzzy: 'Ask the floor.'"]


def test_what_is_compiled_is_what_gettext_reads(tree: Path, translated: Callable[..., list[str]]) -> None:
    assert translated({"Ask the floor.": "Kysy lattialta.", "%(count)s seats": "%(count)s paikkaa"}) == []

    with translations.po_file(tree, "fi").with_suffix(".mo").open("rb") as file:
        finnish = gettext.GNUTranslations(file)
    assert finnish.gettext("Ask the floor.") == "Kysy lattialta."
    assert finnish.ngettext("one seat", "%(count)s seats", 3) == "%(count)s paikkaa"


def test_a_compiled_file_that_is_out_of_step_is_named(tree: Path, translated: Callable[..., list[str]]) -> None:
    translated()
    translations.po_file(tree, "fi").with_suffix(".mo").write_bytes(b"")

    assert translations.problems(tree, "fi") == ["fi: django.mo is not what django.po says; run `make messages`"]


# `make check` has looked at them.
@pytest.mark.slow
def test_every_language_of_the_house_is_complete() -> None:
    assert translations.problems(settings.BASE_DIR, *(code for code, _ in settings.LANGUAGES if code != "en")) == []


def test_no_sentence_is_left_in_english() -> None:
    left = set()
    for language in (code for code, _ in settings.LANGUAGES if code != "en"):
        for message in translations.load(settings.BASE_DIR, language):
            originals, translated = (
                each if isinstance(each, tuple) else (each,) for each in (message.id, message.string)
            )
            left |= {
                text for text in set(originals) & set(translated) if len(re.findall(r"[^\W\d_]{2,}", _bare(text))) >= 3
            }

    # Games are called so everywhere.
    assert left <= {"Helsinki hold’em", "Texas hold’em", "Omaha hi-lo", "Seven card stud", "Seven card stud hi-lo"}


def _bare(text: str) -> str:
    return re.sub(r"%\(\w+\)\w|<[^>]*>", "", text)


def test_two_runs_write_the_same_bytes(tree: Path, translated: Callable[..., list[str]]) -> None:
    translated()
    po = translations.po_file(tree, "fi")
    before = po.read_bytes(), po.with_suffix(".mo").read_bytes()

    translations.update(tree, "fi")

    assert (po.read_bytes(), po.with_suffix(".mo").read_bytes()) == before
    with po.open("rb") as file:
        assert read_po(file).get("Ask the floor.")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["1 seat free", "2 seats free", "5 seats free", "22 seats free"]),
        ("fi", ["1 paikka vapaana", "2 paikkaa vapaana", "5 paikkaa vapaana", "22 paikkaa vapaana"]),
        ("da", ["1 ledig plads", "2 ledige pladser", "5 ledige pladser", "22 ledige pladser"]),
        ("cs", ["1 volné místo", "2 volná místa", "5 volných míst", "22 volných míst"]),
        ("sv", ["1 ledig plats", "2 lediga platser", "5 lediga platser", "22 lediga platser"]),
    ],
)
def test_numbers_are_counted_as_each_language_counts(language: str, expected: list[str]) -> None:
    with override(language):
        texts = [ngettext("%(n)s seat free", "%(n)s seats free", n) % {"n": n} for n in (1, 2, 5, 22)]

    assert texts == expected
