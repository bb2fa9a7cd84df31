"""What reports keep about people: nothing of their own, but what they work out by person is a kind too."""

from django.utils.translation import gettext_lazy as _

from casino.people.kept import Kind, keep

keep(
    Kind(
        "reports.exceptions",
        _("Exceptions by person"),
        purpose=_("To see what is out of the ordinary, and look into it."),
        # Worked out from the log whenever it is asked for, and kept nowhere.
        rows=(),
        not_given="of no player, and what compliance looks into is told to nobody",
        count=None,
    ),
)
