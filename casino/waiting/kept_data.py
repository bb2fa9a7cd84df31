"""What lists keep about people: who waited for which game."""

from django.utils.translation import gettext_lazy as _

from casino.people.kept import Kind, Rows, about_nobody, keep
from casino.waiting.models import Waiting

keep(
    Kind(
        "waiting.places",
        _("Places on lists"),
        purpose=_("To seat players in the order in which they came."),
        rows=(Rows(Waiting, ("player",), at="joined_at"),),
        count=lambda room_id: Waiting.objects.filter(room_id=room_id).count(),
    ),
)
about_nobody(Waiting, "ended_why", "a code")
