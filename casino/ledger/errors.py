"""What the ledger refuses."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class PromiseTooSmall(Refusal):
    """A deposit, a pool or a prize pool would go below zero."""

    code = "promise_too_small"
    sentence = _("There is less on that account than this takes. Nothing was moved.")


class VaultShort(Refusal):
    """
    The vault gives what lies in it and no more. How often somebody is told so who may not read that is bounded by the
    cage (`vault_gives`), for its counts are blind.
    """

    code = "vault_short"
    sentence = _("The vault does not hold that much. A manager stocks it first, on the page of the gaming day.")


class NotInChips(Refusal):
    """Chips of that amount do not exist: it is no multiple of the room's smallest."""

    code = "not_in_chips"
    sentence = _("%(asked)s cannot be paid in the chips of this room. Nearest: %(below)s or %(above)s.")


class AlreadyPosted(Refusal):
    """This very thing has been posted before (its key is taken)."""

    code = "already_posted"
    status = 409
    sentence = _("This has been posted already. Nothing was moved again.")


class AlreadyReversed(Refusal):
    """A transfer is reversed at most once."""

    code = "already_reversed"
    status = 409
    sentence = _("This has been reversed already.")


class CountedBlind(Refusal):
    """What somebody holds open they do not read, whatever they manage: it is counted blind."""

    code = "counted_blind"
    status = 403
    sentence = _(
        "It is counted blind, and you opened it, hold it or have moved money there: you read its figures once it is "
        "closed."
    )
