"""What a dealer does about the jackpot at the table: one tap, and the floor comes."""

from django.utils.translation import gettext_lazy as _

from tables.acts import TableAct

BAD_BEAT = TableAct(
    code="bad_beat",
    command="jackpot.call_bad_beat",
    label=_("Bad beat"),
    why=_("hand %(number)s: the floor comes"),
    ask=_("A bad beat in hand %(number)s? Nothing is dealt until the floor has decided."),
    yes=_("Yes, a bad beat"),
    no=_("No, play on"),
    after=_("Leave all cards as they lie. The floor comes."),
    path="/api/v1/jackpot/tables/{number}/bad-beat",
    # A game that drops belongs to the jackpot.
    is_offered=lambda game: "drop" in game.charges,
)
