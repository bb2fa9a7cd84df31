"""What people call boxes."""

from django.utils.translation import gettext as _

from casino.boxes.models import Box
from tables.charges import charge_codes, kind_of


def box_name(box: Box) -> str:
    """Return what people call a box, in the active language: "Rake box 7"."""
    name = str(kind_of(box.charge).words.box) if box.charge in charge_codes() else box.charge
    if box.number:
        return f"{name} {box.number}"
    text = _("%(box)s, of before it had numbers") if box.is_of_before else _("%(box)s, without a number")
    return text % {"box": name}
