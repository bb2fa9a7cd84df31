"""A player's page and the calls beside it; and what screens that players read say of all that: nothing."""

import json
import re
import uuid
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from casino import clock
from casino.cage.services import deposit
from casino.ledger.templatetags.money import money
from casino.live.render import fragment
from casino.people.models import Exclusion, KeptApart, OwnLimit, Player, Staff
from casino.people.services import ban_player, exclude_by_own_wish, keep_apart, set_own_limit
from casino.people.standing import player_card
from tables.models import Seating
from tests.cast import demo_person, enrolled
from tests.hostile.planted import by_token
from tests.tables.conftest import House
from tests.tables.test_merging_players import PIN, second_manager
from tests.taps import at_desktop, on_device, tap

pytestmark = pytest.mark.two_houses
WHY = "Marked cards on Friday"
# The licence's: of every book.
CLAUSE = "L-P45"


@pytest.fixture(autouse=True)
def tonight(house: House):
    with clock.frozen(house.at):
        yield


def path(house: House, nickname: str = "Timo", act: str = "") -> str:
    return f"/people/players/{house.player(nickname).pk}/{act}"


def page(house: House, staff: Staff, nickname: str = "Timo") -> str:
    answer = at_desktop(staff).get(path(house, nickname))
    assert answer.status_code == 200
    return str(answer.content.decode())


