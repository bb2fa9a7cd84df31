"""The auditor's pack is made on its page, by a call and on the machine itself, and the log keeps its digest."""

import io
import json
import uuid
import zipfile
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino import clock
from casino.audit.models import Event
from casino.live.render import fragment
from tests.reports.packing import FIRST, evening
from tests.tables.conftest import House
from tests.taps import at_desktop

DAYS = {"first_date": str(FIRST), "last_date": str(FIRST)}


def digest_in(pack: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(pack)) as opened:
        return sha256(opened.read("manifest.json")).hexdigest()


def logged() -> list[dict[str, Any]]:
    events = Event.objects.filter(name="reports.make_pack", result="done").order_by("id")
    return [json.loads(each.text)["data"] for each in events]


def key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4())}


def test_one_tap_makes_the_file_and_the_log_keeps_its_digest(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        evening(house, tmp_path)
    auditor = at_desktop(house.cast.olavi)
    with clock.frozen(house.at):
        page = auditor.get("/reports/packs/").content.decode()

        by_form = auditor.post("/reports/packs/make/", {**DAYS, "command_id": str(uuid.uuid4())})
        called = auditor.post("/api/v1/reports/pack", json.dumps(DAYS), content_type="application/json", headers=key())

        assert 'value="2026-11-20"' in page
        assert "Each pack’s digest stands here" in page
        packs = [answer.content for answer in (by_form, called)]
        assert packs[0] == packs[1]
        assert by_form["Content-Disposition"] == 'attachment; filename="pack-2026-11-20-2026-11-20.zip"'
        assert int(by_form["Content-Length"]) == len(packs[0])
        digest = digest_in(packs[0])
        assert called["X-Pack-Digest"] == digest
        assert [each["digest"] for each in logged()] == [digest, digest]
        page = auditor.get("/reports/packs/").content.decode()
        assert page.count(digest) == 2
        # Whoever has the page open is shown it, and the page knows the one that it waits for.
        newest = Event.objects.filter(name="reports.make_pack").latest("id")
        assert newest.audiences == ["packs"]
        assert f'data-made-by="{newest.command_id}"' in fragment(house.room_id, "packs", "en").html
        assert "Olavi" in page
        log_page = auditor.get("/log/?name=reports.make_pack").content.decode()
        assert f"of digest {digest}" in log_page
        assert "/reports/packs/" in auditor.get("/cage/day/").content.decode()


def test_what_cannot_be_packed_is_refused_and_nothing_is_logged(house: House) -> None:
    manager = at_desktop(house.cast.mari)
    before = (FIRST - timedelta(days=1)).isoformat()

    def refused(first: str, last: str) -> tuple[int, str]:
        days = json.dumps({"first_date": first, "last_date": last})
        answer = manager.post("/api/v1/reports/pack", days, content_type="application/json", headers=key())
        return answer.status_code, answer.json()["code"]

    with clock.frozen(house.at):
        assert "No day is closed yet" in manager.get("/reports/packs/").content.decode()
        assert refused(before, str(FIRST)) == (409, "pack_of_open_day")
        assert refused(before, before) == (404, "pack_of_no_day")
        assert refused(str(FIRST), before) == (404, "pack_of_no_day")
        assert refused("2025-01-01", before) == (422, "pack_too_long")
        assert refused("soon", before) == (400, "malformed")
        by_form = manager.post("/reports/packs/make/", {**DAYS, "command_id": str(uuid.uuid4())})
        assert (by_form.status_code, "still open" in by_form.content.decode()) == (409, True)

        cashier = at_desktop(house.cast.carla)
        assert cashier.post("/reports/packs/make/", {**DAYS, "command_id": str(uuid.uuid4())}).status_code == 403
    assert logged() == []


@pytest.mark.slow
def test_the_machine_makes_one_whole_or_not_at_all(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        evening(house, tmp_path)
    file, output = tmp_path / "pack.zip", io.StringIO()

    call_command("audit_pack", FIRST.isoformat(), FIRST.isoformat(), str(file), stdout=output)

    pack = file.read_bytes()
    assert f"Digest: {digest_in(pack)}" in output.getvalue()
    assert [each["digest"] for each in logged()] == [digest_in(pack)]
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("audit_pack", FIRST.isoformat(), FIRST.isoformat(), str(file))
    with pytest.raises(CommandError, match="still open"):
        call_command("audit_pack", FIRST.isoformat(), "2030-01-01", str(tmp_path / "other.zip"))
    assert file.read_bytes() == pack
    assert [each.name for each in tmp_path.glob("*.zip*")] == ["pack.zip"]
