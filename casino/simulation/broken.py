"""What the simulator raises when something does not hold."""


class Broken(Exception):
    """Raised by a check that does not hold: `check` is its name, `seen` what it saw."""

    def __init__(self, check: str, seen: str) -> None:
        super().__init__(f"{check}: {seen}")
        self.check = check
        self.seen = seen
