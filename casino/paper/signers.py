"""Who signs a table's sheet as its dealer: who dealt there, or whom the floor names where nobody of those can."""

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.errors import Malformed
from casino.paper.entered import DownLine, Entered
from casino.paper.errors import NoDealerToSign, SignerNotDealer, clock_time
from casino.paper.models import Sheet
from casino.people.models import Staff
from casino.people.standing import may_sign
from tables.models import Down, Table

# What the second person under a sheet must be allowed to do.
NEEDS = "paper.sign_catch_up"
# Why the floor names a dealer whom nothing shows to have dealt there. Codes are stored; nothing free about people is.
OVERRULE_WORDS: dict[str, str | Promise] = {
    "not_signed_in": _("Dealt there without being signed in"),
    "gone_home": _("Whoever dealt there has gone home"),
    "manager": _("The manager decided"),
}


def who_dealt(sheet: Sheet, table: Table, entered: Entered) -> set[int]:
    """
    Return who may sign a sheet as its dealer, by id: who dealt there in its time, by its down slip or by Brush, and who
    deals there now or did last. One query.
    """
    assert sheet.opening is not None, "a table's sheet has its opening"
    downs = Down.objects.filter(Q(ended_at=None) | Q(ended_at__gte=sheet.opening.opened_at), table=table)
    in_log = list(downs.order_by("began_at", "id"))
    # A line without any of its time would name anybody.
    known: list[Down | DownLine] = [*in_log, *(line for line in entered.downs if line.began_at < line.ended_at)]
    then = [
        down
        for down in known
        if down.began_at <= entered.until_at and (down.ended_at is None or down.ended_at >= entered.from_at)
    ]
    return {down.dealer_id for down in (*then, *in_log[-1:])}


def dealers_to_sign(sheet: Sheet, table: Table, entered: Entered, *, floor_id: int | None) -> list[Staff]:
    """Return those of `who_dealt` who are on shift and may sign beside who enters it, by name. Two queries."""
    dealt = who_dealt(sheet, table, entered)
    return [each for each in may_sign(sheet.room_id, needs=NEEDS, without={floor_id}) if each.pk in dealt]


def check_signer(
    sheet: Sheet, table: Table, entered: Entered, *, floor_id: int | None, signer_id: int, overrule: str, zone: str
) -> str:
    """
    Check that a sheet is signed by who dealt, and return why the floor named another: "" where it did not.

    `overrule` is one of `OVERRULE_WORDS`, "" where no reason is given; it is none where whoever signs has dealt there.

    :raises Malformed: there is no such reason.
    :raises SignerNotDealer: another signs, and somebody who dealt there could.
    :raises NoDealerToSign: nobody could who is known to have dealt there, and it is not said why another signs.
    """
    if overrule and overrule not in OVERRULE_WORDS:
        raise Malformed(field="overrule")
    if signer_id in who_dealt(sheet, table, entered):
        return ""
    if dealers := dealers_to_sign(sheet, table, entered, floor_id=floor_id):
        raise SignerNotDealer(sheet=sheet.number, table=table.number, dealer_ids=[each.pk for each in dealers])
    if not overrule:
        bounds = {"from": clock_time(entered.from_at, zone), "until": clock_time(entered.until_at, zone)}
        raise NoDealerToSign(table=table.number, **bounds)
    return overrule
