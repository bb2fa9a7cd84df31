"""What printed sheets keep about people: ids of who sat and waited; each is written as a name when it is shown."""

from django.utils.translation import gettext_lazy as _

from casino.paper.models import CaughtUp, Sheet
from casino.people.kept import Kind, Rows, keep

keep(
    Kind(
        "paper.sheets",
        _("Sheets printed to play on by paper"),
        purpose=_("To play on while Brush is down, and to enter afterwards what was written."),
        rows=(Rows(Sheet, ("facts",), player=""), Rows(CaughtUp, ("entered", "figures"), player="")),
        not_given="how tables stood, with everybody there; the player's own seats and places stand where they are kept",
        count=lambda room_id: Sheet.objects.filter(room_id=room_id).count(),
    ),
)
