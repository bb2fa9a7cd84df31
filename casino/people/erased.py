"""What stands where somebody's name was, once it is erased. Ids stay: what was posted and logged keeps them."""

from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.translation import gettext

if TYPE_CHECKING:
    _Text = models.CharField[str, str]
else:
    _Text = models.CharField

# What is left of a text that may not be empty.
ERASED = "–"
# What is left of a document that somebody saw.
EMPTIED: dict[str, object] = {"number": ERASED, "full_name": "", "valid_until": None}


class Nickname(_Text):
    """
    A nickname as PostgreSQL has it, and "erased guest" in the active language where it was erased.

    So each page, call and file that names people by their rows names whoever asked to be forgotten like this, and no
    one of them needs to know of it. What is erased is never written again: nobody locks the row of such a player.
    """

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """Return what is shown of what is stored."""
        return value if value is None else shown_nickname(value)

    def deconstruct(self) -> Any:
        """Be an ordinary column to migrations: nothing of it differs in the database."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.CharField", args, options


class DisplayName(Nickname):
    """What somebody who works here is called, and "erased employee" in the active language where it was erased."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """Return what is shown of what is stored."""
        return value if value is None else shown_staff_name(value)


def shown_nickname(stored: str) -> str:
    """Return what is shown of a nickname as a statement of one's own has read it."""
    return stored or gettext("erased guest")


def shown_staff_name(stored: str) -> str:
    """Return what is shown of a name of staff as a statement of one's own has read it."""
    return stored or gettext("erased employee")
