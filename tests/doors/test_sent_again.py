"""A command that is sent again after a lost answer has its first one, at both doors; and nothing is done twice."""

import json
import sys
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from casino.commands import carrying_out
from casino.errors import Refusal
from casino.people.api_protection import merge_by_two
from casino.people.models import Staff
from casino.people.services import erase_player
from tests.doors.walking import Walk, filled, next_ids, undone, walk
from tests.doors.way import Way
from tests.doors.ways import WAYS, Named
from tests.support.servers import ROOT
from tests.tables.conftest import House, house

__all__ = ["house", "walk"]

# What cannot have its first answer, by its call, and why.
_NOT_AGAIN = {
    "/api/v1/my-sign-in/password": "another password ends every sign-in with the one before, also that which sent it",
    "/api/v1/enrol": "a code is good once, and whoever sends it has no sign-in by which to be known again",
}


# Who may read before a command's id is claimed, by function, and why: what it reads tells who taps, or neither refuses
# nor tells the command anything that may be otherwise when it is sent again. Whatever else there is the service asks.
LOOKED_UP = {
    # Who taps: the device, the session, the person, and the room that they belong to.
    "casino.people.middleware.look": "who taps",
    "casino.people.services.signing_in.sign_in_at_desktop": "who taps, by the name that signs in",
    "casino.people.services.signatures.second_person": "who signs: a PIN is tried each time that it comes",
    "casino.rooms.selectors.room_of": "the room of who taps, for its clock",
    # What an address or a paper names by a number that stays its own for ever.
    "tables.api.common.table_at": "a table keeps its number",
    "tables.api.common.table_id_at": "a table keeps its number",
    "tables.owners.table_id_of": "a table keeps its number",
    "tables.selectors.floor_table.find_table": "a table keeps its number",
    "casino.cage.selectors.drawers.drawer_id": "a drawer keeps its number",
    "casino.cage.services.vouchers.voucher_of_paper": "a paper's letters are a secret, tried each time that they come",
    "tables.views.incidents.aside_tap": "a hand keeps its id, and is at its table for ever",
    "tables.views.tips.own_back_tap": "a tip box that was taken along was so at its table for ever",
    "tables.views.floor_taps.cancel_tap": "a slip is for its table for ever: who moves has another one made",
    "jackpot.services.claims.look_at_claim": "a claim keeps the moment by which times of the day are read",
    # What may be otherwise by then.
    "tables.services.seat_buy_ins.ask_for_seat": "whose seat it is: `sat_as_id` says so after records were joined",
    "tables.services.overruling.chosen": "what the order proposes is noted beside the command, and refuses nothing",
    "tables.services.overruling.played_over": "as `chosen`",
    "tables.services.overruling.whose_by_claim": "as `chosen`",
    "tables.services.choosing.change": "as `chosen`",
    "tables.services.choosing.move": "as `chosen`",
    "casino.waiting.services.choosing.call": "as `chosen`",
    "tables.services.books.check_waits_to_be_signed": "whether it has its answer: then nothing else is asked",
    # No answer keeps the file. Another by now, sealed meanwhile, is refused: its digest was never logged.
    "casino.reports.services.pack_of_days": "the pack, which is made anew of closed days",
}


