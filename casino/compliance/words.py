"""What the codes of the compliance officer's desk are called by people."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Text = str | Promise

KINDS: dict[str, Text] = {
    "together": _("In parts up to the sum"),
    "just_below": _("Several just below the sum"),
    "little_played": _("Much bought, little played"),
    "other_means": _("Paid in one way, paid out another"),
    "unnamed": _("Unnamed, just below the sum"),
}
MARKS: dict[str, Text] = {
    "noted": pgettext_lazy("a finding", "a note only"),
    "looked_at": pgettext_lazy("a finding", "looked at"),
    "explained": pgettext_lazy("a finding", "explained"),
    "reported": pgettext_lazy("a finding", "reported to the authority"),
    "reopened": pgettext_lazy("a finding", "opened again"),
}
# How a finding stands: as its newest mark says, or as nobody has said yet.
STATES: dict[str, Text] = {
    "new": pgettext_lazy("a finding", "new"),
    "grown": pgettext_lazy("a finding", "more slips since it was looked at"),
    **{code: words for code, words in MARKS.items() if code != "noted"},
}
REASONS: dict[str, Text] = {
    "books": _("Seen in the books"),
    "told": _("Told by staff"),
    "authority": _("Asked by the authority"),
    "corrects": _("Corrects a note"),
}
