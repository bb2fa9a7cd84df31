"""
The only place that asks what time it is.

Services take the answer as `at` and hand it on to rules. Tests and the simulator set the house's
time: either `frozen` in one process, or an anchor and a speed from the environment that give every
process of a group the same clock. Neither is on unless it is asked for.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

_frozen: datetime | None = None


def now() -> datetime:
    """
    Return the present moment of the house, with its time zone (UTC).

    `BRUSH_CLOCK` = "<moment in ISO 8601>@<seconds since 1970 when it held>x<speed>" sets a clock of
    the house's own, for example "2026-11-20T18:00:00+00:00@1795000000x60".
    """
    if _frozen is not None:
        return _frozen
    spec = os.environ.get("BRUSH_CLOCK")
    if not spec:
        return datetime.now(UTC)
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
