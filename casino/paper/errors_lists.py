"""What is refused where the waiting lists are caught up: each names its line, as the sheet has it."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class ListLineTwice(Refusal):
    """Two lines have one number."""

    code = "list_line_twice"
    sentence = _("Waiting lists: line %(line)s is entered twice.")


class LineOutside(Refusal):
    """A line is of another time than the sheet."""

    code = "line_outside"
    sentence = _("Waiting lists, line %(line)s: %(at)s is not between %(from)s and %(until)s.")


class OutOfOrder(Refusal):
    """Who came on first stands first (H2.5)."""

    code = "list_out_of_order"
    sentence = _(
        "Waiting lists: line %(line)s came at %(at)s, and line %(before)s above it at %(before_at)s. Whoever came first"
        " stands first."
    )


class WhichSeat(Refusal):
    """A call is to a seat."""

    code = "which_seat"
    sentence = _("Waiting lists, line %(line)s: to which table and seat was that call?")


class OnListAlready(Refusal):
    """A player waits for a game once."""

    code = "on_list_already"
    sentence = _("Waiting lists, line %(line)s: that player was on the list for %(game)s already.")


class NotOnListThen(Refusal):
    """Something became of a player who was not on that list."""

    code = "not_on_list_then"
    sentence = _("Waiting lists, line %(line)s: nobody of that name was on the list for %(game)s then.")


class CalledAlready(Refusal):
    """Nobody is called twice without anything having become of the first call."""

    code = "called_already"
    sentence = _("Waiting lists, line %(line)s: that player was called already. Write what became of that call before.")


class NotCalledThen(Refusal):
    """Nobody misses a call that was not made."""

    code = "not_called_then"
    sentence = _(
        "Waiting lists, line %(line)s: that player was not called then. Where Brush itself has let the call run out,"
        " leave the line out."
    )


class CallRanOut(Refusal):
    """A call that was made on paper is over by its time, and the sheet does not say what became of it (H2.6)."""

    code = "call_ran_out"
    sentence = _(
        "Waiting lists, line %(line)s: that call ran out at %(until)s. Write what became of it: seated, did not come,"
        " struck or dropped out."
    )
