"""What is said of promotions, in the reader's language."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.promotions.models import Entry, Period, Splash

Text = str | Promise
STATUSES: dict[str, Text] = {
    Period.Status.OPEN: pgettext_lazy("period", "open"),
    Period.Status.WON: pgettext_lazy("period", "won"),
    Period.Status.UNWON: pgettext_lazy("period", "not won"),
    Period.Status.CALLED_OFF: pgettext_lazy("period", "called off"),
    Period.Status.DONE: pgettext_lazy("period", "over"),
}
CALLED_OFF_FOR: dict[str, Text] = {
    Period.Reason.MISTAKE: _("It was opened by mistake"),
    Period.Reason.NO_GAMES: _("No such game is played"),
    Period.Reason.TROUBLE: _("Something went wrong in the room"),
}
TAKEN_BACK_FOR: dict[str, Text] = {
    Entry.Reason.CARDS: _("The cards were others"),
    Entry.Reason.PLAYER: _("It was somebody else’s hand"),
    Entry.Reason.DOES_NOT_COUNT: _("The hand does not count"),
}
DECISION_BACK_FOR: dict[str, Text] = {
    Period.BackFor.WRONG_HAND: _("A hand is missing, or was entered wrongly"),
    Period.BackFor.WRONG_TAP: _("It was tapped by mistake"),
}
SPLASH_BACK_FOR: dict[str, Text] = {
    Splash.BackFor.NOT_IN_POT: _("The chips were not put into the pot"),
    Splash.BackFor.WRONG_TAP: _("It was tapped by mistake"),
}
PASSED_FOR: dict[str, Text] = {
    Splash.Reason.NO_TABLES: _("No table played"),
    Splash.Reason.TABLE_BROKE: _("The table broke up"),
    Splash.Reason.TROUBLE: _("Something went wrong in the room"),
}
SPLASHES: dict[str, Text] = {
    Splash.Status.COMING: pgettext_lazy("splash pot", "to come"),
    Splash.Status.DRAWN: pgettext_lazy("splash pot", "table drawn"),
    Splash.Status.SPLASHED: pgettext_lazy("splash pot", "splashed"),
    Splash.Status.PASSED: pgettext_lazy("splash pot", "passed over"),
    Splash.Status.CALLED_OFF: pgettext_lazy("splash pot", "called off"),
}
