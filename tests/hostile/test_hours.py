"""Every screen says hours as they are in the room, whatever zone the process runs in."""

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone

from casino.live.audiences import all_audiences
from casino.live.render import fragment
from tests.hostile import planted
from tests.hostile.planted import Planted, browse, filled, variants
from tests.hostile.test_text import here as here
from tests.taps import at_desktop

# As they are read: what scripts and tests read in attributes names its zone.
IN_TAGS = re.compile(r"<[^>]*>")
HOUR = re.compile(r"(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)")


def hours(here: Planted) -> Iterator[tuple[str, list[str]]]:
    """Yield the hours on each page and fragment of the room, by its address or name."""
    mari = at_desktop(here.house.cast.mari)
    for ids in variants(here.at_first):
        for route in planted.pages():
            answer = browse(mari, address := "/" + filled(route.pattern, {"number": 1, "seat_number": 1} | ids), "GET")
            if answer.status == 200 and answer.is_html:
                yield address, HOUR.findall(IN_TAGS.sub(" ", answer.text))
    for audience in all_audiences().values():
        name = audience.pattern.replace("{number}", "1")
        yield name, HOUR.findall(IN_TAGS.sub(" ", fragment(here.room.pk, name, "en").html))


@pytest.mark.slow
def test_every_screen_says_hours_as_they_are_in_the_room(here: Planted) -> None:
    at_home = dict(hours(here))
    with timezone.override("Pacific/Kiritimati"):
        far_away = dict(hours(here))

    assert sum(map(len, at_home.values())) > 100
    differ = {name: (found, far_away[name]) for name, found in at_home.items() if far_away[name] != found}
    assert differ == {}
