"""What promotions keep about people: whose hand was the highest, and what they won."""

from django.utils.translation import gettext_lazy as _

from casino.people.kept import Kind, Rows, about_nobody, keep
from casino.promotions.models import Entry, Fund, Period, Prize, Splash

keep(
    Kind(
        "promotions.prizes",
        _("Hands and prizes of promotions"),
        purpose=_("To pay who won, and to show why."),
        rows=(
            Rows(Entry, ("player", "cards", "board", "five", "made", "ranks"), at="entered_at"),
            Rows(Prize, ("player",)),
        ),
        count=lambda room_id: Entry.objects.filter(period__room_id=room_id).count(),
    ),
)
about_nobody(Entry, "variant", "a code")
about_nobody(Fund, "code", "a promotion")
about_nobody(Period, "seed", "a draw")
about_nobody(Splash, "tables", "tables by number")
