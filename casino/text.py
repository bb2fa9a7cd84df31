"""
Names and notes as people type them: one line, composed, without what nobody can see.

Two nicknames that look the same are the same: characters without a shape are refused, accents that were typed
apart are put together (NFC), and runs of spaces are one. What reads from right to left stays among itself.
"""

import re
import unicodedata
from functools import lru_cache

# Printable for Python, and yet nothing is seen: fillers, joiners, selectors of a glyph's variant.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U000e0100-\U000e01ef]")
# Keyboards put these behind a heart without being asked.
_EMOJI_OR_TEXT = re.compile("[\ufe00-\ufe0f]")
# No language of a card room stacks more; more climb over the lines above and below.
MARKS_MAX = 3


def tidy(text: str) -> str:
    """Return a line as it is kept: composed, trimmed, one space where there were several."""
    return re.sub(" +", " ", unicodedata.normalize("NFC", _EMOJI_OR_TEXT.sub("", text))).strip()


def is_seen(text: str) -> bool:
    """Tell whether all of a line can be seen: no control, no character without a shape, no heap of accents."""
    if not text.isprintable() or _UNSEEN.search(text):
        return False
    marks = "".join("m" if unicodedata.category(each) in ("Mn", "Me") else "." for each in text)
    return "m" * (MARKS_MAX + 1) not in marks and not marks.startswith("m")


def id_from_text(text: str) -> int | None:
    """Return the id or version that a text says, None where it says none."""
    # Nineteen digits may be more than the 64 bits of a column hold, and Python refuses to read thousands.
    return int(text) if text.isdecimal() and len(text) <= 18 else None


# Letter by letter; and each push and tap names the same people.
@lru_cache(maxsize=2048)
def isolated(text: str) -> str:
    """
    Return a name for the middle of a sentence: one with right-to-left letters is kept from turning what follows.

    Names without them stay as they are. (U+2068 and U+2069, what `<bdi>` is where no element can stand.)
    """
    turns = any(unicodedata.bidirectional(each) in ("R", "AL", "AN") for each in text)
    return f"\u2068{text}\u2069" if turns else text


def for_spreadsheet(text: str) -> str:
    """Return a text as a cell of a CSV: a spreadsheet takes what begins like this for a formula."""
    return f"'{text}" if text[:1] in {*"=+-@\t\r"} else text
