"""Simulations that leave to luck in which order things happen, and not whether they do."""

from collections.abc import Callable
from dataclasses import replace

from casino.simulation.behaviours import Behaviour
from casino.simulation.night import Night
from casino.simulation.playing import Simulation

# An evening in which what must happen never does ends all the same, and the test says what was missing.
TIMES_AS_LONG_MAX = 14
# By how much what is looked for goes before the rest.
OFTENER = 20


class UntilEnough(Simulation):
    """
    The last evening goes on until `is_enough` as well, and those before until it `is_begun`; what `is_looked_for` then
    happens oftener. What `comes_first` does then goes before the draw: what hangs on several things in a row.
    """

    is_enough: Callable[[Night], bool] = staticmethod(lambda night: True)
    is_begun: Callable[[Night], bool] = staticmethod(lambda night: True)
    is_looked_for: Callable[[Behaviour], bool] = staticmethod(lambda each: False)
    comes_first: Callable[[Night], str | None] = staticmethod(lambda night: None)

    def one_of(self, behaviours: tuple[Behaviour, ...]) -> str:
        if self.night.seconds >= self.plan.hours * 3600:
            if (did := self.comes_first(self.night)) is not None:
                return did
            # Nor does what brings Redis back become rarer beside it: while it is away no worker draws anything.
            oftener = {each for each in behaviours if self.is_looked_for(each) or each.name == "Redis is back"}
            behaviours = tuple(
                replace(each, weight=each.weight * OFTENER) if each in oftener else each for each in behaviours
            )
        return super().one_of(behaviours)

    @property
    def is_closing(self) -> bool:
        if not super().is_closing:
            return False
        night = self.night
        is_last = night.number == self.plan.nights - 1
        is_far_over = night.seconds >= self.plan.hours * 3600 * TIMES_AS_LONG_MAX
        return is_far_over or (self.is_enough(night) if is_last else self.is_begun(night))


class Thorough(UntilEnough):
    """In the last night whichever fault has not happened yet goes before the draw."""

    def one_of(self, behaviours: tuple[Behaviour, ...]) -> str:
        night = self.night
        if night.number == self.plan.nights - 1:
            for each in behaviours:
                if each.fault and each.fault not in night.tally.switches and (did := each.do(night)) is not None:
                    night.tally.switches[each.fault] += 1
                    return f"{each.name}: {did}"
        return super().one_of(behaviours)


class Only(Simulation):
    """What hangs on few things happens soon: these modules' behaviours alone are drawn, the first one's oftenest."""

    modules: tuple[str, ...] = ()

    def one_of(self, behaviours: tuple[Behaviour, ...]) -> str:
        drawn = []
        for each in behaviours:
            module = each.do.__module__.split(".")[-1]
            if module in self.modules:
                times = OFTENER if module == self.modules[0] else 1
                drawn.append(replace(each, weight=times * each.weight))
        return super().one_of(tuple(drawn))
