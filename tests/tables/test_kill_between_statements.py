"""A web process may die at any moment, and an answer may be lost: a hand is settled once, or not at all."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.people.models import ApiToken
from casino.people.secrets import digest
from tables.models import Hand, HandPot, Table
from tests.cast import LATER_THAN_ANY_TEST, TONIGHT
from tests.conftest import Database
from tests.support.room import BrushServer
from tests.support.servers import ROOT
from tests.tables.conftest import House, make_house

LATER = TONIGHT + timedelta(hours=1)
pytestmark = pytest.mark.longest


@dataclass
class MortalServer:
    """Web processes at one address, of which the next one is started when the last one has died."""

    process: subprocess.Popen[str]
    url: str
    child: int = 0

    def next_one(self) -> None:
        self._in.write("next\n")
        self._in.flush()
        self.child = int(self._out.readline())

    def kill(self) -> None:
        """Let the next process serve, which has served nothing yet."""
        os.kill(self.child, signal.SIGKILL)
        self.died()

    def died(self) -> None:
        """Wait until the process has ended, by its own hand, and start the next one."""
        assert int(self._out.readline()) == signal.SIGKILL
        self.next_one()

    @property
    def _in(self) -> IO[str]:
        assert self.process.stdin
        return self.process.stdin

    @property
    def _out(self) -> IO[str]:
        assert self.process.stdout
        return self.process.stdout


@dataclass
class Room:
    """The house, and what its rows say."""

    house: House
    headers: dict[str, str]

    def hand(self) -> dict[str, Any]:
        """Return a hand as a tablet sends it: two pots, a jackpot drop, and nothing of it known before."""
        return {
            "hand_id": str(uuid.uuid4()),
            "winners": [[2], [5]],
            "pots": [60_00, 26_00],
            "dealt_at": LATER.isoformat(),
        }

    def sent(self, body: dict[str, Any], command_id: uuid.UUID, **more: str) -> dict[str, Any]:
        headers = self.headers | {"Idempotency-Key": str(command_id)} | more
        return {"json": body, "headers": headers, "timeout": 20}

    def state(self) -> tuple[int, int, int, int, int]:
        """Return what a settled hand moves: table's version and hand number, hands, transfers, what lies in the box."""
        table = Table.objects.get(number=1)
        boxes = self.house.figures()
        return (
            table.version,
            table.hand_number,
            Hand.objects.count(),
            Transfer.objects.filter(kind="hand").count(),
            boxes["rake_box"] + boxes["jackpot_box"],
        )

    def assert_whole(self) -> None:
        assert not list(problems(self.house.room_id))
        assert not list(breaks(self.house.room_id))


@pytest.fixture
def room(committing_db: Database) -> Room:
    """Return a room where six players sit at table 1 and Anna's program has a token."""
    house = make_house()
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5, Jo=6)
    ApiToken.objects.create(
        room=house.cast.room,
        name="test",
        roles=["dealer"],
        token_hash=digest("annas_token"),
        staff=house.cast.anna,
        made_by_id=house.cast.mari.pk,
        ends_at=LATER_THAN_ANY_TEST,
        # A minute's first call would have one statement more than the others: here the clock stands still.
        last_used_at=LATER,
        made_at=TONIGHT,
    )
    return Room(house, {"Authorization": "Bearer annas_token"})


@pytest.fixture
def environment(committing_db: Database, tmp_path: Path) -> BrushServer:
    """Return what a web process of this room is started with."""
    server = BrushServer(database_url=committing_db.url, redis_url=os.environ["REDIS_URL"], folder=tmp_path)
    server.env["BRUSH_CLOCK"] = f"{LATER.isoformat()}@{time.time()}x0"
    return server


@pytest.fixture
def mortal(environment: BrushServer) -> Iterator[MortalServer]:
    """Keep an address whose processes die when they are told to."""
    with environment.log_file.open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.killing_asgi", str(environment.port)],
            cwd=ROOT,
            env=environment.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    server = MortalServer(process, environment.url)
    try:
        server.next_one()
        yield server
    finally:
        os.kill(server.child, signal.SIGKILL)
        process.kill()
        process.communicate()


@pytest.mark.rule("L-O34")
@pytest.mark.parametrize(
    "each", [pytest.param(48, marks=[pytest.mark.slow, pytest.mark.smoke]), pytest.param(1, marks=pytest.mark.slow)]
)
def test_a_process_killed_between_any_two_statements_leaves_ledger_table_and_log_agreeing(
    room: Room, mortal: MortalServer, environment: BrushServer, each: int
):
    address = f"{mortal.url}/api/v1/tables/1/hands/settle"
    whole = httpx.post(address, **room.sent(room.hand(), uuid.uuid4()))
    assert whole.status_code == 200, whole.text
    # Each of them dies at its first hand, for which a process reads the book: so did the one that counted.
    mortal.kill()
    # Every statement, and the answer that is lost though everything is done.
    moments = int(whole.headers["X-Statements"]) + 1
    lost = 0

    # From the last on: that one is the answer that is lost.
    for die_before in range(moments, 0, -each):
        before, hand, command_id = room.state(), room.hand(), uuid.uuid4()
        with pytest.raises(httpx.TransportError):
            httpx.post(address, **room.sent(hand, command_id, **{"X-Die-Before": str(die_before)}))
        mortal.died()

        again = httpx.post(address, **room.sent(hand, command_id))

        assert again.status_code == 200, again.text
        version, number, hands, transfers, boxes = room.state()
        row = Hand.objects.get(hand_id=hand["hand_id"])
        settled = (
            version - 1,
            number - 1,
            hands - 1,
            transfers - 1,
            boxes - row.taken("rake") - row.taken("drop"),
        )
        assert settled == before, f"killed before statement {die_before}"
        assert row.status == Hand.Status.SETTLED
        assert 0 not in {row.taken("rake"), row.taken("drop")}
        assert HandPot.objects.filter(hand=row).count() == 2
        assert Event.objects.filter(command_id=command_id, result="done").count() == 1
        assert Transfer.objects.get(about__hand=row.pk).pk == row.transfer_id
        room.assert_whole()
        lost += again.json()["is_replay"]

    # Only what died after COMMIT had been done.
    assert lost == 1
    environment.manage("ledger", "check")
    environment.manage("audit", "verify")


@pytest.mark.slow
def test_fifty_sends_of_one_command_settle_one_hand(room: Room, environment: BrushServer):
    environment.start()
    try:
        before, hand, command_id = room.state(), room.hand(), uuid.uuid4()
        address = f"{environment.url}/api/v1/tables/1/hands/settle"
        with httpx.Client(limits=httpx.Limits(max_connections=50)) as http, ThreadPoolExecutor(50) as threads:
            answers = list(threads.map(lambda _: http.post(address, **room.sent(hand, command_id)), range(50)))
    finally:
        environment.stop()

    assert {answer.status_code for answer in answers} == {200}, [answer.text for answer in answers]
    assert sorted(answer.json()["is_replay"] for answer in answers) == [False] + [True] * 49
    assert all(answer.json()["data"] == answers[0].json()["data"] for answer in answers)
    assert room.state()[:4] == tuple(figure + 1 for figure in before[:4])
    room.assert_whole()
