"""The night as pictures: bars by quarter or hour, as SVG that the server draws, without scripts. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

# The picture's box, and what of it is left of the bars, for the figures, and below them, for the time.
WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 480, 150, 44, 18, 10
# As many moments as can be read below the bars, and how wide one is in words.
_TICKS_MAX, _MOMENT_WIDTH = 8, 34


@dataclass(frozen=True)
class Mark:
    """Words at a point of the picture."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class Chart:
    """
    Bars as one path; `line` runs above them: what they could be at most, "" where that is unknown.

    `levels` are marks left of level lines, `grid` those lines, `moments` marks below the bars.
    """

    bars: str
    line: str
    grid: str
    levels: Sequence[Mark]
    moments: Sequence[Mark]
    width: int = WIDTH
    height: int = HEIGHT


def chart(
    values: Sequence[float],
    moments: Sequence[str],
    words: dict[float, str] | None = None,
    *,
    most: Sequence[float] = (),
) -> Chart:
    """
    Return bars of these values, none negative, each beginning at its moment; `most` is a line above them.

    Three levels stand at the left, the uppermost round and not below any value.
    """
    top = round_up(max([*values, *most, 0]))
    floor, high = HEIGHT - BELOW, HEIGHT - BELOW - ABOVE
    each = (WIDTH - LEFT) / max(len(values), 1)

    def y(value: float) -> float:
        return round(floor - value / top * high, 1)

    gap = min(2.0, each / 4)
    bars = "".join(
        f"M{_x(index, each) + gap / 2:.1f} {floor}V{y(value)}h{each - gap:.1f}V{floor}z"
        for index, value in enumerate(values)
        if value
    )
    line = "".join(
        f"{'L' if index else 'M'}{_x(index, each):.1f} {y(value)}H{_x(index + 1, each):.1f}"
        for index, value in enumerate(most)
    )
    levels = [top * part / 2 for part in range(3)]
    step = -(-len(moments) // _TICKS_MAX)
    return Chart(
        bars=bars,
        line=line,
        grid="".join(f"M{LEFT} {y(level)}H{WIDTH}" for level in levels),
        levels=[Mark(LEFT - 6, y(level) + 4, f"{level:g}") for level in levels],
        moments=[
            Mark(round(_x(index, each), 1), HEIGHT - 2, moment)
            for index, moment in enumerate(moments)
            if index % step == 0 and _x(index, each) + _MOMENT_WIDTH <= WIDTH
        ],
    )


def round_up(value: float) -> float:
    """Return the least of 2, 4, 10, 20, 40, 100, … that is not below a value: so its half is a whole number too."""
    scale = 1
    while True:
        for first in (2, 4, 10):
            if value <= first * scale:
                return first * scale
        scale *= 10


def _x(index: int, each: float) -> float:
    return LEFT + index * each
