"""What the cage's codes are called by people."""

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from casino.cage.rules import is_onto_deposit

Text = str | Promise

KINDS: dict[str, Text] = {
    "buy_in": _("Buy-in"),
    "cash_out": _("Cash-out"),
    "deposit": _("Deposit"),
    "withdrawal": _("Withdrawal"),
    "fill": _("Fill from the vault"),
    "credit": _("Credit to the vault"),
    "prize": _("Prize"),
}
METHODS: dict[str, Text] = {
    "cash": _("cash"),
    "card": _("card"),
    "deposit": pgettext_lazy("how a slip is paid", "deposit"),
    "voucher": pgettext_lazy("how a slip is paid", "voucher"),
    "foreign": pgettext_lazy("how a slip is paid", "foreign notes"),
    "chips": pgettext_lazy("what the vault gives", "chips"),
}


def how_paid(method: str | None, voucher_number: int | None = None) -> Text:
    """Return by what a slip is paid, a voucher by its number; "" where nothing has paid it yet."""
    if voucher_number is not None:
        return gettext("Voucher %(number)s") % {"number": voucher_number}
    return METHODS[method] if method else ""


def signature_line(kind: str, method: str | None) -> Text:
    """Return what stands under the line where a slip's player signs, "" where nobody does."""
    if is_onto_deposit(kind, method):
        return gettext("Left with the house, signature")
    if kind == "buy_in" and method == "deposit":
        return gettext("Taken off the deposit, signature")
    return gettext("Received, signature") if kind in ("withdrawal", "prize") else ""


# What a person brought and was paid in a gaming day, by `casino.cage.selectors.identity`.
DAY_SUMS: dict[str, Text] = {"in": _("in today"), "out": _("out today"), "both": _("in and out today")}
REASONS: dict[str, Text] = {
    "wrong_amount": _("Wrong amount"),
    "wrong_player": _("Wrong player"),
    "wrong_method": _("Paid another way"),
    "card_declined": _("Card declined"),
    "not_handed_over": _("Never handed over"),
}
# Why something that was open when a day closed is carried over its end.
CARRY_REASONS: dict[str, Text] = {
    "looked_into": _("It is being looked into"),
    "somebody_gone": _("Whoever knows has gone home"),
    "no_time": _("No time left tonight"),
    "nothing_to_find": _("Nothing more can be found out"),
    "plays_on": _("Play goes on there"),
    "under_seal": _("It lies under seal, and is counted later"),
    "not_found": _("It cannot be found"),
    "stays_open": _("It stays open into the next day"),
}

# How a fill slip stands.
FILL_STATUSES: dict[str, str | Promise] = {
    "requested": pgettext_lazy("fill slip", "asked for"),
    "authorised": pgettext_lazy("fill slip", "authorised"),
    "delivered": pgettext_lazy("fill slip", "on its way"),
    "verified": pgettext_lazy("fill slip", "counted there"),
    "refused": pgettext_lazy("fill slip", "called off"),
    "returned": pgettext_lazy("fill slip", "brought back"),
}
FILL_REASONS: dict[str, str | Promise] = {
    "not_needed": _("Not needed any more"),
    "wrong_amount": _("Wrong amount"),
    "wrong_place": _("Wrong place"),
    "not_there": _("Not there to give"),
    "closed": _("Closed meanwhile"),
}

FOUND_WHERE: dict[str, str | Promise] = {
    "table": _("At a table"),
    "floor": _("On the floor of the room"),
    "cage": _("At the cage"),
    "elsewhere": _("Another place in the house"),
}
UNCLAIMED_STATES: dict[str, str | Promise] = {
    "": pgettext_lazy("found", "lies here"),
    "claimed": pgettext_lazy("found", "given to its owner"),
    "kept": pgettext_lazy("found", "kept by the house"),
}
VOUCHER_ORIGINS: dict[str, str | Promise] = {
    "promotion": _("Promotion"),
    "marketing": _("Marketing"),
    "made_good": _("To make something good"),
}
VOUCHER_VOID_REASONS: dict[str, str | Promise] = {
    "lost": _("Lost"),
    "mistake": _("Issued by mistake"),
    "misused": _("Misused"),
}
VOUCHER_STATES: dict[str, str | Promise] = {
    "open": pgettext_lazy("a voucher", "open"),
    "taken": pgettext_lazy("a voucher", "taken"),
    "over": pgettext_lazy("a voucher", "over"),
    "void": pgettext_lazy("a voucher", "void"),
}
EXCHANGE_REASONS: dict[str, str | Promise] = {
    "wrong_amount": _("Wrong amount"),
    "wrong_notes": _("Other notes"),
    "not_taken": _("They were not taken there"),
}
UNNAMED: dict[str, str | Promise] = {
    "bought_today": _("Own chips, bought today"),
    "of_another_day": _("Own chips of another day"),
    "from_another": _("Got from somebody else"),
    "gives_no_name": _("Gives no answer"),
}
# With whom the money of chips is that were asked for, and with whom the chips once they are paid.
MONEY_WITH: dict[str, str | Promise] = {
    "player": pgettext_lazy("the money of a request", "with the player"),
    "dealer": pgettext_lazy("the money of a request", "with the dealer"),
    "runner": pgettext_lazy("the money of a request", "with a runner"),
    "cage": pgettext_lazy("the money of a request", "at the cage"),
}
# Why the cage refuses chips that were asked for, as the floor reads it.
REFUSED_FOR: dict[str, str | Promise] = {
    "card_declined": _("Card declined"),
    "no_money": _("Brought no money"),
    "identity_needed": _("Identity has to be checked first"),
    "own_limit": _("Over the player’s own limit"),
    "nobody_came": _("Nobody came to the cage"),
    "ask_the_cage": _("Another reason: ask the cage"),
}

# What refusals name in their data (`Stale(what="slip")`), looked up when they are said.
THINGS = (
    gettext_noop("slip"),
    gettext_noop("drawer"),
    gettext_noop("player"),
    gettext_noop("count"),
    gettext_noop("gaming day"),
)
