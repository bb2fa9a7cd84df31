"""Boxes, by both doors."""

from casino.boxes.models import Box
from tests.acts.boxes import counted_over, dropped
from tests.boxes.hanging import Hanging
from tests.doors.way import NewestOf, Way

NEWEST: NewestOf = {"box": Box}

AT = {"table_number": "1", "charge": "rake"}
AT_TABLE = {"table_number": 1, "charge": "rake"}
WAYS = [
    Way("/boxes/hang/", "boxes/hang", {**AT, "number": "7"}, {**AT_TABLE, "number": 7}),
    Way(
        "/boxes/hang/",
        "boxes/hang",
        {**AT, "number": "8", "instead_of": "{box}"},
        {**AT_TABLE, "number": 8, "instead_of": "{box}"},
        before=lambda h: Hanging(h).hang(7),
        id="changed",
    ),
    Way(
        "/boxes/drop/",
        "boxes/drop",
        {**AT, "box_id": "{box}"},
        {**AT_TABLE, "box_id": "{box}"},
        before=lambda h: Hanging(h).hang(7),
    ),
    Way("/boxes/{box}/take-back/", "boxes/{box}/take-back", version="box", before=dropped),
    Way(
        "/boxes/{box}/count/",
        "boxes/{box}/count",
        {"pieces_100": "3", "pieces_500": "", "username": "frans", "pin": "{pin}"},
        {"pieces": [{"value_cents": 1_00, "count": 3}], "second": {"username": "frans", "pin": "{pin}"}},
        "box",
        dropped,
    ),
    Way("/boxes/{box}/judge/", "boxes/{box}/judge", version="box", before=counted_over),
]