@pytest.mark.slow
def test_each_tap_and_call_that_is_sent_again_has_its_first_answer(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = ReadsBeforeClaim(monkeypatch)

    walk(WAYS, partial(_lost, reads=reads))

    assert reads.met == LOOKED_UP.keys(), "who reads nothing before a claim any more is to be listed no more"


class ReadsBeforeClaim:
    """
    Who reads what before a command's id is claimed: were that otherwise when it is sent again, the command could be
    refused, or be another one, and never have its first answer.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.key = ""
        self.found: set[str] = set()
        self.met: set[str] = set()
        claim = carrying_out._claim

        def claimed(call: Any) -> bool:
            if str(call.command.id) == self.key:
                self.key = ""
            return claim(call)

        monkeypatch.setattr(carrying_out, "_claim", claimed)

    def of(self, key: str, post: Callable[[], Any]) -> Any:
        """Return what a tap or call of this id is answered; `found` says then who read before it was claimed."""
        self.key, self.found = key, set()
        with connection.execute_wrapper(self._note):
            return post()

    def _note(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if self.key and "SAVEPOINT" not in sql:
            readers = list(_functions())
            listed = [each for each in readers if each in LOOKED_UP]
            # The innermost one: what calls another that is listed is met by what it reads itself.
            self.met.update(listed[:1])
            # Of nobody of the house: the test signs in.
            if readers and not listed:
                self.found.add(f"{' < '.join(readers[:3])}: {sql[:120]}")
        return execute(sql, *rest)


def _functions() -> Iterator[str]:
    """Yield which of the house's functions are being run, the innermost first."""
    frame = sys._getframe(1)
    while frame := frame.f_back:  # type: ignore[assignment]  # it ends with the outermost, which has none
        module = str(frame.f_globals.get("__name__"))
        if module.split(".")[0] in {"casino", "tables", "jackpot", "tournaments"}:
            yield f"{module}.{frame.f_code.co_name}"


@pytest.mark.parametrize("since", ["joined", "erased"])
def test_a_tap_about_a_player_whose_record_is_gone_since_has_its_first_answer(walk: Walk, since: str) -> None:
    gone_since: set[str] = set()

    walk(
        [way for way in WAYS if "{riku}" in way.page or "{exclusion}" in way.page],
        partial(_gone_since, since=since, gone_since=gone_since),
    )

    assert len(gone_since) > 9


def test_who_signs_is_wired_once_for_both_doors() -> None:
    doors = [
        path
        for app in ("casino", "tables", "jackpot", "tournaments")
        for path in Path(ROOT, app).rglob("*.py")
        if path.stem.startswith(("api", "views")) or {"api", "views"} & set(path.parts)
    ]

    assert [str(path) for path in doors if "second_person(" in path.read_text()] == []
    assert len(doors) > 50


def _lost(way: Way, by: Callable[[House], Client], house: House, reads: ReadsBeforeClaim) -> Iterator[str]:
    """Yield what goes wrong when the answers of a way are lost, by the page and by the call."""
    names, key = Named(house), str(uuid.uuid4())
    page, call = filled(way.page, names), "/api/v1/" + filled(way.call, names)
    form, body = filled(way.form, names), json.dumps(filled(way.body, names))
    version = names[f"{way.version}_version"] if way.version else None
    if version is not None:
        form = {**form, "version": version}
    match = {} if version is None else {"If-Match": f'"{version}"'}

    def tap() -> Any:
        return by(house).post(page, form, headers={"HX-Request": "true", "Idempotency-Key": key})

    def send() -> Any:
        return by(house).post(call, body, content_type="application/json", headers={"Idempotency-Key": key} | match)

    if call in _NOT_AGAIN:
        return
    before = next_ids()
    for at, post in ((page, tap), (call, send)):
        with undone(before):
            first, again = post(), reads.of(key, post)
        yield from (f"{at} {way.id}: before the claim read {each}" for each in sorted(reads.found))
        if again.status_code != first.status_code:
            yield f"{at} {way.id}: {first.status_code}, then {again.status_code} {again.content[:200]!r}"
        elif post is send and again.headers["Content-Type"] == "application/json" and not again.json()["is_replay"]:
            yield f"{at} {way.id}: done twice"


def _gone_since(
    way: Way, by: Callable[[House], Client], house: House, *, since: str, gone_since: set[str]
) -> Iterator[str]:
    """Yield what goes wrong where a record is joined to another, or erased, before a tap about it is sent again."""
    names, headers = Named(house), {"HX-Request": "true", "Idempotency-Key": str(uuid.uuid4())}
    page, form = filled(way.page, names), filled(way.form, names)
    first = by(house).post(page, form, headers=headers)
    try:
        with transaction.atomic():
            if since == "joined":
                Staff.objects.filter(pk=house.cast.frans.pk).update(roles=["floor", "manager"])
                second = {"username": "frans", "pin": names["pin"]}
                kept = house.player("Lee").pk
                house.tap(merge_by_two, house.cast.mari, player_id=kept, gone_id=names["riku"], second=second)
            else:
                house.tap(erase_player, house.cast.mari, player_id=names["riku"])
    except Refusal:
        # What the tap did stands against it: who is banned is not erased.
        return
    gone_since.add(way.page)
    again = by(house).post(page, form, headers=headers)
    led_to = again.headers.get("HX-Redirect", "")
    if again.status_code != first.status_code:
        yield f"{page} {way.id}: {first.status_code}, then {again.status_code} {again.content[:200]!r}"
    elif f"/{names['riku']}/" in led_to:
        yield f"{page} {way.id}: led to {led_to}, which is gone"
