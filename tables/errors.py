"""What the tables refuse."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class TableClosed(Refusal):
    """The table runs no game."""

    code = "table_closed"
    status = 409
    sentence = _("Table %(table_number)s is closed. Open it first.")


class TableAlreadyOpen(Refusal):
    """The table already runs a game."""

    code = "table_already_open"
    status = 409
    sentence = _("Table %(table_number)s is already open.")


class SeatsOccupied(Refusal):
    """A table closes when the last player has left."""

    code = "seats_occupied"
    status = 409
    sentence = _("Players still sit at table %(table_number)s. Count their stacks and let them leave first.")


class HandInProgress(Refusal):
    """What holds at the start of a hand does not change during it (H1.1)."""

    code = "hand_in_progress"
    status = 409
    clause = "H1.1"
    sentence = _("Hand %(hand_number)s is being played. This waits until it is over.")


class SeatTaken(Refusal):
    """Somebody is in that seat."""

    code = "seat_taken"
    status = 409
    sentence = _("Seat %(seat_number)s is taken.")


class NoSuchSeat(Refusal):
    """The game has fewer seats."""

    code = "no_such_seat"
    clause = "H2.2"
    sentence = _("This table has seats 1 to %(seats)s.")


class AlreadySeated(Refusal):
    """One person in two seats of one table cannot be."""

    code = "already_seated"
    status = 409
    sentence = _("This player already sits at table %(table_number)s, in seat %(seat_number)s.")


class SeatEmpty(Refusal):
    """The player has left that seat."""

    code = "seat_empty"
    status = 409
    sentence = _("Nobody sits in that seat any more.")


class NotANewPlayer(Refusal):
    """Only a new player chooses between waiting and posting (H4.30, H4.31)."""

    code = "not_a_new_player"
    clause = "H4.30"
    sentence = _("This player is already in the blinds. Only a new player waits or posts.")


class BuyInUnderMinimum(Refusal):
    """A new player, or one out of chips, puts at least the minimum on the table."""

    code = "buy_in_under_minimum"
    clause = "H2.14"
    sentence = _("At least %(minimum)s is needed to sit down here; %(asked)s is too little.")


class BuyInOverMaximum(Refusal):
    """Buying tops a stack up to the maximum and no further."""

    code = "buy_in_over_maximum"
    clause = "H2.17"
    sentence = _("The most that may be bought now is %(maximum)s; %(asked)s is too much.")


class StackNeeded(Refusal):
    """A limit hangs on the stack, and the stack is not known."""

    code = "stack_needed"
    clause = "H2.17"
    sentence = _("Count the stack first, or say that it is under one blind: the limit depends on it.")


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


class NothingToUndo(Refusal):
    """The table's newest hand is not one that can be taken back here."""

    code = "nothing_to_undo"
    status = 409
    sentence = _("The next hand has begun, so this one can no longer be undone here. The floor corrects it.")


class NotYourHand(Refusal):
    """Undo belongs to the dealer who logged the hand."""

    code = "not_your_hand"
    sentence = _("Another dealer logged this hand. The floor corrects it.")


class HandNotOpenToCorrection(Refusal):
    """Only a standing hand of the open day is corrected."""

    code = "hand_not_open_to_correction"
    status = 409
    sentence = _("Hand %(hand_number)s cannot be corrected: it was already replaced, or its day is closed.")


class HandAlreadySupplied(Refusal):
    """A hand that was supplied once is corrected, not supplied again."""

    code = "hand_already_supplied"
    status = 409
    sentence = _("Hand %(hand_number)s already has its rake and drop. The floor corrects it.")
