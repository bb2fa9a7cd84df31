# ruff: noqa: T201 - tables are printed for people.
"""The one table that every benchmark prints: this run's limit, our figure, the ratio, and the goal."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

Better = Literal["more", "less"]


@dataclass(frozen=True)
class Row:
    """
    One measured thing: a figure of ours for each round, and the limit measured beside it (none: only the figure).

    `better` says whether more of the figure is better (a rate) or less (a time, a size). `goal` holds for the ratio
    figure / limit, or for the figure where there is no limit; None where there is no goal.
    """

    name: str
    unit: str
    figures: Sequence[float]
    limits: Sequence[float] = ()
    better: Better = "more"
    goal: float | None = None

    @property
    def figure(self) -> float:
        return median(self.figures)

    @property
    def limit(self) -> float | None:
        return median(self.limits) if self.limits else None

    @property
    def ratio(self) -> float | None:
        """Return the median of the rounds' own ratios: a machine that slows down slows both of a round."""
        if not self.limits:
            return None
        return median(figure / limit for figure, limit in zip(self.figures, self.limits, strict=True))

    @property
    def is_met(self) -> bool | None:
        """Say whether the goal is met; None where there is none."""
        judged = self.figure if self.ratio is None else self.ratio
        if self.goal is None:
            return None
        return judged >= self.goal if self.better == "more" else judged <= self.goal


def show(title: str, rows: Sequence[Row]) -> None:
    """Print the table as Markdown, ready for docs/performance.md."""
    print(f"\n### {title}\n")
    print("| what | limit | Brush | ratio | goal | |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for row in rows:
        limit = "" if row.limit is None else f"{number(row.limit)} {row.unit}"
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        sign = "≥" if row.better == "more" else "≤"
        goal = "" if row.goal is None else f"{sign} {number(row.goal)}{'' if row.limits else ' ' + row.unit}"
        met = {None: "", True: "met", False: "missed"}[row.is_met]
        print(f"| {row.name} | {limit} | {number(row.figure)} {row.unit} | {ratio} | {goal} | {met} |")


def number(value: float) -> str:
    """Return three significant figures, thousands set apart."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
