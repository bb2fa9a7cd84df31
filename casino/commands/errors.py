"""What is refused before a service begins, and after it ended."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class CommandIdReused(Refusal):
    """The same command id came with another body, from another person or another device."""

    code = "command_id_reused"
    sentence = _("This command id was already used for something else. Nothing was done; tap again.")


class Away(Refusal):
    """The database went away under a command: it may have been carried out, and its answer was lost."""

    code = "away"
    status = 503
    sentence = _("The room’s database is away at this very moment. Tap again: what was done already is not done twice.")
