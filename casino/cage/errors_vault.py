"""Refusals of the vault's count."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class VaultMoved(Refusal):
    """What lies in the vault is counted while nothing goes in or out."""

    code = "vault_moved"
    status = 409
    sentence = _(
        "Something went into the vault or out of it since this count began. Open the page anew, and count it again."
    )


class VaultCountedFirst(Refusal):
    """A vault that was too short that often gives nothing more, whatever the sum: else sums tell what lies there."""

    code = "vault_counted_first"
    status = 409
    sentence = _(
        "The vault was too short too often tonight for what it was to give. Two count it first, or somebody who reads "
        "the books brings it."
    )


class BothReadBooks(Refusal):
    """A count is blind: whoever can look up what the vault should hold stands by while somebody else counts."""

    code = "both_read_books"
    sentence = _(
        "Both of you can read in the books what the vault should hold. One of the two who count it must not know."
    )


class VaultCountedBefore(Refusal):
    """A count is blind: who was there at the last one has read what was expected."""

    code = "vault_counted_before"
    sentence = _(
        "Whoever counted the vault last on this gaming day, or stood by, does not count it the next time: "
        "they know what was expected. Somebody else counts it."
    )


class OwnVaultCount(Refusal):
    """Whoever counted does not judge what differs."""

    code = "own_vault_count"
    sentence = _("Who counted the vault does not judge what differs there. Somebody else of the floor does.")
