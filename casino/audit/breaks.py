"""What a proof of the log finds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Break:
    """
    Where the log does not hold: in which chain, at which number, and what is wrong there.

    Seals are a chain of their own ("seal"); of a row that the log answers for the kind and id stand there ("slip", 17).
    """

    chain: str
    number: int
    problem: str
