"""The house has one clock, and it can be set."""

import time
from datetime import UTC, datetime, timedelta

from casino import clock


def test_a_set_clock_runs_at_its_speed_from_its_anchor(monkeypatch):
    anchor = time.time() - 60
    monkeypatch.setenv("BRUSH_CLOCK", f"2026-11-20T18:00:00+02:00@{anchor}x10")

    before = time.time()
    ahead = clock.now() - datetime(2026, 11, 20, 16, 0, tzinfo=UTC)
    after = time.time()

    # The clock tells whole microseconds.
    assert 10 * (before - anchor) - 0.001 <= ahead.total_seconds() <= 10 * (after - anchor) + 0.001


def test_a_frozen_clock_stands_still_and_runs_on_afterwards():
    moment = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)

    with clock.frozen(moment):
        assert clock.now() == moment

    assert clock.now() != moment


def test_a_clock_in_a_file_is_set_while_the_house_runs(monkeypatch, tmp_path):
    file = tmp_path / "clock"
    set_at = time.time()
    file.write_text(f"2026-11-20T18:00:00+00:00@{set_at}x1")
    monkeypatch.setenv("BRUSH_CLOCK", str(file))
    before = clock.now()

    file.write_text(f"2026-11-20T17:50:00+00:00@{set_at}x1")

    assert timedelta(minutes=9) < before - clock.now() <= timedelta(minutes=10)
