"""
Tablets, desktops and programs as the house sees them: HTTP, with a cookie or a token, and an id for every command.

`manner` is how the next tap travels: once and well, or as taps do in a room with bad Wi-Fi. Whichever it is,
the tap ends with an answer, and the same one that a good connection would have brought.
"""

import contextlib
import http.client
import json
import re
import socket
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

from casino.simulation.broken import Broken

ANSWER_SECONDS_MAX = 30.0
# How long a tablet sends the same command again while the house is away or busy.
RESEND_SECONDS_MAX = 60.0
# What a tablet keeps: a fact that found no open day was not refused, and is not stored as an answer.
MAY_WAIT = frozenset({"waits_for_day"})
# What it keeps and sends again at once: a lock was not to be had, or the database was away for a moment.
BUSY, BUSY_PAUSE_SECONDS = 503, 0.2
LEADS_ON = 302
# What somebody has to act on first: whoever tapped is told, and taps again when there is room.
DISK_FULL = "disk_full"
# A refusal on a page: its code, and its sentence after it.
_PAGE_CODE = re.compile(r'data-code="([a-z_]+)"[^<]*<[^>]*>[^<]*\S')
_GONE = (http.client.HTTPException, OSError)
# What goes out: an object for the interface, a form's fields as one text, or nothing.
Body = Mapping[str, Any] | str | None
Manner = Callable[["Device", "Tap"], "Answer"]


@dataclass(frozen=True)
class Tap:
    """One command on its way: the same bytes, however often it is sent."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the whole body, and how long it took."""

    status: int
    body: Any
    seconds: float
    etag: str = ""
    text: str = ""

    @property
    def is_done(self) -> bool:
        return 200 <= self.status < 300

    @property
    def data(self) -> Any:
        """Return the `data` of a command that was carried out."""
        return self.body["data"]

    @property
    def code(self) -> str:
        """Return the code of a refusal, "" for none; a page says it beside its sentence."""
        if self.is_done:
            return ""
        if isinstance(self.body, dict):
            return str(self.body.get("code", ""))
        code = _PAGE_CODE.search(self.text)
        return code.group(1) if code else ""

    @property
    def json_body(self) -> dict[str, Any]:
        """Return the body of an answer in JSON; {} for a page."""
        return self.body if isinstance(self.body, dict) else {}

    @property
    def version(self) -> int:
        """Return the version that a reading's ETag names."""
        return int(self.etag.strip('"'))


@dataclass
class Tally:
    """What was sent to the house in a simulation, and what came of it."""

    commands: int = 0
    readings: int = 0
    resent: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    # Refusals beside which time did something each time: whether they changed anything is unknown.
    disturbed: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    # How often what each switch allows was drawn and done.
    switches: Counter[str] = field(default_factory=Counter)

    def percentile(self, share: float) -> float:
        """Return how many milliseconds this share of the commands took at most."""
        if not self.seconds:
            return 0.0
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(int(len(ordered) * share), len(ordered) - 1)]


