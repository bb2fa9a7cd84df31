"""What one house refuses and another allows: the book's own switches."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class SeatHeldTooLong(Refusal):
    """The floor may grant another time than the book's for one absence (H1.10), up to what the house grants at all."""

    code = "seat_held_too_long"
    sentence = _("A seat is held for %(most)s minutes at most.")


class NoLongBreak(Refusal):
    """Not every house lets players take a long break once an evening (H1.9; R-§4 and U35 limit every absence)."""

    code = "no_long_break"
    sentence = _("This house knows no long break. Hold the seat as for any absence.")
