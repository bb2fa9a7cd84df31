"""What is refused about going elsewhere: coming back, changing tables, and tables that close."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal
from casino.poker.table_change import Because

_COMES_BACK = (Because.COMES_BACK, Because.COMES_BACK_ABOVE_MAXIMUM)
_BRINGS = (*_COMES_BACK, Because.WHOLE_STACK, Because.OTHER_STAKES, Because.OTHER_STRUCTURE, Because.FILLS_UP)


class SeatUsedSince(Refusal):
    """Two players never sat in one seat at one time, nor one in two seats: the log would say so."""

    code = "seat_used_since"
    status = 409
    sentence = _("Seat %(seat_number)s was taken and left since then. Seat the player anew.")


class TableClosedSince(Refusal):
    """What the player left is over."""

    code = "table_closed_since"
    status = 409
    sentence = _("Table %(table_number)s was closed since then. Seat the player anew.")


class CashedOutSince(Refusal):
    """The chips have become money, so they do not come back to the seat."""

    code = "cashed_out_since"
    status = 409
    sentence = _("This player has cashed out since then. Seat the player anew.")


class StackToBring(Refusal):
    """One night, one stack: who comes back continues with what they left with."""

    code = "stack_to_bring"
    reasons = _COMES_BACK
    sentence = _("This player comes back to these stakes and sits down with %(stack)s; %(asked)s is not that.")


class StackNotCounted(Refusal):
    """Who comes back continues with what they left with, and nobody knows yet what that was."""

    code = "stack_not_counted"
    reasons = _COMES_BACK
    sentence = _(
        "This player left table %(table_number)s, seat %(seat_number)s, with a stack that nobody counted. "
        "Say first how much it was (Who left): with that much they come back."
    )


class MovesWithStack(Refusal):
    """Who changes tables takes the whole stack along, as far as the book says."""

    code = "moves_with_stack"
    reasons = _BRINGS
    sentence = _("The player moves with %(stack)s; %(asked)s is not that.")


class StackTooShort(Refusal):
    """A mover is a new player at the new table (A11)."""

    code = "stack_too_short"
    reasons = _BRINGS
    sentence = _("Table %(table_number)s asks for %(needed)s. The stack is %(stack)s: %(more)s more is needed.")


class ChangeNotAllowed(Refusal):
    """Tables of the same limits are kept even, and table 1 comes first."""

    code = "change_not_allowed"
    reasons = (Because.LEAVES_TWO_FEWER, Because.LEAVES_TABLE_ONE_FEWER)
    sentence = _(
        "From table %(table_number)s nobody may change to table %(to_table)s now: it would have too few players."
    )


class TableCloses(Refusal):
    """Its last orbit has been announced."""

    code = "table_closes"
    status = 409
    sentence = _("Table %(table_number)s is about to close. Choose another table.")


class HandDealtSince(Refusal):
    """A move is taken back only while nothing was dealt."""

    code = "hand_dealt_since"
    status = 409
    sentence = _("A hand was dealt at table %(table_number)s since then. Move the player again instead.")


class ChangeAlreadyWished(Refusal):
    """A player asks for one change of table at a time."""

    code = "already_asked"
    status = 409
    sentence = _("This player has already asked for another table.")


class ChangeNotWished(Refusal):
    """The wish is granted, refused or withdrawn."""

    code = "not_asked"
    status = 409
    sentence = _("This player has not asked for another table, or no longer.")


class NotClosing(Refusal):
    """Nobody announced that the table closes."""

    code = "not_closing"
    status = 409
    sentence = _("Announce the last orbit of table %(table_number)s first.")


class NoDrawPrepared(Refusal):
    """What binds the house is shown before the cards."""

    code = "no_draw_prepared"
    status = 409
    sentence = _("Begin the draw anew: it was not prepared, or the cards are out already.")


class NotAllConsent(Refusal):
    """Stakes change only when everybody at the table agrees."""

    code = "not_all_consent"
    sentence = _("Everybody at the table has to agree; %(missing)s have not.")
