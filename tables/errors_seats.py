"""What is refused because of a seat elsewhere, or one that is promised; `errors.py` has what concerns a single seat."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class SitsElsewhere(Refusal):
    """One person has one seat: who sits at another table moves over from there, with the stack (H2.8, U45)."""

    code = "sits_elsewhere"
    status = 409
    sentence = _(
        "This player sits at table %(table_number)s, in seat %(seat_number)s. Move the player over from there."
    )


class OtherGame(Refusal):
    """A list is of one game, and so are a move and a must-move chain."""

    code = "other_game"
    status = 409
    sentence = _("Table %(table_number)s runs another game.")


class SeatPromised(Refusal):
    """Somebody was called to that seat and still has time to come."""

    code = "seat_promised"
    status = 409
    sentence = _(
        "Seat %(seat_number)s is promised to a player who was called. Take the call back, or wait until it runs out."
    )