def call(house: House, staff: Staff, where: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
    # At a desktop: no program signs.
    headers, client = {"Idempotency-Key": str(uuid.uuid4())}, at_desktop(staff)
    if body is None:
        answer = client.get(f"/api/v1/people/{where}", headers=headers)
    else:
        answer = client.post(
            f"/api/v1/people/{where}", json.dumps(body), content_type="application/json", headers=headers
        )
    return answer.status_code, answer.json()


def test_an_empty_page_says_what_may_be_done(house):
    html = page(house, house.cast.mari)

    for sentence in ("Nothing keeps this player from playing.", "Plays with everybody.", "Not seen today.", "no limit"):
        assert sentence in html
    assert 'hx-post="/people/exclusions/' not in html


@pytest.mark.helsinki
@pytest.mark.rule("H1.76")
def test_the_reason_is_read_by_the_manager_and_the_kind_by_floor_and_cashier(house):
    house.tap(ban_player, player_id=house.player("Timo").pk, clause="H1.76", reason=WHY)

    for staff in (house.cast.frans, house.cast.carla):
        html = page(house, staff)
        assert "Banned · H1.76" in html
        assert WHY not in html
    assert WHY in page(house, house.cast.mari)
    listed = at_desktop(house.cast.frans).get("/people/players/").content.decode()
    assert listed.count("may not play") == 1
    assert at_desktop(house.cast.anna).get(path(house)).status_code == 403


def test_money_of_a_player_is_told_to_the_cage_alone(house):
    house.open(1, Lee=1, Timo=3)
    args = {"drawer_id": house.drawer_id, "player_id": house.player("Timo").pk, "amount_cents": 120_00}
    house.tap(deposit, house.cast.carla, **args)

    assert f"{money(120_00, house.cast.room)} on deposit" in page(house, house.cast.carla)
    floor = page(house, house.cast.frans)
    assert "on deposit" not in floor
    assert "sits at table 1, seat 3, since 20:00" in floor


def test_every_tap_of_the_page_answers_with_the_fresh_page(house):
    floor, mari = at_desktop(house.cast.frans), at_desktop(house.cast.mari)
    timo, lee = house.player("Timo"), house.player("Lee")

    tap(floor, path(house, act="limit/"), kind="buy_in", amount="200")
    raised = tap(floor, path(house, act="limit/"), kind="buy_in", amount="").content.decode()
    tap(floor, path(house, act="limit/"), kind="hours", amount="3,5")
    assert "no limit from the next gaming day" in raised
    # Three in digits of another script: neither three minutes nor three hours.
    assert tap(floor, path(house, act="limit/"), kind="hours", amount="\uff13").status_code == 400
    assert set(OwnLimit.objects.values_list("kind", "amount")) == {("buy_in", 200_00), ("buy_in", None), ("hours", 210)}

    apart = tap(floor, path(house, act="apart/"), other_id=lee.pk).content.decode()
    assert "kept apart from 1" in apart
    pair = KeptApart.objects.get()
    assert "Plays with everybody" in tap(floor, path(house, act=f"apart/{pair.pk}/end/")).content.decode()

    own: dict[str, Any] = {"kind": "own", "last_day": "2026-12-31"}
    assert "excluded by own wish" in tap(floor, path(house, act="exclude/"), **own).content.decode()
    assert tap(floor, path(house, act="exclude/"), kind="own").status_code == 400
    banned = tap(floor, path(house, act="exclude/"), kind="ban", last_day="", clause=CLAUSE)
    assert "until it is lifted" in banned.content.decode()
    assert tap(floor, path(house, act="exclude/"), kind="ban", clause="H99.1").status_code == 400

    ban = Exclusion.objects.get(kind="ban")
    signed: dict[str, Any] = {"username": "frans", "pin": demo_person("frans").pin}
    assert tap(floor, f"/people/exclusions/{ban.pk}/lift/", **signed).status_code == 403
    lifted = tap(mari, f"/people/exclusions/{ban.pk}/lift/", **signed).content.decode()
    assert "lifted" in lifted
    assert "by Mari and Frans" in lifted
    refused = tap(mari, f"/people/exclusions/{Exclusion.objects.get(kind='own').pk}/lift/", **signed)
    assert refused.status_code == 422
    assert "Nobody lifts it before its end. The last day is 31 December 2026." in refused.content.decode()
    assert Player.objects.get(pk=timo.pk).is_watched


def test_a_merge_is_a_managers_tap_with_a_second_managers_pin(house):
    second_manager(house)
    mari, kai = at_desktop(house.cast.mari), house.player("Kai")
    found = mari.get(path(house, act="others/"), {"q": "ka"}).content.decode()
    assert f'value="{kai.pk}"' in found
    assert "Miro" in page(house, house.cast.mari)
    assert "Merge" not in page(house, house.cast.frans)

    wrong = tap(mari, path(house, act="merge/"), other_id=kai.pk, username="frans", pin=demo_person("frans").pin)
    unchosen = tap(mari, path(house, act="merge/"), username="miro", pin=PIN)
    done = tap(mari, path(house, act="merge/"), other_id=kai.pk, username="miro", pin=PIN)

    assert "“Player” is missing" in unchosen.content.decode()
    assert (wrong.status_code, unchosen.status_code, done.status_code) == (422, 400, 200)
    assert "does not allow signing this" in wrong.content.decode()
    assert "Kai was merged into this record" in done.content.decode()
    assert mari.get(path(house, "Kai")).status_code == 404


def test_the_calls_do_what_the_page_does(house):
    frans, mari = house.cast.frans, house.cast.mari
    timo, lee = house.player("Timo").pk, house.player("Lee").pk
    second_manager(house)
    assert call(house, frans, f"players/{timo}/limits", {"kind": "hours", "amount": 240})[1]["data"]["holds"] == "now"
    assert call(house, frans, "kept-apart", {"player_ids": [timo, lee]})[0] == 200
    assert call(house, frans, f"players/{timo}/own-exclusion", {"last_day": "2026-11-30"})[0] == 200
    status, banned = call(house, frans, f"players/{timo}/ban", {"clause": CLAUSE, "reason": WHY})
    assert status == 200
    assert WHY not in json.dumps(banned)

    status, standing = call(house, frans, f"players/{timo}/standing")

    assert (status, standing["may_play"]) == (200, False)
    assert [(each["kind"], each["reason"], each["may_be_lifted"]) for each in standing["exclusions"]] == [
        ("ban", "", True),
        ("own", "", False),
    ]
    assert [pair["player_id"] for pair in standing["kept_apart"]] == [lee]
    assert standing["limits"] == [{"kind": "hours", "amount": 240, "is_raised_next_day": False, "amount_wished": 240}]
    assert call(house, mari, f"players/{timo}/standing")[1]["exclusions"][0]["reason"] == WHY
    assert call(house, house.cast.anna, f"players/{timo}/standing")[0] == 403

    ban = Exclusion.objects.get(kind="ban").pk
    second = {"username": "frans", "pin": demo_person("frans").pin}
    assert call(house, mari, f"exclusions/{ban}/lift", {"second": second})[0] == 200
    assert call(house, frans, f"kept-apart/{KeptApart.objects.get().pk}/end", {})[0] == 200
    merged = call(house, mari, f"players/{lee}/merge", {"gone_id": timo, "second": {"username": "miro", "pin": PIN}})
    assert merged[0] == 200, merged
    assert call(house, frans, f"players/{lee}/standing")[1]["merged_ids"] == [timo]


def test_a_dealers_token_learns_nothing_and_a_cashiers_learns_the_kind(house):
    house.open(1, Lee=1, Kai=2)
    house.tap(ban_player, player_id=house.player("Timo").pk, clause=CLAUSE, reason=WHY)
    seat = {"player_id": house.player("Timo").pk, "chips_cents": 200_00, "entry": "waits"}
    buys = {"player_id": house.player("Timo").pk, "amount_cents": 50_00, "method": "cash"}

    def refused(staff: Staff, where: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {**by_token(staff), "Idempotency-Key": str(uuid.uuid4())}
        answer = Client().post(f"/api/v1/{where}", json.dumps(body), content_type="application/json", headers=headers)
        assert answer.status_code == 422
        return dict(answer.json())

    dealer = refused(house.cast.anna, "tables/1/seats/7", seat)
    cashier = refused(house.cast.carla, "cage/drawers/1/buy-ins", buys)

    assert (dealer["code"], dealer["data"], dealer["clause"]) == ("see_the_floor", {}, None)
    assert (cashier["code"], cashier["clause"]) == ("player_banned", CLAUSE)
    assert WHY not in json.dumps(cashier)


def test_screens_that_players_read_say_nothing_of_it(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    house.tap(set_own_limit, player_id=house.player("Kai").pk, kind="hours", amount=1)
    house.tap(keep_apart, player_ids=[house.player("Kai").pk, house.player("Timo").pk])
    lobby_before = fragment(house.room_id, "lobby", "en").html

    house.tap(ban_player, player_id=house.player("Timo").pk, clause=CLAUSE, reason=WHY)
    house.tap(exclude_by_own_wish, player_id=house.player("Timo").pk, last_day="2026-12-31")

    dealer = fragment(house.room_id, "table.1.dealer", "en").html
    tablet = enrolled(house.cast.room, "table", 1)
    shown = on_device("token-table-1").get(f"/tables/{tablet.place.number}/").content.decode()
    for html in (dealer, shown, fragment(house.room_id, "lobby", "en").html):
        low = html.lower()
        # No letters of a longer word: what is random in a page may have any of them in a row.
        for word in (
            "ban(?!zai)",
            "exclu",
            "h1[.]75",
            re.escape(CLAUSE.lower()),
            re.escape(WHY.lower()),
            "kept apart",
            "plays_until",
            "barred",
        ):
            assert not re.search(f"(?<![a-z0-9]){word}", low), word
    assert "see the floor" in dealer
    assert fragment(house.room_id, "lobby", "en").html.count("Timo") == lobby_before.count("Timo")
    assert Seating.objects.get(player=house.player("Timo")).left_at is None


def test_a_page_costs_the_same_however_much_stands_there(house, django_assert_max_num_queries):
    timo = house.player("Timo")
    for nickname in ("Lee", "Kai", "Mika"):
        house.tap(keep_apart, player_ids=[timo.pk, house.player(nickname).pk])
        house.tap(ban_player, player_id=timo.pk)
        house.tap(set_own_limit, player_id=timo.pk, kind="hours", amount=60)
    timo.refresh_from_db()
    with django_assert_max_num_queries(7):
        player_card(timo, zone=ZoneInfo("Europe/Helsinki"), at=house.at, reads_reasons=True)
