"""What the nights of these tests came to is added to their reports, for the summary that ends `make test-all`."""

from collections import Counter
from collections.abc import Callable, Generator
from functools import wraps

import pytest

from casino.simulation.night import Night

_nights: list[Night] = []
_reported: Counter[str] = Counter()


def _noting(begin: Callable[..., None]) -> Callable[..., None]:
    @wraps(begin)
    def noted(night: Night, *args: object, **arguments: object) -> None:
        begin(night, *args, **arguments)
        _nights.append(night)

    return noted


# Nights are made by tests, by fixtures of a module, and by what both call: here they all pass.
Night.__init__ = _noting(Night.__init__)  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what was played since the last report."""
    report = yield
    if report.when == "teardown":
        so_far = Counter(
            nights=sum(night.number + 1 for night in _nights),
            steps=sum(night.step for night in _nights),
            commands=sum(night.tally.commands for night in _nights),
            faults=sum(night.tally.faults.total() for night in _nights),
            claims=sum(night.jackpots.calls for night in _nights),
        )
        report.user_properties += list((so_far - _reported).items())
        _reported.update(so_far - _reported)
    return report
