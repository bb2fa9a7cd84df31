"""What a run of the tests cost, and what its nights came to, said at its end."""

import time
from collections import Counter

import pytest

COSTLIEST = 10
# What tests may count, with `record_property`: how many of each.
COUNTED = ("nights", "steps", "commands", "faults", "claims", "planted defects found")


class Costs:
    """A plugin of pytest's: adds up what each file took, in all workers together."""

    def __init__(self, budget_seconds: float) -> None:
        self._budget_seconds = budget_seconds
        self._begun = time.monotonic()
        self._by_file: Counter[str] = Counter()
        self._counted: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one part of a test: its set-up, its call, or its end."""
        self._by_file[report.location[0]] += report.duration  # type: ignore[assignment]  # seconds, not a count
        for name, value in report.user_properties:
            if report.when == "teardown" and name in COUNTED:
                self._counted[name] += int(str(value))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was dearest, and whether it is within what the whole may take."""
        took = time.monotonic() - self._begun
        say = terminalreporter.write_line
        if self._counted:
            say(", ".join(f"{name} {self._counted[name]:,}" for name in COUNTED) + f", seconds {took:,.0f}")
        if not self._budget_seconds:
            return
        say(f"the {COSTLIEST} costliest files, of {sum(self._by_file.values()):.0f} s in all workers:")
        for file, seconds in self._by_file.most_common(COSTLIEST):
            say(f"  {seconds:6.1f} s  {file}")
        passed = "OVER ITS BUDGET" if took > self._budget_seconds else "within its budget"
        say(f"{took:.0f} s: {passed} of {self._budget_seconds:.0f} s (docs/testing.md)")
