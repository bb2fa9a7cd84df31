"""What an event of the log says, for tests of what it must not."""

import re


def says(text: str, digits: str) -> bool:
    """
    Say whether these digits stand in an event's text by themselves.

    Four of them stand in one of some hundred random ids, in a hash, or in a moment's microseconds: those say nothing.
    """
    return re.search(rf"(?<![\w.-]){digits}(?![\w.-])", text) is not None