class Device:
    """One tablet, desktop or program: the house's address, and the cookies, token or sign-in by which it is let in."""

    def __init__(self, url: str, name: str, tally: Tally, *, token: str = "") -> None:
        parts = urlsplit(url)
        self.name = name
        self.url = url
        self.tally = tally
        self.token = token
        self.cookies: dict[str, str] = {}
        self.sign_in_id = self.secret = ""
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._connections = threading.local()

    # Reading

    def get(self, path: str) -> Answer:
        """
        Read a page or a call, again while the house is away.

        :raises Broken: it was refused, or is away for too long.
        """
        self.tally.readings += 1
        answer = self._until_answered(lambda: self._unless_busy("GET", path, None, self._headers()))
        if not answer.is_done:
            raise Broken("a reading was refused", f"GET {path} by {self.name}: {answer.status} {answer.body}")
        return answer

    def type_in(self, path: str, field: str, text: str) -> None:
        """Fill in the one field of a page; it leads on and leaves a cookie. :raises Broken: it does not."""
        self.get(path)
        self.tally.readings += 1
        body = urlencode({field: text})
        answer = self._until_answered(lambda: self._unless_busy("POST", path, body, self._headers()))
        if answer.status != LEADS_ON:
            raise Broken("a page leads on", f"POST {path} by {self.name}: {answer.status}")

    # Tapping

    def post(self, tap: Tap, *, manner: Manner | None = None) -> Answer:
        """
        Have a command carried out; the answer may be a refusal.

        :raises Broken: a 5xx, or a refusal without a code or a sentence.
        """
        self.tally.commands += 1
        answer = manner(self, tap) if manner else self.send(tap)
        self.tally.seconds.append(answer.seconds)
        if answer.status >= 500 and answer.code not in MAY_WAIT:
            raise Broken("no 5xx", f"POST {tap.path} by {self.name}: {answer.status} {answer.text[:300]}")
        if not answer.is_done:
            self._look_at_refusal(tap, answer)
        return answer

    def send(self, tap: Tap) -> Answer:
        """
        Send it once, and again for as long as the house says that it is busy.

        :raises OSError, HTTPException: no answer came; whether it was carried out is not known.
        """
        return self._unless_busy("POST", tap.path, tap.body, {**self._headers(), **tap.headers})

    def send_apart(self, tap: Tap) -> Answer:
        """Send it once, from a thread of its own that keeps no connection."""
        try:
            return self.send(tap)
        finally:
            self.close()

    def close(self) -> None:
        """Close this thread's connection."""
        self._hang_up()

    def send_until_answered(self, tap: Tap) -> Answer:
        """Send it again and again, until an answer says what became of it: a full disk leaves it undone."""
        deadline = time.monotonic() + RESEND_SECONDS_MAX
        while True:
            answer = self._until_answered(lambda: self.send(tap))
            if answer.code != DISK_FULL or time.monotonic() > deadline:
                return answer
            self.tally.refusals[DISK_FULL] += 1
            self.tally.resent += 1
            time.sleep(BUSY_PAUSE_SECONDS)

    def send_and_hang_up(self, tap: Tap) -> None:
        """Send it and close the connection without reading: whatever the answer is, it is lost."""
        with contextlib.suppress(*_GONE):
            connection = self._connection()
            self._ask(connection, "POST", tap.path, tap.body, {**self._headers(), **tap.headers})
            # The request is on its way and in the server's hands; without this the close may overtake it.
            time.sleep(0.02)
        self._hang_up()

    def headers_of(self, command_id: uuid.UUID, *, version: int | None = None, tapped_at: str = "") -> dict[str, str]:
        """Return the headers that make a tap a command."""
        headers = {"Idempotency-Key": str(command_id)}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        if tapped_at:
            headers["X-Tapped-At"] = tapped_at
        if self.sign_in_id:
            headers |= {"X-Sign-In": self.sign_in_id, "X-Tap-Proof": self.secret}
        return headers

    # Underneath

    def _look_at_refusal(self, tap: Tap, answer: Answer) -> None:
        sentence = str(answer.json_body.get("detail", "")).strip() if answer.json_body else answer.code
        if not answer.code or not sentence:
            raise Broken(
                "a refusal has a code and a sentence",
                f"POST {tap.path} by {self.name}: {answer.status} {answer.text[:300]}",
            )
        self.tally.refusals[answer.code] += 1

    def _headers(self) -> dict[str, str]:
        headers = {"Accept-Language": "en", "Origin": self.url}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if "csrftoken" in self.cookies:
            headers["X-CSRFToken"] = self.cookies["csrftoken"]
        return headers

    def _unless_busy(self, method: str, path: str, body: Body, headers: dict[str, str]) -> Answer:
        deadline = time.monotonic() + RESEND_SECONDS_MAX
        while True:
            answer = self._exchange(method, path, body, headers)
            if answer.status != BUSY or answer.code not in {"busy", "away"} or time.monotonic() > deadline:
                return answer
            self.tally.refusals["busy"] += 1
            self.tally.resent += 1
            time.sleep(BUSY_PAUSE_SECONDS)

    def _exchange(self, method: str, path: str, body: Body, headers: dict[str, str]) -> Answer:
        begun = time.perf_counter()
        try:
            return self._read(self._response_to(method, path, body, headers), begun)
        except BaseException:
            self._hang_up()
            raise

    def _response_to(self, method: str, path: str, body: Body, headers: dict[str, str]) -> http.client.HTTPResponse:
        """
        Send a request on the kept connection, and once more on a new one where the server has closed the kept one.

        :raises OSError, HTTPException: neither was answered.
        """
        for _ in range(2):
            connection = self._connection()
            is_fresh = connection.sock is None
            try:
                self._ask(connection, method, path, body, headers)
                return connection.getresponse()
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self._hang_up()
                if is_fresh:
                    raise
        raise http.client.RemoteDisconnected("twice")

    def _ask(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: Body,
        headers: dict[str, str],
    ) -> None:
        sent = body if isinstance(body, str) or body is None else json.dumps(body)
        kind = "application/x-www-form-urlencoded" if isinstance(body, str) else "application/json"
        more = {} if sent is None else {"Content-Type": kind}
        connection.request(method, path, body=None if sent is None else sent.encode(), headers={**headers, **more})

    def _read(self, response: http.client.HTTPResponse, begun: float) -> Answer:
        raw = response.read()
        seconds = time.perf_counter() - begun
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                pair = value.split(";", 1)[0]
                cookie, _, held = pair.partition("=")
                self.cookies[cookie] = held
        text = raw.decode(errors="replace")
        is_json = "json" in (response.getheader("Content-Type") or "")
        try:
            body = json.loads(text) if is_json else None
        except ValueError:
            body = None
        return Answer(response.status, body, seconds, response.getheader("ETag") or "", text)

    def _until_answered(self, ask: Callable[[], Answer]) -> Answer:
        deadline = time.monotonic() + RESEND_SECONDS_MAX
        while True:
            with contextlib.suppress(*_GONE):
                return ask()
            if time.monotonic() > deadline:
                raise Broken("the house answers", f"{self.name} got no answer for {RESEND_SECONDS_MAX:.0f} s")
            self.tally.resent += 1
            time.sleep(0.1)

    def _connection(self) -> http.client.HTTPConnection:
        connection = getattr(self._connections, "it", None)
        if connection is None:
            connection = http.client.HTTPConnection(*self._address, timeout=ANSWER_SECONDS_MAX)
            self._connections.it = connection
        return cast(http.client.HTTPConnection, connection)

    def _hang_up(self) -> None:
        connection = getattr(self._connections, "it", None)
        if connection is not None:
            with contextlib.suppress(OSError):
                if connection.sock is not None:
                    connection.sock.shutdown(socket.SHUT_RDWR)
            connection.close()
            self._connections.it = None


