"""What is refused about racks and tips."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoRackKept(Refusal):
    """The house's book says that no chips lie in the dealers' racks."""

    code = "no_rack_kept"
    status = 422
    sentence = _("This house keeps no rack at its tables: chips come from the cage.")
