"""What the floor says to players by the book, or writes down: each clause is found with its sentence, and recorded."""

import pytest
from django.conf import settings
from django.template import Context, Template
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from casino.rulebooks.clauses import clause
from casino.rulebooks.coverage import citations
from tables.models import Incident
from tables.services.incidents import write_incident
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop

SPOKEN = sorted(
    citations(
        "H1.3 H1.7 H1.17-H1.19 H1.23 H1.24 H1.27 H1.28 H1.30-H1.35 H1.38-H1.44 H1.46 H1.47 H1.49 H1.52-H1.57 H1.59 "
        "H1.61 H1.80 H4.7 H4.44"
    )
)
SPOKEN_AT_UNIBET = sorted(citations("U30 U41 U52 U-R1 U-R11 U-R12 U-R14-U-R20 U-R18.1 U-R18.2 U-R18.3 U-R18.4 U-R22"))


def not_on_the_sheet(house: House, ids: list[str], language: str) -> list[str]:
    """Return the clauses whose sentence the floor's sheet does not offer, in the language it is read in."""
    floor = at_desktop(house.cast.frans)
    floor.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    # A page in another language leaves its language to the thread.
    with translation.override(language):
        page = floor.get(reverse("floor_incident_sheet", args=[1]), {"kind": "ruling"}).content.decode()
        return [each for each in ids if escape(translation.gettext(clause(each).summary)) not in page]


@pytest.mark.rule(
    "H1.3", "H1.7", "H1.17", "H1.18", "H1.19", "H1.23", "H1.24", "H1.27", "H1.28", "H1.30", "H1.31", "H1.32", "H1.33",
    "H1.34", "H1.35", "H1.38", "H1.39", "H1.40", "H1.41", "H1.42", "H1.43", "H1.44", "H1.46", "H1.47", "H1.49", "H1.52",
    "H1.53", "H1.54", "H1.55", "H1.56", "H1.57", "H1.59", "H1.61", "H1.80", "H4.7", "H4.44",
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "fi"])
def test_the_floor_finds_what_the_book_says_in_the_words_of_its_language(house: House, language: str) -> None:
    house.open(Lee=1)

    assert not_on_the_sheet(house, SPOKEN, language) == []


@pytest.mark.django_db
@pytest.mark.rule(
    "U30", "U41", "U52", "U-R1", "U-R11", "U-R12", "U-R14", "U-R15", "U-R16", "U-R17", "U-R18", "U-R18.1", "U-R18.2",
    "U-R18.3", "U-R18.4", "U-R19", "U-R20", "U-R22",
)  # fmt: skip
def test_by_unibets_rules_the_floor_finds_its_sentences_and_writes_them_down() -> None:
    house = make_house(book="unibet")
    lee = house.player("Lee").pk

    assert not_on_the_sheet(house, SPOKEN_AT_UNIBET, "en") == []
    for each in SPOKEN_AT_UNIBET:
        house.tap(write_incident, kind="ruling", table_id=house.table_id(), player_ids=[lee], clause=each)
    written = Incident.objects.filter(players__player_id=lee, table=house.table())
    assert set(written.values_list("clause", flat=True)) == set(SPOKEN_AT_UNIBET)


def test_a_ruling_names_the_clause_and_the_player_it_was_about(house: House) -> None:
    table = house.open(Lee=1)
    lee = house.player("Lee").pk

    for each in SPOKEN:
        house.tap(write_incident, kind="ruling", table_id=table.pk, player_ids=[lee], clause=each)

    assert set(Incident.objects.values_list("clause", flat=True)) == set(SPOKEN)


def test_a_sentence_behind_its_clause_is_escaped_once(house: House) -> None:
    page = Template(
        "{% load i18n room %}{% blocktranslate asvar block %}Table {{ n }}, seat {{ seat }}.{% endblocktranslate %}"
        '{% cited "plays_over" block table %} {% cited "plays_over" plain table %} {% cited "nobody" block table %}'
    )
    context = {"n": "<1>", "seat": "“2’", "plain": "<3>", "table": house.open(Lee=1)}

    block = "Table &lt;1&gt;, seat “2’."
    assert page.render(Context(context)) == f"H4.48: {block} H4.48: &lt;3&gt; {block}"
