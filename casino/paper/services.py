"""Printing what a room needs to play on by paper, and keeping what was caught up from it."""

from collections.abc import Mapping
from typing import Any

from casino.commands.carrying_out import Command, Outcome, service
from casino.paper.entered import Entered
from casino.paper.facts import ListsFacts, TableFacts, as_json
from casino.paper.lists_entered import ListsEntered
from casino.paper.models import CaughtUp, Printing, Sheet, SheetNumbers
from casino.paper.selectors import room_on_paper
from tables.models import Opening, Table


@service("paper.print_sheets")
def print_sheets(command: Command) -> Outcome:
    """
    Give a number to each sheet that the room needs to play on by paper, and keep what stands on it.

    One sheet has the waiting lists, and each open table has one. A number never comes again in the room: whoever
    prints once more gets new sheets. It takes no gaming day, for it is printed before one opens, too.
    """
    numbers = lock_numbers(command.room_id)
    on_paper = room_on_paper(command.room_id)
    printing = Printing.objects.create(room_id=command.room_id, printed_at=command.at, printed_by_id=command.staff_id)
    pages: list[tuple[Table | None, Opening | None, TableFacts | ListsFacts]]
    pages = [(None, None, on_paper.lists), *on_paper.tables]
    sheets = [
        Sheet(
            room_id=command.room_id, printing=printing, number=number, table=table, opening=opening,
            facts=as_json(facts),
        )
        for number, (table, opening, facts) in enumerate(pages, start=numbers.given + 1)
    ]  # fmt: skip
    Sheet.objects.bulk_create(sheets)
    numbers.given = sheets[-1].number
    numbers.save(update_fields=["given"])
    return Outcome(
        chain="paper",
        data={
            "printing": printing.pk,
            "first_sheet": sheets[0].number,
            "last_sheet": sheets[-1].number,
            "sheets": [{"number": each.number, "table": each.table.number if each.table else None} for each in sheets],
        },
    )


def lock_numbers(room_id: int) -> SheetNumbers:
    """Return the room's numbers of sheets, locked: of two who print or catch lists up the later one waits."""
    numbers = SheetNumbers.objects.select_for_update(no_key=True).filter(room_id=room_id).first()
    if numbers is None:
        # The first time in this room: of two at once one waits here for the other's row.
        SheetNumbers.objects.bulk_create([SheetNumbers(room_id=room_id)], ignore_conflicts=True)
        numbers = SheetNumbers.objects.select_for_update(no_key=True).get(room_id=room_id)
    return numbers


def keep_caught_up(
    command: Command, sheet: Sheet, entered: Entered | ListsEntered, figures: Mapping[str, Any], *, dealer_id: int
) -> None:
    """Keep what was entered of a sheet and what came of it, signed by who enters it and by `dealer_id`."""
    CaughtUp.objects.create(
        room_id=command.room_id,
        sheet=sheet,
        caught_up_at=command.at,
        floor_id=command.staff_id,
        dealer_id=dealer_id,
        from_at=entered.from_at,
        until_at=entered.until_at,
        entered=as_json(entered),
        figures=figures,
    )
