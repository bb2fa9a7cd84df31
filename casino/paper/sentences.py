"""What the log says of sheets that were printed, and of those that were caught up."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import By, Part, Reader, Values, name_codes, name_things, say
from casino.paper.signers import OVERRULE_WORDS
from tables.charges import cents_name, charge_codes


def _caught_up(args: Values, data: Values) -> Values:
    """Return what hands paid, by kind of charge (`kind:cents`)."""
    paid = [(kind, data.get(cents_name(kind))) for kind in charge_codes()]
    charged = [f"{kind}:{cents}" for kind, cents in paid if cents] or "–"
    # Events of before say nothing of time.
    return {"charged": charged, "time_cents": data.get("time_cents", 0), "is_named": "overrule" in data}


def _sheets(reader: Reader, numbers: set[Any]) -> dict[Any, Part]:
    may = "page.paper" in reader.may
    return {each: Part(str(each), reverse("paper_sheet", args=[each]) if may else "") for each in numbers}


name_things(("sheet",), _sheets)
say(
    {
        "paper.print_sheets": _("Printed to play on by paper: sheets {first_sheet} to {last_sheet}."),
        "paper.catch_up_lists": _(
            "The waiting lists were caught up from sheet {sheet}, signed by {signed_by} too: {lines} lines, {joined}"
            " came on, {called} called, {seated} sat down, {struck} struck."
        ),
        "paper.catch_up": By(
            "is_named",
            {
                False: _(
                    "Table {table} was caught up from sheet {sheet}, signed by {signed_by} too: {hands} hands,"
                    " {charged}, {time_cents} by the time; {sold_cents} sold on paper, {brought_cents} brought,"
                    " {left_cents} taken along."
                ),
                True: _(
                    "Table {table} was caught up from sheet {sheet}, signed by {signed_by} too, whom the floor named"
                    " ({overrule}): {hands} hands, {charged}, {time_cents} by the time; {sold_cents} sold on paper,"
                    " {brought_cents} brought, {left_cents} taken along."
                ),
            },
        ),
    },
    more={"paper.catch_up": _caught_up},
)
name_codes("overrule", OVERRULE_WORDS)
