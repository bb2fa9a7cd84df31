"""What a pack proves of people's time, tips, foreign notes, racks and deposits: by rows that its events name."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.utils import translation

from casino import clock
from casino.audit.held import all_held
from casino.cage.labels import CARRY_REASONS, KINDS, METHODS
from casino.cage.services import buy_in, deposit, withdraw
from casino.ledger.chart import CHART
from casino.ledger.selectors.accounts import house_figures
from casino.reports.pack.script.main import FIXED
from casino.reports.sheets import _VENUES
from casino.reports.sheets_cage import _STAGES
from casino.rooms.selectors import open_day
from tables.services.downs import end_down
from tests.audit.sealing import seal
from tests.boxes.hanging import Hanging
from tests.cage.counting import counts_vault
from tests.cage.exchanging import brings_all, exchanges
from tests.cage.filling import Filling
from tests.cage.foreign import notes, rate
from tests.reports.packing import (
    FIRST,
    LOG,
    OF_DAY,
    REPORT,
    Changes,
    changed,
    ends,
    more,
    packed,
    relogged,
    replaced,
    verified,
    without_line,
)
from tests.support.books import fills_in_one_step
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.selling import cleared, sells
from tests.tables.tipping import hand_on, take

pytestmark = [pytest.mark.two_houses, pytest.mark.xdist_group("packs of two days")]
CSV = f"{OF_DAY}report.csv"
# Figures of the report, which become one more, and by what that is found.
MORE: dict[tuple[str, int, str], str] = {
    ("dealers", 0, "downs"): "downs of dealer 3 is 2 there, and 1 by downs and sittings",
    ("dealers", 0, "seconds"): "seconds dealt by dealer 3 is 1804 there, and 1803 by downs and sittings",
    ("tips", 0, "handed_cents"): "tips of dealer 3, handed_cents is 2334 there, and 2333 by slips and counts",
    ("tips", 1, "owed_cents"): "tips of dealer 4, owed_cents is 668 there, and 667 by slips and counts",
    ("tips", 1, "seconds"): "tips of dealer 4, seconds is 903 there, and 902 by downs and sittings",
    ("players", 2, "seconds"): "seconds in a seat of player 4 is 2715 there, and 2714 by downs and sittings",
    ("night", 0, "seats_taken_tenths"): "seats_taken_tenths in stretch 0 of the night is 21 there, and 20 by downs",
    ("night", 0, "seats_tenths"): "seats_tenths in stretch 0 of the night is 100 there, and 99 by the rule book",
    ("foreign_notes", 0, "slips"): "slips of SEK in drawer 1 is 2 there, and 1 by slips and counts",
    ("foreign_notes", 0, "face_cents"): "face_cents of SEK in drawer 1 is 250001 there, and 250000 by slips",
    ("foreign_notes", 0, "counted_face_cents"): "counted_face_cents of SEK in drawer 1 is 250001 there, and 250000",
    ("exchanges", 0, "face_cents"): "face_cents of SEK in exchange 1 is 100001 there, and 100000 by slips",
    ("exchanges", 0, "got_cents"): "got_cents of SEK in exchange 1 is 8001 there, and 8000 by slips and counts",
    ("cash_plays", 0, "slips"): "sold from racks, slips at table 1 by dealer 3 is 2 there, and 1 by slips",
    ("cash_plays", 0, "never"): "sold from racks, never at table 1 by dealer 3 is 1 there, and 0 by slips",
    ("runners", 0, "fills"): "fills of runner 4 is 2 there, and 1 by the postings",
    ("runners", 0, "chips_cents"): "chips of runner 4 is 10001 there, and 10000 by the postings",
    (
        "drawers",
        0,
        "float_chips_cents",
    ): "drawer 1, float of cash and chips is (500000, 2000001) there, and (500000, 20",
    ("vault_counts", 0, "counted_by_id"): "count 1 of the vault, counted_by_id is 6 there, and 5 by slips and counts",
    ("deposits", 0, "count"): "deposits of 0 days and more is 2 there, and 1 by the postings",
}


def stated(kind: str, state: str, becomes: str) -> Callable[[str], str]:
    """Have the first row of a kind in another state, and be another: out of its id and all after it."""
    return lambda rows: re.sub(
        rf"^{kind}\t\t\[(\d+), (.*)\]$", rf"{kind}\t{state}\t{becomes}", rows, count=1, flags=re.M
    )


def with_boxes_carried(content: str) -> str:
    """Have a report say that every box was carried."""
    report = json.loads(content)
    row = {"stage": "counted", "reason": "no_time", "carried_by_id": 1}
    report["carried"] += [{**row, "item": f"box.{pk}"} for pk in range(1, 100)]
    return json.dumps(report)


# What becomes of a pack, and by what that is found.
CHANGES: dict[str, tuple[Changes, str]] = {
    "a down": ({"rows.txt": replaced("4, 1795201213.0", "4, 1795201212.0")}, r"down \d+ is not what its event says"),
    "a sitting": (
        {"rows.txt": lambda rows: re.sub(r"^(sitting\t.*)\.0", r"\1.1", rows, count=1, flags=re.M)},
        r"sitting \d+ is not what its event says",
    ),
    "one sitting less": ({"rows.txt": without_line("sitting\t")}, r"an event names sitting \d+, which is not here"),
    "one down more": (
        {"rows.txt": lambda rows: rows + "down\t\t[900000, 1, 1, 1, 4, 1795202115.000000, 1795202117.000000]\n"},
        "down 900000 is named by no event",
    ),
    **{
        f"a {kind} called open": ({"rows.txt": stated(kind, "open", r"[\1]")}, rf"{kind} \d+ was not open when these")
        for kind in ("slip", "fill", "box", "vault_count")
    },
    "a box called open, and carried": (
        {"rows.txt": stated("box", "open", r"[\1]"), REPORT: with_boxes_carried},
        r"box \d+ was not open when these days were over",
    ),
    "a down called open": ({"rows.txt": stated("down", "open", r"[\1]")}, r"down \d+ cannot be open over a day's end"),
    "a count called open": (
        {"rows.txt": stated("count", "open", r"[\1]")},
        r"count \d+ cannot be open over a day's end.* drawer 1 was counted there, and by no count here",
    ),
    "tips counted otherwise, called later": (
        {"rows.txt": stated("tip_count", "later", r"[\1, 9\2]")},
        r"tip_count \d+ is not what its event says",
    ),
    "tips to payroll otherwise, called later": (
        {"rows.txt": stated("tip_payroll", "later", r"[\1, 9\2]")},
        r"tip_payroll \d+ is not what its event says",
    ),
    "a cell of the CSV": (
        {CSV: replaced("3,1,1803,", "3,1,1804,")},
        "dealers, row 1, dealt_seconds is 1804 there, and 1803 in the report",
    ),
    "one row of the CSV less": ({CSV: without_line("1,SEK,1,2500")}, "foreign_notes has 0 rows, and the report 1"),
    "one table of the CSV less": (
        {CSV: lambda content: re.sub(r"exchanges,.*?\r?\n\r?\n", "", content, flags=re.DOTALL)},
        "report.csv has no exchanges",
    ),
    "a word of the CSV": (
        {CSV: replaced("Buy-in,cash", "Deposit,cash")},
        "slips, row 3, kind is “Deposit”, which elsewhere stands for something else",
    ),
    "a number among words": (
        {CSV: replaced("0 to 30 days", "0 to 365 days")},
        r"deposits, row 1, age is \[0, 365\] there, and \[0, 30\] in the report",
    ),
    "what an account is called": (
        {CSV: replaced("House,chips in the vault", "House,chips issued")},
        "account is “chips issued”, and is called otherwise in chart.csv",
    ),
    "a promise that the chart calls none": (
        {"chart.csv": replaced("player,deposit,money,1", "player,deposit,money,0")},
        "chart.csv says otherwise whether player deposit is a promise",
    ),
    "a venue": ({REPORT: replaced('"venue": "casino"', '"venue": "hall"')}, "venue is hall there, and casino by the"),
    "a nickname": ({REPORT: replaced('"nickname": "1"', '"nickname": "Lee"')}, "player 1 is called Lee there"),
    "whose over or short it is": (
        {REPORT: lambda report: re.sub(r'(drawer_sums.*?"number": )1', r"\g<1>2", report, count=1, flags=re.DOTALL)},
        "what drawers were over or short of is not told of each of its drawers",
    ),
    "another beginning of the CSV": ({CSV: replaced("differs,0", "differs,1")}, "report.csv begins otherwise"),
}
_made: list[tuple[bytes, bytes]] = []


@pytest.fixture
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[bytes, bytes]:
    """Return packs of two days, made once: on the first one much is dealt, tipped, sold and left."""
    if not _made:
        house = request.getfixturevalue("house")
        _made.append(two_days(house, tmp_path))
    return _made[0]


def two_days(house: House, folder: Path) -> tuple[bytes, bytes]:
    """Deal by two dealers, with tips of their own and pooled; sell from the rack; take kronor; keep deposits."""
    racking, cast, lee = Racking(house), house.cast, house.player("Lee").pk
    with clock.frozen(house.at):
        sealer = seal(folder, None)
    fills_in_one_step(house.room_id)
    racking.begin(500, sells="true")
    racking.push(cast.anna)
    house.seat("Mika", 5, chips=0)
    sells(house)
    down = racking.push(cast.dan)
    house.at += timedelta(minutes=15)
    take(house, 35)
    day = open_day(house.room_id)
    house.tap(end_down, table_id=house.table_id(), down_id=down.pk)
    hand_on(house, 35_00, day)
    take(house, 20, cast.anna)
    at_cage(house, deposit, 250_00, player_id=lee)
    rate(cast.mari, at=house.at)
    at_cage(house, buy_in, 217_00, method="foreign", player_id=lee, foreign=notes((1000, 2), (500, 1)))
    cleared(house, 400, 100)
    fill_box_and_vault(house)
    ends(house)
    brings_all(house, (1000, 2), (500, 1))
    house.at += timedelta(seconds=1)
    exchanges(cast.mari, cast.frans, (1000, 1), got=80_00, at=house.at)
    close(house, folder, sealer)
    one = packed(house, FIRST, FIRST)
    house.next_day(days=40)
    second = house.at.date()
    house.open_drawer(1_000_00)
    at_cage(house, deposit, 100_00, player_id=lee)
    at_cage(house, withdraw, 200_00, player_id=lee)
    at_cage(house, deposit, 60_00, player_id=house.player("Kai").pk)
    house.close_drawer()
    close(house, folder, sealer)
    return one, packed(house, second, second)


def fill_box_and_vault(house: House) -> None:
    """Have a fill brought by a runner, an empty box hung, dropped and counted, and the vault counted as it lies."""
    filling, boxes = Filling(house.cast, at=house.at), Hanging(house)
    filling.counts(filling.sent(chips=100_00), chips=100_00)
    box = boxes.hang(7)
    boxes.drop()
    boxes.count(box, 0)
    lies = house_figures(house.room_id)
    counts_vault(house.cast.carla, house.cast.mari, lies["vault_cash"], lies["vault_chips"], at=house.at)


def at_cage(house: House, service: Callable[..., Any], cents: int, **arguments: Any) -> None:
    house.tap(service, house.cast.carla, drawer_id=house.drawer_id, amount_cents=cents, **arguments)


def close(house: House, folder: Path, sealer: Any) -> None:
    with clock.frozen(house.at):
        house.close_day()
        seal(folder, sealer)


def test_figures_of_people_and_the_cage_follow_from_rows_that_events_name(both: tuple[bytes, bytes]) -> None:
    def change(content: str) -> str:
        report = json.loads(content)
        for part, row, name in MORE:
            report[part][row][name] += 1
        return json.dumps(report)

    audits = [verified(pack) for pack in both]
    found = " · ".join(verified(changed(both[0], {REPORT: change})).wrong)

    assert [audit.wrong for audit in audits] == [[], []]
    assert [
        sentence for sentence in audits[0].unproved if "No digest" not in sentence and "No key" not in sentence
    ] == []
    assert [says for says in MORE.values() if says not in found] == [], found


@pytest.mark.slow
def test_what_people_and_the_cage_did_on_two_days_is_proved_in_every_house(house: House, tmp_path: Path) -> None:
    assert [verified(pack).wrong for pack in two_days(house, tmp_path)] == [[], []]


@pytest.mark.parametrize(("changes", "says"), CHANGES.values(), ids=CHANGES)
def test_rows_of_people_and_the_csv_cannot_be_others(both: tuple[bytes, bytes], changes: Changes, says: str) -> None:
    found = verified(changed(both[0], changes)).wrong

    assert re.search(says, " · ".join(found)), found


def test_a_row_that_cannot_be_read_is_complained_of_once(both: tuple[bytes, bytes]) -> None:
    found = verified(changed(both[0], {"rows.txt": stated("slip", "later", r"[\1]")})).wrong

    assert [each for each in found if "columns" in each or "read" in each] == [
        each for each in found if "slip" in each
    ][:1]
    assert re.fullmatch(r"slip \d+ has 1 columns, and not 27", found[0])


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_a_word_of_the_csv_stands_for_one_thing_in_every_language(language: str) -> None:
    with translation.override(language):
        words = [[str(word) for word in of.values()] for of in (KINDS, METHODS, _STAGES, _VENUES, CARRY_REASONS)]
        words.append([str(owner.words) for owner in CHART.values()])
        for owner, unit in product(CHART.values(), ("money", "chips")):
            words.append([str(kind.words) for kind in owner.accounts.values() if kind.unit == unit])

    assert [of for of in words if len(set(of)) < len(of)] == []


def test_rows_that_cannot_be_later_are_of_tables_that_never_change() -> None:
    helds = {held.kind: re.findall(r"\w+", held.table) for held in all_held() if held.kind in FIXED}
    models = {model._meta.db_table: model for model in apps.get_models()}

    assert helds.keys() == FIXED
    found = {
        kind: [getattr(models[word], "may_change", None) for word in words if word in models]
        for kind, words in helds.items()
    }
    assert found == {kind: [()] for kind in FIXED}


def test_since_when_deposits_lie_is_proved_by_the_pack_before(both: tuple[bytes, bytes], tmp_path: Path) -> None:
    one, two = both
    before = tmp_path / "before.zip"
    before.write_bytes(one)
    unproved = "Since when 1 deposits of before these days lie: the pack before proves it (--before)."
    # Half an hour later, or as much less of it; and so much later that it would be of another age.
    later, less, new = (
        changed(two, {"deposits.csv": change})
        for change in (
            replaced("T19:15", "T19:45"),
            replaced(",25000,", ",24999,"),
            replaced("2026-11-20T", "2026-12-20T"),
        )
    )

    assert unproved in verified(two).unproved
    with_before = verified(two, before=before)
    assert (with_before.wrong, unproved in with_before.unproved) == ([], False)
    assert (with_before.proved["deposits"], verified(later).wrong) == (1, [])
    (otherwise,) = verified(later, before=before).wrong
    assert re.fullmatch(r"deposits on account \d+ do not lie as the pack before left them", otherwise)
    assert any(sentence.endswith("lie there as 24999, and it opens with 25000") for sentence in verified(less).wrong)
    assert any("deposits of 31 days and more is 1 there, and 0 by" in sentence for sentence in verified(new).wrong)


def test_packs_of_before_say_what_they_do_not_prove_of_people(both: tuple[bytes, bytes]) -> None:
    def names_none(event: dict[str, Any]) -> None:
        for kind in ("down", "sitting"):
            event.get("rows", {}).pop(kind, None)
        event.get("data", {}).pop("stands", None)

    def without_rows(content: str) -> str:
        return "".join(line for line in content.splitlines(keepends=True) if not line.startswith(("down", "sitting")))

    # The house has upgraded since: its packs have rows that no event names. And a pack that it made before.
    log: Changes = {LOG: lambda log: relogged(log, names_none), "seals.txt": lambda _: ""}
    upgraded = verified(changed(both[0], log))
    old: Changes = {
        "rows.txt": without_rows, "deposits.csv": None, "manifest.json": replaced('"format": 3', '"format": 2'),
    }  # fmt: skip
    before = verified(changed(both[0], {**log, **old}))

    for audit in (upgraded, before):
        assert [sentence for sentence in audit.wrong if "is in no seal" not in sentence] == []
    unproved = " · ".join(upgraded.unproved)
    assert "5 rows are of before the log named rows." in unproved
    assert (
        f"Of {FIRST} the digest alone binds how long each dealer dealt, and each dealer’s share of the tips" in unproved
    )
    assert f"Of {FIRST} the digest alone binds how long each player sat, and seats taken through the night" in unproved
    assert (
        f"The pack is of before it had what proves of the report of {FIRST} how long each dealer dealt, "
        in " · ".join(before.unproved)
    )


# A row that is said to be of another day now, what is not proved then, and a figure of that.
LATER = {
    "down": (
        r"[\1, 1, 1, 900000, 4, 1.000000, 2.000000]",
        "how long each dealer dealt, and each dealer’s share of the tips",
        ("tips", "owed_cents", "cents"),
    ),
    "sitting": (
        r"[\1, 1, 1, 4, 1.000000, 2.000000]",
        "how long each player sat, and seats taken through the night",
        ("night", "seats_taken_tenths"),
    ),
}


@pytest.mark.parametrize("kind", LATER)
def test_what_was_changed_later_is_named_with_all_that_hangs_on_it(both: tuple[bytes, bytes], kind: str) -> None:
    becomes, what, figure = LATER[kind]
    rows = stated(kind, "later", becomes)

    audit = verified(changed(both[0], {"rows.txt": rows, REPORT: more(*figure)}))
    # What went to payroll needs no down.
    handed = verified(changed(both[0], {"rows.txt": rows, REPORT: more("tips", "handed_cents")}))

    sentence = (
        f"Of {FIRST} the digest alone binds {what}: such rows were changed again later, and how they stood is lost."
    )
    assert sentence in audit.unproved
    assert [each for each in audit.wrong if "report.csv" not in each] == []
    assert any(MORE["tips", 0, "handed_cents"] in each for each in handed.wrong)


def test_seats_of_a_game_that_no_rule_book_has_are_named(both: tuple[bytes, bytes]) -> None:
    def change(content: str) -> str:
        report = json.loads(content)
        report["openings"][0]["game"] = "Badugi"
        return json.dumps(report)

    sentence = "binds how many seats there were through the night: no rule book here has Badugi."
    assert f"Of {FIRST} the digest alone {sentence}" in verified(changed(both[0], {REPORT: change})).unproved
