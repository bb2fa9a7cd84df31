"""
What is refused where a sheet is caught up: what cannot be read, and what was entered already.

What happened on the felt is never refused: it is recorded, and stands on the floor's to-do where it should not be so.
Each names the line or the seat as the sheet has it, so that it is found again there.
"""

from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal
from casino.people.selectors import staff_names


class SheetCaughtUp(Refusal):
    """A sheet is caught up once. Who signed is kept as ids, and named as they are called now."""

    code = "sheet_caught_up"
    status = 409
    sentence = _("Sheet %(sheet)s was caught up on %(on)s, signed by %(floor)s and %(dealer)s.")

    def named(self) -> dict[str, str]:
        """Return who signed: the `floor` and the `dealer`."""
        names = staff_names([self.data["floor_id"], self.data["dealer_id"]])
        return {who: names.get(self.data[f"{who}_id"], "–") for who in ("floor", "dealer")}


class SignerNotDealer(Refusal):
    """Of the two who sign a sheet one has dealt there. Who could is kept as ids, and named as they are called now."""

    code = "signer_not_dealer"
    sentence = _("Sheet %(sheet)s is signed by who dealt at table %(table)s then, or deals there now: %(dealers)s.")

    def named(self) -> dict[str, str]:
        """Return who could sign, `dealers`."""
        return {"dealers": ", ".join(sorted(staff_names(self.data["dealer_ids"]).values()))}


class NoDealerToSign(Refusal):
    """Nobody can sign who is known to have dealt, and nobody says why another dealer does."""

    code = "no_dealer_to_sign"
    sentence = _(
        "Nobody on shift is known to have dealt at table %(table)s from %(from)s to %(until)s. Write in the down slip"
        " who did, or say why another dealer signs."
    )


class UnreadableOnLine(Refusal):
    """Something on a line cannot be read; `field` names the part of the sheet, `text` is what was typed."""

    code = "unreadable_on_line"
    status = 400
    sentence = _("%(field)s, line %(line)s: “%(text)s” cannot be read, or something is missing beside it.")


class PlayedOnSince(Refusal):
    """The table has gone on in Brush: who sits there, and with what, is what Brush has."""

    code = "played_on_since"
    status = 409
    sentence = _(
        "Table %(table)s has gone on in Brush since %(until)s. Enter who dealt, hands and boxes alone; seats, chips and"
        " the button stand as Brush has them, and are put right there."
    )


class OtherSinceLooked(Refusal):
    """What is signed is not what was looked at."""

    code = "other_since_looked"
    status = 409
    sentence = _("Something was changed after it was looked at. Look again, then sign.")


class NothingOnPaper(Refusal):
    """Everything was left empty."""

    code = "nothing_on_paper"
    sentence = _("Nothing is entered. A sheet on which nothing was written needs no catching up.")


class EndsBeforeItBegan(Refusal):
    """A time that is none; `what` is "outage" or "down", `line` which one."""

    code = "ends_before_it_began"
    sentence = _("%(from)s to %(until)s is no time: it ends before it began, or has not been yet.")


class OutsideTheTime(Refusal):
    """A line of the sheet is of another time than the sheet."""

    code = "outside_the_time"
    sentence = _("Line %(line)s: %(at)s is not between %(from)s and %(until)s.")


class PeriodOutside(Refusal):
    """A period was taken at another time than the sheet's."""

    code = "period_outside"
    sentence = _("Time slip, period %(period)s: %(at)s is not between %(from)s and %(until)s.")


class PeriodTwice(Refusal):
    """A period of the time charge stands on two lines."""

    code = "period_twice"
    sentence = _("Time slip: period %(period)s is entered twice.")


class PeriodKnown(Refusal):
    """Brush has that period itself: taken before it went down, or since."""

    code = "period_known"
    status = 409
    sentence = _(
        "Time slip: Brush has period %(period)s itself, as taken or let go. Leave it out, and look at the others."
    )


class PeriodAhead(Refusal):
    """A period is paid when it begins (H7.18), so its number is wrong, or its time."""

    code = "period_ahead"
    sentence = _("Time slip: period %(period)s begins at %(begins)s, and was not to be paid by %(until)s.")


class NobodyPaid(Refusal):
    """Somebody paid from a seat where nobody sat all the time."""

    code = "nobody_paid"
    sentence = _("Time slip, period %(period)s: nobody sat in seat %(seat_number)s.")


class DeckChangedSince(Refusal):
    """Which deck is in play is what came last, and that is Brush's."""

    code = "deck_changed_since"
    status = 409
    sentence = _(
        "Down slip, line %(line)s: Brush has another deck since %(since)s. Leave the decks of the sheet out: the one in"
        " play is as Brush has it."
    )


class LineTwice(Refusal):
    """A hand is numbered twice."""

    code = "line_twice"
    sentence = _("Drop slip: line %(line)s is entered twice.")


class LineBeyond(Refusal):
    """A hand stands on the drop slip that was not played."""

    code = "line_beyond"
    sentence = _("Drop slip: line %(line)s is filled in, and %(hands)s hands were played.")


class ChipLineTwice(Refusal):
    """Two lines of buy-ins have one number."""

    code = "chip_line_twice"
    sentence = _("Buy-ins, and who came and left: line %(line)s is entered twice.")


class LongerThanADay(Refusal):
    """No sheet is played on for so long: a date is wrong."""

    code = "longer_than_a_day"
    sentence = _("That is more than a day. Look at the times, and at the dates.")


class SeatTwice(Refusal):
    """How a seat stands is said twice."""

    code = "seat_twice"
    sentence = _("Seat %(seat_number)s is entered twice.")


class NoSeatOnSheet(Refusal):
    """The table has no such seat."""

    code = "no_seat_on_sheet"
    sentence = _("There is no seat %(seat_number)s at this table: it has %(seats)s.")


class NobodyInSeat(Refusal):
    """Something is said of a seat where nobody sits."""

    code = "nobody_in_seat"
    sentence = _("Nobody sits in seat %(seat_number)s. Write in a line who came there.")


class NobodyOnLine(Refusal):
    """Chips or a leaving, and nobody whose they were."""

    code = "nobody_on_line"
    sentence = _("Line %(line)s: nobody sat in seat %(seat_number)s then. Write who came there.")


class TakenOnLine(Refusal):
    """Somebody comes to a seat that nobody has left."""

    code = "taken_on_line"
    sentence = _("Line %(line)s: somebody sat in seat %(seat_number)s then. Write in a line before that they left.")


class TwoSeatsOnLine(Refusal):
    """Somebody comes who sits there already."""

    code = "two_seats_on_line"
    sentence = _(
        "Line %(line)s: that player sat in seat %(other_seat)s then. Write in a line before that they left it, with the"
        " chips that went along."
    )


class BuyInWaits(Refusal):
    """A buy-in of that seat waits at the cage by Brush: entered too, it would be sold twice."""

    code = "buy_in_waits"
    status = 409
    sentence = _(
        "Line %(line)s: a buy-in for seat %(seat_number)s waits at the cage already. If it is this one, have the cage"
        " take the money for it and leave the line out; if not, have it called off there first."
    )


class MarkerAndPlays(Refusal):
    """Whoever plays has paid or waited out what was missed (H4.39-H4.42)."""

    code = "marker_and_plays"
    sentence = _(
        "Seat %(seat_number)s: whoever plays owes no missed blind. Take the marker off, or say that they wait."
    )


def clock_time(at: Any, zone: str) -> str:
    """Return a moment as a sheet has it, "21:05"."""
    return f"{at.astimezone(ZoneInfo(zone)):%H:%M}"
