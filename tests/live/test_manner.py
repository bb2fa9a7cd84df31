"""What can be measured of the manner: contrast of the tokens, and that a screen fits its device."""

import itertools
import re
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import expect

CSS = (Path(settings.BASE_DIR) / "static" / "brush" / "base.css").read_text()
SURFACES = ("ground", "surface", "raised")


def tokens(selector: str) -> dict[str, str]:
    """Return the colours that a block of base.css sets."""
    block = CSS[CSS.index(selector) :]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block[: block.index("}")]))


THEMES = {"light": tokens(":root {"), "dark": tokens(':root[data-theme="dark"] {')}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


PAIRS = [
    *((ink, ground, 7.0) for ink, ground in itertools.product(("text",), (*SURFACES, "wrong-wash", "go-wash"))),
    *((ink, ground, 4.5) for ink, ground in itertools.product(("text-2", "text-3"), SURFACES)),
    *((tone, ground, 4.5) for tone, ground in itertools.product(("go", "soon", "wrong", "away"), SURFACES)),
    *((tone, f"{tone}-wash", 4.5) for tone in ("go", "soon", "wrong", "away")),
    ("go-ink", "go-fill", 4.5),
    *(("line-strong", ground, 3.0) for ground in ("ground", "surface")),
    *(("focus", ground, 3.0) for ground in SURFACES),
]


@pytest.mark.parametrize("theme", THEMES)
def test_everything_can_be_read_by_everybody(theme):
    found = {(ink, ground): contrast(THEMES[theme][ink], THEMES[theme][ground]) for ink, ground, _least in PAIRS}

    assert [(ink, ground) for ink, ground, least in PAIRS if found[ink, ground] < least] == []


def test_both_ways_to_the_dark_theme_look_the_same():
    assert tokens(':root[data-theme="auto"] {') == THEMES["dark"]
    assert set(THEMES["dark"]) == set(THEMES["light"])


@pytest.mark.slow
@pytest.mark.browser
def test_a_screen_fits_every_device_without_scrolling_the_page(stage, chromium):
    for device in ("dealer", "floor", "cage", "lobby"):
        page = chromium.page(device, f"{stage.url}/?page=sample.html&theme=dark")
        expect(page.locator(".sample")).to_be_visible()
        fits = page.evaluate(
            "[...document.querySelectorAll('html, body, main, .strip')]"
            ".every(element => element.scrollWidth <= element.clientWidth && element.scrollHeight <= innerHeight)"
        )
        small = page.evaluate(
            "[...document.querySelectorAll('.button, input:not([type=radio])')]"
            ".map(element => element.getBoundingClientRect())"
            ".filter(box => box.width && (box.width < 48 || box.height < 48)).length"
        )

        assert fits, device
        assert small == 0, device
