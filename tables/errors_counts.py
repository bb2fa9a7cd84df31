"""What is refused about stacks that were counted on leaving."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class MoreThanInHand(Refusal):
    """Chips that nobody has are brought where no maximum refuses them: mistyped, mostly. What stands is there."""

    code = "more_than_in_hand"
    status = 409
    sentence = _("%(asked)s is more than all players have in hand: %(limit)s. Count again, or say that it was brought.")


class MoreThanInPlay(Refusal):
    """The stacks at a table come to more than lies in play there: mistyped, mostly. What stands is there."""

    code = "more_than_in_play"
    status = 409
    sentence = _("%(asked)s is more than lies in play at this table: %(limit)s. Count again, or say that it is so.")


class StackMoved(Refusal):
    """What was counted lies at another table now: counted otherwise here alone, the two tables would disagree."""

    code = "stack_moved"
    status = 409
    sentence = _("This stack went along to table %(table_number)s. Take the move back, and move the player anew.")


class StackSigned(Refusal):
    """What two have counted and signed is not changed by one (H1.8, U35)."""

    code = "stack_signed"
    status = 409
    sentence = _(
        "Two have signed for this stack. Take the leaving back; where that is too late, the cage pays the"
        " slip and two reverse it."
    )


class TableNotCounted(Refusal):
    """What is missing at a table is known once all that lies there is counted."""

    code = "table_not_counted"
    status = 422
    sentence = _(
        "What is missing at table %(table_number)s is known once it is closed, or counted through between two hands."
    )


class StacksUncounted(Refusal):
    """A stack that left uncounted is not missing."""

    code = "stacks_uncounted"
    status = 422
    sentence = _("A stack that left table %(table_number)s is not counted yet. Count it first.")
