"""
The only place that asks what time it is.

Services take the answer as `at` and hand it on to rules. Tests and the simulator set the house's
time: either `frozen` in one process, or an anchor and a speed from the environment that give every
process of a group the same clock. Neither is on unless it is asked for.

Like any machine's, this clock may be set while the house runs: time then jumps, forth or back.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

_frozen: datetime | None = None


def now() -> datetime:
    """
    Return the present moment of the house, with its time zone (UTC).

    `BRUSH_CLOCK` = "<moment in ISO 8601>@<seconds since 1970 when it held>x<speed>" sets a clock of
    the house's own, for example "2026-11-20T18:00:00+00:00@1795000000x60". A path instead ("/tmp/clock") names
    a file that holds it and is read each time, so that the clock of processes that run can be set.
    """
    if _frozen is not None:
        return _frozen
    spec = os.environ.get("BRUSH_CLOCK")
    if not spec:
        return datetime.now(UTC)
    if spec.startswith("/"):
        spec = Path(spec).read_text()
    anchor_text, _, rest = spec.partition("@")
    real_text, _, speed_text = rest.partition("x")
    elapsed = (time.time() - float(real_text)) * float(speed_text or "1")
    return datetime.fromisoformat(anchor_text).astimezone(UTC) + timedelta(seconds=elapsed)


@contextmanager
def frozen(moment: datetime) -> Iterator[None]:
    """Hold the clock of this process at `moment` (tests)."""
    global _frozen
    before, _frozen = _frozen, moment
    try:
        yield
    finally:
        _frozen = before
