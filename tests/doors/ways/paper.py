"""Printing to play on by paper, and catching up afterwards, by both doors."""

from zoneinfo import ZoneInfo

from casino.paper.models import Printing, Sheet
from casino.paper.services import print_sheets
from casino.people.models import Staff
from tables.models import Down
from tables.services.downs import push_dealer
from tests.cast import demo_person
from tests.doors.way import Finders, NewestOf, Way
from tests.tables.conftest import House

NEWEST: NewestOf = {"printing": Printing}
_ZONE = ZoneInfo("Europe/Helsinki")


def _printed(house: House) -> None:
    house.tap(print_sheets)


def _dealt_and_printed(house: House) -> None:
    # Who deals at a table signs its sheet, whose time has no length here.
    now = Down.objects.filter(table=house.table(1), ended_at=None).first()
    house.tap(push_dealer, table_id=house.table_id(1), dealer_id=house.cast.anna.pk, down_id=now and now.pk)
    _printed(house)


# The times of a sheet have no seconds: the last whole minute before it was walked here.
NAMES: Finders = {
    "sheet": lambda house: Sheet.objects.get(table__number=1, printing=Printing.objects.latest("id")).number,
    "lists": lambda house: Sheet.objects.get(table=None, printing=Printing.objects.latest("id")).number,
    "lists_game": lambda house: house.game().pk,
    "sheet_time": lambda house: f"{house.at.astimezone(_ZONE):%H:%M}",
    "sheet_at": lambda house: house.at.astimezone(_ZONE).replace(second=0, microsecond=0).isoformat(),
    "anna": lambda house: Staff.objects.get(username="anna").pk,
    "anna_pin": lambda house: demo_person("anna").pin,
}

WAYS = [
    Way("/floor/paper/print/", "paper/print"),
    Way(
        "/floor/paper/sheets/{sheet}/catch-up/",
        "paper/sheets/{sheet}/catch-up",
        {
            "from": "{sheet_time}", "until": "{sheet_time}", "hands": "2", "line_2_button": "3",
            "line_2_taken_rake": "4", "line_2_taken_drop": "", "down_1_dealer": "{anna}", "down_1_from": "{sheet_time}",
            "down_1_until": "{sheet_time}", "down_1_deck": "blue", "down_1_set": "3", "down_1_why": "push",
            "chip_1_seat": "9", "chip_1_name": "Riku", "chip_1_chips": "200",
            "chip_1_paid": "cash", "chip_1_slip": "7", "chip_2_seat": "2", "chip_2_left": "counted",
            "chip_2_stack": "12,50", "chip_2_paid": "cash", "chip_3_paid": "cash", "seat_3_stands": "away",
            "seat_3_since": "{sheet_time}", "seat_3_missed": "small", "seat_4_missed": "", "button": "4",
            "username": "anna", "pin": "{anna_pin}",
        },
        {
            "from_at": "{sheet_at}", "until_at": "{sheet_at}", "hands": 2, "button": 4,
            "lines": [{"number": 2, "button": 3, "taken": {"rake": 4_00}}],
            "downs": [{"dealer_id": "{anna}", "began_at": "{sheet_at}", "ended_at": "{sheet_at}"}],
            "decks": [{"number": 1, "at": "{sheet_at}", "colour": "blue", "set_number": 3, "why": "push"}],
            "chips": [
                {"number": 1, "seat_number": 9, "nickname": "Riku", "chips_cents": 200_00, "paid": "cash", "slip": "7"},
                {"number": 2, "seat_number": 2, "left": True, "stack_cents": 12_50},
            ],
            "seats": [{"seat_number": 3, "stands": "away", "away_since": "{sheet_at}", "missed": "small"}],
            "second": {"username": "anna", "pin": "{anna_pin}"},
        },
        before=_dealt_and_printed,
    ),
    Way(
        "/floor/paper/lists/{lists}/catch-up/",
        "paper/lists/{lists}/catch-up",
        {
            "from": "{sheet_time}", "until": "{sheet_time}", "list_1_at": "{sheet_time}", "list_1_game": "{lists_game}",
            "list_1_name": "Newcomer", "list_1_what": "joined", "list_2_at": "{sheet_time}",
            "list_2_game": "{lists_game}", "list_2_name": "Newcomer", "list_2_what": "dropped", "list_2_table": "",
            "list_2_seat": "", "list_3_name": "", "username": "anna", "pin": "{anna_pin}",
        },
        {
            "from_at": "{sheet_at}", "until_at": "{sheet_at}",
            "lines": [
                {"number": 1, "at": "{sheet_at}", "game_id": "{lists_game}", "what": "joined", "nickname": "Newcomer"},
                {"number": 2, "at": "{sheet_at}", "game_id": "{lists_game}", "what": "dropped", "nickname": "Newcomer"},
            ],
            "second": {"username": "anna", "pin": "{anna_pin}"},
        },
        before=_printed,
    ),
]  # fmt: skip
