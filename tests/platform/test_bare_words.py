"""No page speaks English by itself: what a template or a script says goes through gettext, so that it is translated."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
# Names, keys, and a chain of the log: the same in every language.
ALLOWED = {"Brush", "BTN", "SB", "BB", "API", "Esc", "Enter", "BRUSH_PHONE_URL", "table.4"}
# Blocks that hold names of classes.
NO_TEXT = r"body_class|main_class|theme"
STRIPPED = (
    r"\{%\s*comment\b.*?\{%\s*endcomment\s*%\}|\{#.*?#\}|<!--.*?-->",
    r"\{%\s*(blocktrans(?:late)?)\b.*?\{%\s*end\1\s*%\}",
    rf"\{{%\s*block ({NO_TEXT}) %\}}.*?\{{% endblock[^%]*%\}}",
    r"<(script|style)\b.*?</\1>",
    r"\{%.*?%\}|\{\{.*?\}\}",
)
WORD = re.compile(r"(?<![\w&])[^\W\d_]{2,}(?:[\w.]*\w)?")
SHOWN_ATTRIBUTE = re.compile(r"""\b(?:title|placeholder|alt|aria-label|data-confirm[\w-]*)=(["'])(.*?)\1""", re.DOTALL)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', re.DOTALL)
JS_COMMENT = re.compile(r"/\*.*?\*/|(?:^|(?<=\s))//[^\n]*", re.DOTALL)
# What a script sets as text, by property or by `el("p", {…}, "text")`.
SET_AS_TEXT = re.compile(
    r"""(?:\b(?:textContent|innerText|title|placeholder|ariaLabel|alt)\s*[=:]|\bel\("[^"]*",\s*(?:\{[^{}]*\}|null|undefined),)\s*$"""
)


def bare_in_template(text: str) -> list[str]:
    """Return the words that a template says without translating them, in its text and in attributes that are read."""
    for pattern in STRIPPED:
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    shown = [attribute[2] for attribute in SHOWN_ATTRIBUTE.finditer(text)]
    return _words(" ".join([re.sub(r"<[^>]*>", " ", text), *shown]))


def bare_in_script(text: str) -> list[str]:
    """
    Return the words that a script says by itself: in markup, as a sentence, or set as text.

    Single words elsewhere are names of events, classes and keys: no one can tell them from texts.
    """
    text, found = JS_COMMENT.sub(" ", text), []
    for literal in LITERAL.finditer(text):
        literal_text = literal[1] if literal[1] is not None else re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", " ", literal[2])
        is_sentence = re.search(r"(?:^|\s)[A-Z][a-z]+ [a-z]{2,}|[a-z]{2,} [a-z]{2,}[.!?]", literal_text)
        if is_sentence or SET_AS_TEXT.search(text[: literal.start()]):
            found += _words(literal_text)
        elif "<" in literal_text:
            found += _words(re.sub(r"<[^>]*>", " ", literal_text))
    return found


def _words(text: str) -> list[str]:
    return [word for word in WORD.findall(text) if word not in ALLOWED]


def test_pages_and_scripts_say_nothing_untranslated() -> None:
    templates, scripts = sorted((ROOT / "templates").rglob("*.html")), sorted((ROOT / "static/brush").rglob("*.js"))
    found = {
        **{file: bare_in_template(file.read_text("utf-8")) for file in templates},
        **{file: bare_in_script(file.read_text("utf-8")) for file in scripts},
    }

    assert len(found) > 100
    assert {str(file.relative_to(ROOT)): words for file, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{% translate "Seat" %} <p class="felt">{{ name }} · SB</p> {# a note #}', []),
        ("{% blocktranslate %}Welcome to {{ name }}{% endblocktranslate %} 5 € &nbsp;", []),
        ("{% if a %}<b>Seat</b>{% endif %} {{ n }}", ["Seat"]),
        ('<input placeholder="Nickname" value="x">', ["Nickname"]),
        ("<input placeholder=\"{% translate 'Nickname' %}\">", []),
        ("{% block title %}Tables{% endblock %}", ["Tables"]),
    ],
)
def test_bare_words_of_a_template_are_found(text: str, words: list[str]) -> None:
    assert bare_in_template(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("// Say nothing here.\nel('x').dataset.state = \"gone\";", []),
        ('button.textContent = "Deal";', ["Deal"]),
        ('button.textContent = t("deal");', []),
        ('el("p.note", { id: "x" }, "hands")', ["hands"]),
        ('made.innerHTML = `<p>${t("x")}</p><b>chips</b>`;', ["chips"]),
        ('refuse("The seat is taken.");', ["The", "seat", "is", "taken"]),
    ],
)
def test_bare_words_of_a_script_are_found(text: str, words: list[str]) -> None:
    assert bare_in_script(text) == words
