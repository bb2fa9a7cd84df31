"""What is refused about waiting lists and calls to a seat."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class AlreadyOnList(Refusal):
    """A player waits for a game once."""

    code = "already_on_list"
    status = 409
    sentence = _("This player is already on the list for %(game)s.")


class NotOnList(Refusal):
    """The entry has ended: seated, struck or dropped out."""

    code = "not_on_list"
    status = 409
    sentence = _("This player is no longer on the list.")


class AlreadyCalled(Refusal):
    """Nobody is called to two seats."""

    code = "already_called"
    status = 409
    sentence = _("This player is already called to a seat. Take that call back first.")


class NotCalled(Refusal):
    """There is no call, or no longer."""

    code = "not_called"
    status = 409
    sentence = _("This player is not called to a seat, or no longer.")


class MoreTimeNotRequested(Refusal):
    """The player asks for no more time: they did not, or it was answered already."""

    code = "more_time_not_asked"
    status = 409
    sentence = _("This player does not ask for more time, or was answered already.")


class NotThereYet(Refusal):
    """Who has called in is called to a seat once they are there (H2.5: being there is the player's own business)."""

    code = "not_there_yet"
    sentence = _("This player has called in and is not here yet. Check the player in first.")


class ChipsFetched(Refusal):
    """A promised seat is kept for the cage once a call; beyond that it is the floor's grant (H2.6)."""

    code = "chips_fetched"
    status = 409
    sentence = _("The seat was already kept once while this player fetches chips. Grant more time instead.")


class BothRecordsWait(Refusal):
    """Which of two places on one list is the person's, the floor decides."""

    code = "both_records_wait"
    status = 409
    sentence = _("Both records wait for %(game)s. Strike one of them off the list first.")


class PlayerStillWaits(Refusal):
    """Who waits is called by their name."""

    code = "player_still_waits"
    status = 409
    sentence = _("The player waits for %(game)s. Take them off the list first.")
