"""What is refused for who a player is: kept apart, out of hours, known by two records."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class PlayersKeptApart(Refusal):
    """The floor has forbidden two players to play at one table; who the other one is, the player's page says."""

    code = "players_kept_apart"
    for_eyes = "read.exclusions"
    sentence = _(
        "Somebody at table %(table_number)s is kept apart from this player. Another table of the game is allowed."
    )


class HoursUsedUp(Refusal):
    """The player has set a limit for a day's hours of play, and it is reached."""

    code = "hours_used_up"
    for_eyes = "read.exclusions"
    sentence = _("This player's own limit of hours is used up. Play goes on the next gaming day.")


class PenaltyRuns(Refusal):
    """The player was removed for a fixed time: `until` by the room's clock, under `clause` where one was named."""

    code = "penalty_runs"
    sentence = _(
        "This player sits out until %(until)s, by a penalty of the floor. The floor can end it in the incident log."
    )


class BothRecordsSit(Refusal):
    """One person does not sit twice: somebody is mistaken, or another person plays under one of the records."""

    code = "both_records_sit"
    status = 409
    sentence = _("Both records sit at a table just now. One of them has to leave before they are joined.")


class RecordStillSits(Refusal):
    """Hands and blinds know a seat by its record, so it is the seated one that is kept."""

    code = "record_still_sits"
    status = 409
    sentence = _(
        "The record to be given up sits at table %(table_number)s, seat %(seat_number)s. Keep that one, or wait until"
        " the player has left."
    )


class PlayerStillSits(Refusal):
    """Who plays is known while they do."""

    code = "player_still_sits"
    status = 409
    sentence = _("The player sits at table %(table_number)s, seat %(seat_number)s. They have to leave first.")
