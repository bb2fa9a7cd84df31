"""How files and pages reach a screen: compressed, files once and for good, and modules without a waterfall."""

import gzip
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from casino import static_files
from casino.templatetags.modules import module
from tests.support.room import BrushServer

ADDRESS = re.compile(r'(?:href|src)="(/static/[^"]+)"')
FOR_GOOD = "max-age=315360000, public, immutable"


@pytest.mark.slow
def test_files_and_pages_come_compressed_and_modules_with_their_imports(live_room: BrushServer) -> None:
    with httpx.Client(base_url=live_room.url) as browser:
        page = browser.get("/sign-in/")
        found = {address: browser.get(address) for address in ADDRESS.findall(page.text)}
        commands = next(each for each in found if "commands.js" in each)
        imported = re.findall(r'from "\./([^"]+)"', found[commands].text)
        answers = [browser.get(commands.replace("commands.js", name)) for name in imported]
        plain = browser.get("/sign-in/", headers={"Accept-Encoding": "identity"})
        fragment = browser.get("/sign-in/", headers={"HX-Request": "true"})
        refused = browser.post("/api/v1/sign-in", json={"username": "x" * 300, "password": "y"})

    assert len(found) > 8
    for address, answer in found.items():
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == FOR_GOOD, address
        # What compresses to nothing less (a small picture) has no compressed one.
        assert answer.headers.get("Content-Encoding") == "gzip" or len(answer.content) < 600, address
    # A module finds its imports beside it.
    assert len(answers) > 2
    assert {answer.headers["Cache-Control"] for answer in answers} == {FOR_GOOD}
    # Pages are compressed, and answers are not.
    assert page.headers["Content-Encoding"] == "gzip"
    assert page.headers["Content-Security-Policy"] == plain.headers["Content-Security-Policy"]
    assert [("Content-Encoding" in answer.headers) for answer in (plain, fragment, refused)] == [False] * 3


def test_a_state_of_the_code_is_collected_once_and_whole(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    try:
        static_files.collect()
        (state,) = settings.STATIC_ROOT.iterdir()
        made_at = state.stat().st_mtime_ns
        static_files.collect()

        assert [each.stat().st_mtime_ns for each in settings.STATIC_ROOT.iterdir()] == [made_at]
        assert static("brush/live.js") == f"/static/{state.name}/brush/live.js"
        script = (state / "brush" / "live.js").read_bytes()
        assert gzip.decompress((state / "brush" / "live.js.gz").read_bytes()) == script
        assert script == Path(str(finders.find("brush/live.js"))).read_bytes()
    finally:
        static_files._collected.cache_clear()


def test_a_disk_that_takes_nothing_leaves_the_files_as_they_are(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "static").write_text("in the way")
    settings.STATIC_ROOT = tmp_path / "static"
    try:
        static_files.collect()

        assert static("brush/live.js") == "/static/brush/live.js"
    finally:
        static_files._collected.cache_clear()


def test_every_import_of_the_dealers_script_is_asked_for_at_once() -> None:
    source = module("brush/dealer/dealer.js")

    hinted = set(re.findall(r'modulepreload" href="[^"]*/(brush/[^"]+)"', source))
    scripts = {f"brush/dealer/{file.name}" for file in Path(str(finders.find("brush/dealer"))).glob("*.js")}
    few_tables = {"brush/dealer/rack.js", "brush/dealer/time_sheet.js"}
    assert scripts - hinted == {"brush/dealer/dealer.js"} | few_tables
    assert {"brush/commands.js", "brush/queue.js", "brush/clock.js", "brush/words.js"} <= hinted