# Manners: how one tap travels.


def answer_lost(device: Device, tap: Tap) -> Answer:
    """The answer never arrives; the tablet sends the same command again."""
    device.tally.faults["answer lost, sent again"] += 1
    device.send_and_hang_up(tap)
    return device.send_until_answered(tap)


def sent_again_later(device: Device, tap: Tap) -> Answer:
    """The answer arrived and was not seen; the tablet sends the command again, and gets the same answer."""
    device.tally.faults["sent again after its answer"] += 1
    first = device.send(tap)
    must_be_same(tap, first, device.send(tap))
    return first


def sent_twice_at_once(device: Device, tap: Tap) -> Answer:
    """Two sends of one command meet; it is carried out once, and both get the same answer."""
    device.tally.faults["sent twice at once"] += 1
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(device.send_apart, [tap, tap])
    replays = {answer.json_body.get("is_replay") for answer in (one, other)}
    # A page does not say which of the two it was.
    if one.is_done and other.is_done and replays not in ({True, False}, {None}):
        raise Broken("one command, once", f"{tap.path}: two sends at once, replays {one.body} and {other.body}")
    must_be_same(tap, one, other)
    return one


@dataclass(frozen=True)
class WrongClock:
    """The tablet's clock is wrong: the tap says that it was made `off` from now (`now` is the house's)."""

    now: Callable[[], datetime]
    off: timedelta

    def __call__(self, device: Device, tap: Tap) -> Answer:
        """Send the tap."""
        device.tally.faults["tablet's clock wrong"] += 1
        headers = {**tap.headers, "X-Tapped-At": (self.now() + self.off).isoformat()}
        return device.send(replace(tap, headers=headers))


def must_be_same(tap: Tap, one: Answer, other: Answer) -> None:
    """Hold two answers to the same command against each other. :raises Broken: they differ."""
    answers = [
        (answer.status, answer.json_body.get("data"), answer.json_body.get("version"), answer.code)
        for answer in (one, other)
    ]
    if answers[0] != answers[1]:
        raise Broken("the same command, the same answer", f"{tap.path}: {answers[0]} and then {answers[1]}")
