"""The auditor's pack in a real browser, from a real process: it holds by its script, and not with a byte changed."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from casino.audit.models import Event
from tests.browser.axe import findings
from tests.cast import demo_person
from tests.reports.packing import LOG, changed, evening, replaced, script
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import make_house

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_each_tap_brings_a_file_that_holds(brush_server: BrushServer, chromium: Chromium, tmp_path: Path) -> None:
    evening(make_house(), tmp_path)
    page = chromium.page("cage", "/sign-in/?next=/reports/packs/")
    page.fill("#username", "olavi")
    page.fill("#password", demo_person("olavi").password)
    page.press("#password", "Enter")
    expect(page.locator("h1")).to_have_text("The auditor’s pack")
    # Without its script the form brings the file all the same, and says nothing.
    page.wait_for_load_state()

    for count in (1, 2):
        with page.expect_download() as coming:
            page.click("text=Make the pack")
        file = tmp_path / f"pack{count}.zip"
        coming.value.save_as(file)
        # It is said to be under way until the digest stands there, by itself.
        expect(page.locator(".pack-digest")).to_have_count(count)
        expect(page.locator("[data-made]")).to_be_visible()
        expect(page.locator("[data-under-way]")).to_be_hidden()

    assert findings(page) == []
    digest = page.locator(".pack-digest").first.inner_text()
    assert by_script(file, digest) == (0, "The pack holds.")
    other = tmp_path / "changed.zip"
    other.write_bytes(changed(file.read_bytes(), {LOG: replaced("buy_in", "buy_On")}, is_remade=False))
    code, last = by_script(other, digest)
    assert (code, "holds" in last) == (1, False)
    assert Event.objects.filter(name="reports.make_pack", result="done").count() == 2


def by_script(file: Path, digest: str) -> tuple[int, str]:
    """Run the auditor's script on a pack; return its code, and its last line."""
    verified = subprocess.run(
        [sys.executable, "-I", str(script(file.parent)), str(file), "--digest", digest],
        capture_output=True,
        text=True,
        check=False,
    )
    return verified.returncode, verified.stdout.splitlines()[-1]
