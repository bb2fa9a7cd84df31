"""Simulations that leave to luck in which order things happen, and not whether they do."""

from collections.abc import Callable

from casino.simulation.behaviours import Behaviour
from casino.simulation.night import Night

# An evening in which what must happen never does ends all the same, and the test says what was missing.
TIMES_AS_LONG_MAX = 8


class UntilEnough(Night):
    """The last evening goes on until `is_enough` as well."""

    is_enough: Callable[[Night], bool] = staticmethod(lambda night: True)

    @property
    def is_closing(self) -> bool:
        if not super().is_closing:
            return False
        is_last = self.number == self.plan.nights - 1
        return not is_last or self.is_enough(self) or self.seconds >= self.plan.hours * 3600 * TIMES_AS_LONG_MAX


class Thorough(UntilEnough):
    """In the last night, from `missing_from` seconds on, whichever fault has not happened yet goes before the draw."""

    missing_from = 0.0

    def _one_of(self, behaviours: tuple[Behaviour, ...]) -> str:
        if self.number == self.plan.nights - 1 and self.seconds >= self.missing_from:
            for each in behaviours:
                if each.fault and each.fault not in self.tally.switches and (did := each.do(self)) is not None:
                    self.tally.switches[each.fault] += 1
                    return f"{each.name}: {did}"
        return super()._one_of(behaviours)
