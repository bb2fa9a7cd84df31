"""The auditor's pack in a real browser, from a real web process: one tap brings a file that holds by its script."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from casino.audit.models import Event
from tests.browser.axe import findings
from tests.cast import demo_person
from tests.reports.packing import evening, script
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

    for count in (1, 2):
        with page.expect_download() as coming:
            page.click("text=Make the pack")
        file = tmp_path / f"pack{count}.zip"
        coming.value.save_as(file)
        expect(page.locator("[data-under-way]")).to_be_visible()

    page.reload()
    assert findings(page) == []
    digest = page.locator(".pack-digest").first.inner_text()
    verified = subprocess.run(
        [sys.executable, "-I", str(script(file.parent)), str(file), "--digest", digest],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (verified.returncode, verified.stdout.splitlines()[-1]) == (0, "The pack holds.")
    assert Event.objects.filter(name="reports.make_pack", result="done").count() == 2
