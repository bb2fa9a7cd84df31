"""What is refused about who sits where."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class SitsElsewhere(Refusal):
    """One person has one seat: who sits at another table moves over from there, with the stack (H2.8, U45)."""

    code = "sits_elsewhere"
    status = 409
    sentence = _(
        "This player sits at table %(table_number)s, in seat %(seat_number)s. Move the player over from there."
    )
