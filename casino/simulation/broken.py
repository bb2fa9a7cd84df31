"""What the simulator raises when something does not hold."""


class Broken(Exception):
    """Something does not hold: which check says so, and what it saw."""

    def __init__(self, check: str, seen: str) -> None:
        super().__init__(f"{check}: {seen}")
        self.check = check
        self.seen = seen
