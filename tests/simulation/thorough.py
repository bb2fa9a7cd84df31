"""A simulation in which no fault that is switched on stays unplayed by mere luck."""

from casino.simulation.behaviours import Behaviour
from casino.simulation.night import Night


class Thorough(Night):
    """In the last night, from `missing_from` seconds on, whichever fault has not happened yet goes before the draw."""

    missing_from = 0.0

    def _one_of(self, behaviours: tuple[Behaviour, ...]) -> str:
        if self.number == self.plan.nights - 1 and self.seconds >= self.missing_from:
            for each in behaviours:
                if each.fault and each.fault not in self.tally.switches and (did := each.do(self)) is not None:
                    self.tally.switches[each.fault] += 1
                    return f"{each.name}: {did}"
        return super()._one_of(behaviours)
