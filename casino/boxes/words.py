"""What people call boxes."""

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.boxes.models import Box, BoxCount
from tables.charges import charge_codes, kind_of

# Why a box that is counted has no number.
NO_NUMBER_REASONS: dict[str, str | Promise] = {
    BoxCount.Reason.NONE_HUNG: _("No box hung there"),
    BoxCount.Reason.NOT_ENTERED: _("A box hung there, and nobody entered it"),
    BoxCount.Reason.LATE: _("It was logged after the box was taken down"),
}


def box_name(box: Box) -> str:
    """Return what people call a box, in the active language: "Rake box 7"."""
    name = str(kind_of(box.charge).words.box) if box.charge in charge_codes() else box.charge
    if box.number:
        return f"{name} {box.number}"
    text = gettext("%(box)s, of before it had numbers") if box.is_of_before else gettext("%(box)s, without a number")
    return text % {"box": name}
