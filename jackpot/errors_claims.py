"""What keeps a claim from going on."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoJackpotHere(Refusal):
    """The game of this table has no jackpot."""

    code = "no_jackpot_here"
    status = 422
    sentence = _("No jackpot belongs to this game.")


class HandIsClaimed(Refusal):
    """There is a claim about this hand, or an undecided one about another hand of this table."""

    code = "hand_is_claimed"
    status = 409
    sentence = _("A claim of this table is being looked at.")


class ClaimIsOver(Refusal):
    """It was approved, refused or withdrawn."""

    code = "claim_is_over"
    status = 409
    sentence = _("This claim has been decided.")


class ClaimIsVerified(Refusal):
    """Its hand was verified: what was entered stands."""

    code = "claim_is_verified"
    status = 409
    sentence = _("This claim has been verified. It can be approved or refused.")


class CardsNotEntered(Refusal):
    """Nobody has entered the cards yet."""

    code = "cards_not_entered"
    status = 422
    sentence = _("The cards of the hand are entered first.")


class SeatNotDealtIn(Refusal):
    """Cards were entered, or an absence noted, of a seat that was not in the hand."""

    code = "seat_not_dealt_in"
    status = 422
    sentence = _("Seat %(seat_number)s was not in this hand.")


class SeatTwice(Refusal):
    """One seat has two hands, or the hand of a seat whose player was away: one share cannot be two (H7.4)."""

    code = "seat_twice"
    status = 422
    sentence = _("Seat %(seat_number)s is entered twice: a seat has one hand, and who was away has none.")


class HandNotSettled(Refusal):
    """The hand is not settled in the log: nobody knows for certain who was in it."""

    code = "hand_not_settled"
    status = 422
    sentence = _("Hand %(hand_number)s is not settled in the log. Log it first.")


class ChecklistOpen(Refusal):
    """An item of the checklist is still to be done."""

    code = "checklist_open"
    status = 422
    sentence = _("Still to be done on the checklist: %(number)s.")


class ClaimFails(Refusal):
    """By the criteria nothing is paid; it can only be refused."""

    code = "claim_fails"
    status = 422
    sentence = _("By the rules of the jackpot this hand wins nothing.")


class NotVerified(Refusal):
    """Nobody from the floor has verified it yet."""

    code = "claim_not_verified"
    status = 422
    sentence = _("The floor verifies the claim first.")


class HouseDecides(Refusal):
    """The rules leave it to the house, and the manager has not said that it is to be paid (L-P45, A-H7.11)."""

    code = "house_decides"
    status = 422
    sentence = _("The rules leave this claim to the house: the manager confirms that it is paid.")


class EarlierClaimWaits(Refusal):
    """Another claim of this jackpot was hit before it, or may have been: that one is decided first (A-H7.7)."""

    code = "earlier_claim_waits"
    status = 422
    sentence = _("Table %(table_number)s may have hit the jackpot before: its claim is decided first.")


class SameMomentWaits(Refusal):
    """Another claim was hit in the same second, and no rule says which is first: the manager does."""

    code = "same_moment_waits"
    status = 422
    sentence = _("Table %(table_number)s hit the jackpot in the same second. The manager says which claim is first.")


class NeedsManager(Refusal):
    """A hand that qualifies, or that the rules leave to the house, is refused by a manager's signature alone."""

    code = "needs_manager"
    status = 422
    sentence = _("A manager signs that this claim is refused.")


class OwnWitness(Refusal):
    """Who ticks the checklist does not bear witness themselves."""

    code = "own_witness"
    status = 422
    sentence = _("Nobody bears witness to what they check themselves. Name somebody else who saw it.")


class SameVerifier(Refusal):
    """Who verified it does not approve it."""

    code = "same_verifier"
    status = 422
    sentence = _("You verified this claim; somebody else approves it.")


class SumChanged(Refusal):
    """The jackpot's sum is not the one that was shown to who signs."""

    code = "jackpot_sum_changed"
    status = 409
    sentence = _("The jackpot has changed since this was shown. Look again.")


class ShareIsPaid(Refusal):
    """The cage has paid it."""

    code = "share_is_paid"
    status = 409
    sentence = _("This share has been paid.")


class ShareDisputed(Refusal):
    """Somebody else says that it is theirs: nobody is paid until the floor lets it go."""

    code = "share_disputed"
    status = 422
    sentence = _("This share is disputed. See the floor.")


class ShareStays(Refusal):
    """What was won is paid, or waits; nobody takes it away at the cage."""

    code = "share_stays"
    status = 422
    sentence = _("A share of a jackpot waits until it is paid.")


class ClaimStillOpen(Refusal):
    """Whose hand is looked at, and who has won, is known until it is decided and paid."""

    code = "claim_still_open"
    status = 409
    sentence = _("A claim to a jackpot that this player is part of is not decided, or not paid, yet.")
