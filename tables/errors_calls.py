"""What is refused about calls to a seat."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class ChipsFetched(Refusal):
    """A promised seat is kept for the cage once a call; beyond that it is the floor's grant (H2.6)."""

    code = "chips_fetched"
    status = 409
    sentence = _("The seat was already kept once while this player fetches chips. Grant more time instead.")
