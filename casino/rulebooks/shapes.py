"""Shapes that texts are read into, learnt before anybody reads."""

from typing import Any

import msgspec


def learn(shape: Any) -> None:
    """
    Have msgspec work out what a shape consists of, now: called where a module is imported, which one thread does.

    It would do so at the first reading. Of two threads whose first readings meet, one finds the other's work half done
    and ends the whole process (msgspec 0.22, a null pointer).
    """
    msgspec.json.Decoder(shape)
