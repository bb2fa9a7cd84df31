"""A pool's history as a picture: steps in time, as SVG that the server draws. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

WIDTH, HEIGHT = 960, 240
# More steps than this nobody sees; of those between, the last of each column stays.
COLUMNS = 480


@dataclass(frozen=True)
class Graph:
    """
    The line's points in a box of `WIDTH` by `HEIGHT`, and what its axes begin and end with; amounts in cents.

    `falls` are marks where the sum fell, so that colour does not say it alone.
    """

    path: str
    area: str
    falls: Sequence[str]
    from_at: datetime
    to_at: datetime
    most_cents: int
    width: int = WIDTH
    height: int = HEIGHT


def graph_of(steps: Sequence[tuple[datetime, int]], *, until: datetime) -> Graph | None:
    """
    Return the graph of a sum that changed to so many cents at these moments, oldest first, and holds `until`.

    None without any. Between two changes the sum stood still, so the line runs level and then up or down.
    """
    if not steps:
        return None
    began, ends = steps[0][0], max(until, steps[-1][0])
    span = max((ends - began).total_seconds(), 1.0)
    most = max(max(cents for _at, cents in steps), 1)

    def x(at: datetime) -> float:
        return round((at - began).total_seconds() / span * WIDTH, 1)

    def y(cents: int) -> float:
        return round(HEIGHT - cents / most * HEIGHT, 1)

    seen = _thinned([(x(at), cents) for at, cents in steps])
    path, falls, before = "", [], 0
    for at_x, cents in seen:
        path += f"H{at_x} V{y(cents)} " if path else f"M{at_x} {y(cents)} "
        if cents < before:
            falls.append(f"M{at_x} {y(cents)} m-7 -14 h14 l-7 12 z")
        before = cents
    path += f"H{WIDTH}"
    return Graph(path, f"{path} V{HEIGHT} H0 Z", falls, began, ends, most)


def _thinned(points: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Keep the last step of each column, and each one after which the sum had fallen."""
    kept: list[tuple[float, int]] = []
    before = 0
    for at_x, cents in points:
        is_fall, before = cents < before, cents
        same = kept and int(kept[-1][0] * COLUMNS / WIDTH) == int(at_x * COLUMNS / WIDTH)
        if same and not is_fall and not (len(kept) > 1 and kept[-1][1] < kept[-2][1]):
            kept[-1] = (at_x, cents)
        else:
            kept.append((at_x, cents))
    return kept
