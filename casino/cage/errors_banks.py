"""What runners' banks refuse, and racks that sell."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class BankSellsToSeats(Refusal):
    """A bank takes cash for chips that a seat has asked for: what is cashed, kept or promised is the cage's."""

    code = "bank_sells_to_seats"
    sentence = _("A runner’s bank sells chips to seats that asked for them, for cash. All else is done at the cage.")


class RackIsNoDrawer(Refusal):
    """A rack sells chips to the seats of its table, for cash: all else is done with drawers."""

    code = "rack_is_no_drawer"
    sentence = _("That is a table’s rack, and no drawer of the cage. Nothing else is done with it here.")


class SoldByNoRack(Refusal):
    """Of drawers and banks nothing is said to have been never sold: their slips are reversed."""

    code = "sold_by_no_rack"
    sentence = _("These chips were not sold from a table’s rack. Their slip is reversed at the cage.")


class NumberOfRacks(Refusal):
    """A slip is found by its drawer's number and its own: racks have numbers that no drawer has."""

    code = "number_of_racks"
    status = 422
    sentence = _("Numbers after %(most)s are those of racks that sell. Drawers and banks have smaller ones.")


class NotABank(Refusal):
    """A drawer of the cage is held by nobody."""

    code = "not_a_bank"
    sentence = _("Drawer %(number)s stands at the cage: no runner holds it.")


class HoldsABank(Refusal):
    """One runner holds one bank at most, so that each difference points to one count."""

    code = "holds_a_bank"
    sentence = _("This runner holds bank %(number)s already. It is counted and closed first.")


class HoldsNoBank(Refusal):
    """Who sells chips at a table sells them out of the bank that they hold."""

    code = "holds_no_bank"
    sentence = _("Whoever sells at a table holds a bank of their own that is open.")


class BankWithoutHolder(Refusal):
    """Whoever answers for a bank sees what goes into it and out of it."""

    code = "bank_without_holder"
    sentence = _(
        "The runner who holds this bank is not among you. What is brought they count with somebody else, and another "
        "carries it; what is taken out of it they hand over, or carry."
    )


class BankCountedSince(Refusal):
    """What a bank sold went to the vault with its count, and another runner may hold the bank now."""

    code = "bank_counted_since"
    sentence = _(
        "The bank that sold these chips was counted since, with their money. Pay the chips out at the cage instead."
    )


class OwnBank(Refusal):
    """A runner neither counts the bank that they held nor stands by."""

    code = "own_bank"
    sentence = _("Whoever held a bank neither counts it nor signs for its count. Two others do.")


class ChipsNotOnWay(Refusal):
    """The cage has not sold these chips, or took them back; or they came, or the house notes no such thing."""

    code = "chips_not_on_way"
    sentence = _("Nobody carries these chips to a seat now. Look at the slip: what became of them stands there.")


class MoneyIsElsewhere(Refusal):
    """Cash that the cage or another runner has is not in this bank."""

    code = "money_is_elsewhere"
    sentence = _("The cage or another runner has the money of this request. It is sold where the money is.")
