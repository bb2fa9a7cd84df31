"""What the supervisor says to the person at the terminal."""

import contextlib
import sys


def say(sentence: str) -> None:
    """Print a sentence; a terminal that has been closed is no reason to leave servers running."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(f"{sentence}\n")
        sys.stdout.flush()
