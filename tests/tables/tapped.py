"""What the dealer's tablet may send: kinds of taps and requests, their calls (calls.js) and bodies (tapped.d.ts)."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from tests.support.scripts import run_script

_CALLS = """async () => {
  const { TAPS, REQUESTS } = await import("/static/brush/dealer/calls.js");
  return { ...TAPS, ...REQUESTS };
}"""
_INTERFACE = re.compile(r"^(?:export )?interface (\w+)(?: extends (.+?))? \{\n(.*?)^\}", re.M | re.S)
_KEY = re.compile(r"^  (?:\"([\w-]+)\"|(\w+))(\??): (.+);$", re.M)
_PICKED = re.compile(r"Pick<\w+, (.+?)>")


class Keys(NamedTuple):
    """The keys of a body: those that it always has, and all."""

    always: frozenset[str]
    every: frozenset[str]


@cache
def calls() -> dict[str, str]:
    """Return the address of each kind of tap and request at table 1, for the seating 1."""
    paths: dict[str, str] = run_script(_CALLS, [])
    return {kind: f"/api/v1/tables/1/{path.replace('{seating}', '1')}" for kind, path in paths.items()}


def kinds_of_taps() -> set[str]:
    """Return the kinds of taps that the tablet's queue may hold."""
    return set(_bodies("TapBodies"))


def bodies() -> dict[str, Keys]:
    """Return the keys that each kind of tap and request sends."""
    return {kind: _keys(name) for kind, name in (_bodies("TapBodies") | _bodies("RequestBodies")).items()}


def _bodies(listed: str) -> dict[str, str]:
    return {quoted or plain: body for quoted, plain, _, body in _KEY.findall(_interfaces()[listed][1])}


def _keys(name: str) -> Keys:
    # `Nothing` is no interface: it has no keys.
    above, text = _interfaces().get(name, ("", ""))
    found = [(quoted or plain, optional) for quoted, plain, optional, _ in _KEY.findall(text)]
    picked = [key.strip('"') for keys in _PICKED.findall(above) for key in keys.split(" | ")]
    always = {key for key, optional in found if not optional} | set(picked)
    parents = [_keys(each) for each in re.sub(r"\w+<.*?>", "", above).split(", ") if each]
    every = {key for key, _ in found} | always
    return Keys(
        always=frozenset(always).union(*[each.always for each in parents]),
        every=frozenset(every).union(*[each.every for each in parents]),
    )


@cache
def _interfaces() -> dict[str, tuple[str, str]]:
    source = Path(settings.BASE_DIR, "static/brush/dealer/tapped.d.ts").read_text("utf-8")
    return {name: (above, text) for name, above, text in _INTERFACE.findall(source)}
