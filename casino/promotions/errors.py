"""What keeps a promotion from going on."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoPromotion(Refusal):
    """The rule book in force has no promotion of that code."""

    code = "no_promotion"
    status = 404
    sentence = _("The rule book has no such promotion.")


class FundTooSmall(Refusal):
    """The fund holds less than was asked of it: a period pays what it promises."""

    code = "fund_too_small"
    sentence = _("The fund has %(free)s, and this takes %(needed)s. Two managers put money in first.")


class PeriodsOverlap(Refusal):
    """A period of the promotion runs at that time already."""

    code = "periods_overlap"
    status = 409
    sentence = _("Another period of this promotion runs at that time.")


class PeriodIsOver(Refusal):
    """It was decided or called off."""

    code = "period_is_over"
    status = 409
    sentence = _("This period has been decided.")


class PeriodStillRuns(Refusal):
    """It is decided once it has ended."""

    code = "period_still_runs"
    sentence = _("The period still runs: it is decided when it has ended.")


class NotInPeriod(Refusal):
    """The hand was shown before the period began or after its end."""

    code = "not_in_period"
    sentence = _("The hand was not shown in this period.")


class GameTakesNoPart(Refusal):
    """The promotion is not played at this game, or not in this variant."""

    code = "game_takes_no_part"
    sentence = _("This promotion is not played at this game.")


class NobodyThere(Refusal):
    """Nobody sits in the seat, or was dealt into the hand there."""

    code = "nobody_there"
    status = 409
    sentence = _("Nobody has a hand in seat %(seat_number)s there.")


class WhichHand(Refusal):
    """It was shown a while ago, and no one logged hand says who sat there then."""

    code = "which_hand"
    sentence = _("Say the number of the hand: who sits there now need not have held it then.")


class HandNotPlayed(Refusal):
    """The hand of that number is not finished, was not logged, or was voided."""

    code = "hand_not_played"
    status = 409
    sentence = _("Hand %(number)s is not finished, was not logged, or was voided.")


class HandStandsNoMore(Refusal):
    """Since it was entered the hand was voided or undone, or another player was dealt in there."""

    code = "hand_stands_no_more"
    status = 409
    sentence = _("Hand %(number)s of table %(table)s was voided or changed since. Take its entry back first.")


class EarlierUndecided(Refusal):
    """What nobody wins goes to the next period: they are decided in their order."""

    code = "earlier_undecided"
    status = 409
    sentence = _("An earlier period of this promotion is not decided yet. Decide it first.")


class HandTooLow(Refusal):
    """The hand is lower than the rules ask for, or plays too few own cards."""

    code = "hand_too_low"
    sentence = _("This hand does not take part: it is too low, or plays too few own cards.")


class HandEntered(Refusal):
    """The same hand stands already."""

    code = "hand_entered"
    status = 409
    sentence = _("This hand is entered already.")


class EntryIsGone(Refusal):
    """The hand was taken back before."""

    code = "entry_is_gone"
    status = 409
    sentence = _("This hand was taken back already.")


class SameEntrant(Refusal):
    """Whoever entered the winning hand, or took one of the period back, does not sign its decision."""

    code = "same_entrant"
    sentence = _("Whoever entered the winning hand or took a hand back cannot approve it. Another manager signs.")


class PrizeStays(Refusal):
    """A prize that waits is not taken away at the cage."""

    code = "prize_stays"
    sentence = _("What was won waits for the player. It cannot be cancelled here.")


class PrizePaid(Refusal):
    """What was paid is first taken back where it was paid."""

    code = "prize_paid"
    status = 409
    sentence = _("A prize of this period was paid by slip %(number)s of drawer %(drawer)s. The cage reverses it first.")


class NotDecided(Refusal):
    """It is open, was called off, or ended by itself: nobody has said who won it."""

    code = "not_decided"
    status = 409
    sentence = _("This period is not decided: there is no decision to take back.")


class LaterDecided(Refusal):
    """Decisions are taken back in the order opposite to the one in which they were made."""

    code = "later_decided"
    status = 409
    sentence = _("A later period of this promotion was decided since. Take that decision back first.")


class CarriedIsGone(Refusal):
    """What nobody won was taken out of the fund meanwhile: it cannot be promised again."""

    code = "carried_is_gone"
    sentence = _("What nobody won in this period was taken out of the fund since. It stays decided.")


class DoneByYourself(Refusal):
    """Whoever noted a splash or asked for a decision does not sign that it is taken back."""

    code = "done_by_yourself"
    sentence = _("Whoever did it cannot sign that it is taken back. Somebody else signs.")


class NoHighHand(Refusal):
    """Hands are entered and decided of high hands alone, and pots splashed of the others."""

    code = "no_high_hand"
    status = 404
    sentence = _("No hands are entered for this promotion.")


class SplashIsOver(Refusal):
    """It was splashed or passed over, or no table is drawn for it yet."""

    code = "splash_is_over"
    status = 409
    sentence = _("This pot is not to be splashed: it was before, or no table is drawn yet.")


class SplashNotNoted(Refusal):
    """Its chips are in no pot as far as the house knows: never noted, or taken back before."""

    code = "splash_not_noted"
    status = 409
    sentence = _("This pot is not noted as splashed: there is nothing to take back.")


class DrawerCountedSince(Refusal):
    """What the drawer had too many was found by its count, and stands there."""

    code = "drawer_counted_since"
    status = 409
    sentence = _("Drawer %(number)s was closed since it gave these chips. What it had too many stands in its count.")


class HandStillCounts(Refusal):
    """Whose hand may win is known until the period is decided and paid."""

    code = "hand_still_counts"
    status = 409
    sentence = _("A hand of this player still counts in a promotion, or its prize is not paid yet.")
