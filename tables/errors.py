"""What the tables refuse at one table: seats, ways back in, hands. Of other nouns `errors_*.py` beside it."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal
from casino.poker.buyins import Why


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
    sentence = _("Hand %(hand_number)s is being played. This waits until it is over.")


class SeatTaken(Refusal):
    """Somebody is in that seat."""

    code = "seat_taken"
    status = 409
    sentence = _("Seat %(seat_number)s is taken.")


class NoSuchSeat(Refusal):
    """The game has fewer seats."""

    code = "no_such_seat"
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
    sentence = _("This player is already in the blinds. Only a new player waits or posts.")


class EntryNotOffered(Refusal):
    """The game has no such way into the blinds."""

    code = "entry_not_offered"
    reasons = ("waits_to_come_in",)
    sentence = _("This game does not know that way in. The player waits for the big blind.")


class NoStraddles(Refusal):
    """Nobody straddles at this game."""

    code = "no_straddles"
    sentence = _("There are no straddles at this game.")


class NotAway(Refusal):
    """Only of a player who is away (H1.8)."""

    code = "not_away"
    status = 409
    sentence = _("This player is at the table. Hold the seat first.")


class StillInTime(Refusal):
    """The seat of a player who is away is held until the house's limit, or the floor's (H1.10, R-§4, U35)."""

    code = "still_in_time"
    reasons = ("still_in_time_by_button",)
    sentence = _("Seat %(seat_number)s is still held: the limit has not come. The floor may set another one first.")


class NobodyWaits(Refusal):
    """The stack is taken only while somebody waits for the game (R-§4)."""

    code = "nobody_waits"
    sentence = _("Nobody waits for this game, so seat %(seat_number)s is held on.")


class LongBreakTaken(Refusal):
    """One long break an evening (H1.9)."""

    code = "long_break_taken"
    sentence = _("This player has had the long break of this evening. The seat is held as for any absence.")


class SeatNotFree(Refusal):
    """Nobody changes with a seat in which one plays over for another (H4.48)."""

    code = "seat_not_free"
    status = 409
    sentence = _("Somebody plays over in seat %(seat_number)s. That ends first.")


class OverPlayerPosts(Refusal):
    """Who plays over does not wait for the big blind (H4.49)."""

    code = "over_player_posts"
    sentence = _("Who plays over posts the new player’s blind; waiting is not offered.")


class NothingToTakeBack(Refusal):
    """A hand has begun since, or the player did not change seats."""

    code = "nothing_to_take_back"
    status = 409
    sentence = _("A hand has begun since this player changed seats. Change the seat anew.")


class BuyInUnderMinimum(Refusal):
    """A new player, or one out of chips, buys at least the minimum, or less of it as a short buy-in."""

    code = "buy_in_under_minimum"
    reasons = (Why.FIRST, Why.OUT_OF_CHIPS, Why.BELOW_BLIND, Why.SHORT, Why.SHORT_USED)
    sentence = _("At least %(minimum)s must be bought now; %(asked)s is too little.")


class BuyInOverMaximum(Refusal):
    """Buying tops a stack up to the maximum and no further."""

    code = "buy_in_over_maximum"
    sentence = _("The most that may be bought now is %(maximum)s; %(asked)s is too much.")


class StackNeeded(Refusal):
    """A limit hangs on the stack, and the stack is not known."""

    code = "stack_needed"
    reasons = (Why.TOP_UP_NEEDS_STACK,)
    sentence = _("Count the stack first, or say that it is under one blind: the limit depends on it.")


class NothingToUndo(Refusal):
    """The table's newest hand is not one that can be taken back here."""

    code = "nothing_to_undo"
    status = 409
    sentence = _("The next hand has begun, so this one can no longer be undone here. The floor corrects it.")


class HandBeforeChange(Refusal):
    """Between two hands the table went on otherwise: the one before is not the next one's any more."""

    code = "hand_before_change"
    status = 409
    sentence = _(
        "The table has gone on otherwise since, so this hand can no longer be undone here. The floor corrects it."
    )


class HandToLogAgain(Refusal):
    """A hand that was undone is logged again under the terms under which it was dealt."""

    code = "hand_to_log_again"
    status = 409
    sentence = _("Hand %(hand_number)s was undone and is not logged yet. Log it again, and try again.")


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
    sentence = _("Hand %(hand_number)s already has what went into the boxes. The floor corrects it.")


class NotADealer(Refusal):
    """Only who is on shift and deals pushes in."""

    code = "not_a_dealer"
    sentence = _("This person does not deal tonight. Start the shift first.")


class AlreadyResolved(Refusal):
    """A disputed pot is decided once."""

    code = "pot_already_resolved"
    status = 409
    sentence = _("The pot of hand %(hand_number)s is decided already.")


class SharesDiffer(Refusal):
    """What is paid out of a disputed pot is the whole pot."""

    code = "shares_differ"
    sentence = _("%(pot)s lie apart: the shares have to make exactly that, one for each player.")


class ClauseUnknown(Refusal):
    """A ruling cites a clause of the room's own book."""

    code = "clause_unknown"
    sentence = _("The room’s rule book has no clause %(wanted)s.")


class PenaltyTooLong(Refusal):
    """A penalty is a time away from the table, not a ban."""

    code = "penalty_too_long"
    sentence = _("A penalty runs for %(most)s minutes at most. For longer, a manager bans.")
