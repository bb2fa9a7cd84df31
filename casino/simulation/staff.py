"""Who works tonight, on which device, and how each of them came through the door."""

import hashlib
import random
import secrets
import uuid
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from casino.people.published import STAFF
from casino.simulation.broken import Broken
from casino.simulation.front_door import Device, Tally, Tap

DEALERS_MAX = 90


class Staff:
    """
    The room's devices and people: a tablet at each table, the floor's, the cage's, a desktop, a program, a television.

    Tablets are enrolled with a manager's code and people sign in on them by PIN, as in a room.
    """

    def __init__(self, url: str, tally: Tally, rng: random.Random) -> None:
        self.tally = tally
        self._url = url
        self._rng = rng
        self._pins = {person.username: person.pin for person in STAFF}
        self._passwords = {person.username: person.password for person in STAFF}
        self._ids: dict[str, int] = {}
        # Who was added tonight, by the PIN that the manager gave: it opens only the change of it.
        self._given: dict[str, str] = {}
        # Whom mari has taken on: for one day she could be two of them, and they sign nothing together.
        self._taken_on: set[str] = set()
        self._devices: list[Device] = []
        self._stranger: Device | None = None

    def come_in(self, *, tables: int) -> None:
        """Enrol every device, and have everybody sign in."""
        self.desktop = self._at_desktop("mari")
        self._know_everybody()
        self.dealers = self._enough_dealers(tables + 1)
        # Who deals where; the last one has a break.
        self.at_table = dict(zip(range(1, tables + 1), self.dealers, strict=False))
        self.tablets = {number: self._enrolled("table", number) for number in self.at_table}
        for number, name in self.at_table.items():
            self.sign_in(self.tablets[number], name)
        self.floor = self._enrolled("floor", 1)
        self.sign_in(self.floor, "frans")
        self.cage = self._enrolled("cage", 1)
        self.sign_in(self.cage, "carla")
        # A second cashier at the same window and drawer, for the rush.
        self._add("carlo", "cashier", pin="6767")
        self.cage_too = self._enrolled("cage", 1)
        self.sign_in(self.cage_too, "carlo")
        self.lobby = self._enrolled("display", 1)
        self.program = self._program("floor", "frans")

    def take_on_a_manager(self) -> None:
        """Have mari take on a second manager, who makes a PIN of her own; what she signs tonight would be mari's."""
        self._add("petra", "manager", pin="9753")
        if given := self._given.pop("petra", ""):
            body = {"staff_id": self._ids["petra"], "pin": given, "new_pin": self._pins["petra"]}
            self._done(self.floor, "/api/v1/door/pin", body)

    def another_manager(self) -> Device:
        """Have the second manager sign in on the floor's tablet, and return it: frans does so again after her."""
        self.take_on_a_manager()
        self.sign_in(self.floor, "petra")
        return self.floor

    def id_of(self, username: str) -> int:
        """Return the id of somebody who works here."""
        return self._ids[username]

    def go_home(self) -> None:
        """Close every connection."""
        for device in self._devices:
            device.close()

    def on_a_break(self) -> list[str]:
        """Return the dealers who stand at no table."""
        return [name for name in self.dealers if name not in self.at_table.values()]

    def runners(self) -> list[str]:
        """Return who carries chips and cash across the room now: a PIN that was given to somebody signs nothing yet."""
        return [name for name in [*self.on_a_break(), "carlo"] if name not in self._given]

    def may_sign_together(self, one: str, other: str) -> bool:
        """Say whether one of two may sign what the other asks for, on whichever evening."""
        return one != other and not {one, other} <= self._taken_on

    def push(self, number: int, name: str) -> None:
        """Have the next dealer sign in at a table, over whoever is there."""
        self.sign_in(self.tablets[number], name)
        self.at_table[number] = name

    def stranger(self) -> Device:
        """Return a program whose token nobody knows."""
        if self._stranger is None:
            self._stranger = self._device("a stranger", token="nobody-ever-issued-this")  # noqa: S106 - that is it
        return self._stranger

    def reader(self, device: Device, language: str) -> Device:
        """Return one more window of a device, in another language."""
        reader = self._device(f"{device.name} in {language}")
        reader.cookies = {**device.cookies, settings.LANGUAGE_COOKIE_NAME: language}
        return reader

    def phone(self, player: str) -> Device:
        """Return a player's own phone: nobody has signed in on it."""
        return self._device(f"{player}'s phone")

    def take_over(self, number: int, name: str) -> None:
        """Enrol one more tablet at a table, and have a dealer sign in on it."""
        self.tablets[number] = self._enrolled("table", number)
        self.push(number, name)

    def second(self, username: str) -> dict[str, str]:
        """Return another person's own sign-in, under what they sign."""
        return {"username": username, "pin": self._pins[username]}

    def sign_in(self, device: Device, username: str) -> None:
        """Sign a person in on a tablet by PIN."""
        body = {"staff_id": self._ids[username], "pin": self._pins[username]}
        if given := self._given.pop(username, ""):
            self._done(device, "/api/v1/door/pin", {**body, "pin": given, "new_pin": body["pin"]})
        secret = secrets.token_hex(16)
        body["proof"] = hashlib.sha256(secret.encode()).hexdigest()
        device.sign_in_id = device.secret = ""
        device.sign_in_id, device.secret = self._done(device, "/api/v1/door/sign-in", body)["sign_in_id"], secret

    def id(self) -> uuid.UUID:
        """Return the id of one more command: drawn, so that the same night sends the same ones."""
        return uuid.UUID(int=self._rng.getrandbits(128), version=4)

    def _done(self, device: Device, path: str, body: Mapping[str, Any]) -> Any:
        answer = device.post(Tap(path, body, device.headers_of(self.id())))
        if not answer.is_done:
            raise Broken("the house opens its doors", f"POST {path}: {answer.status} {answer.body}")
        return answer.data

    def _device(self, name: str, *, token: str = "") -> Device:
        self._devices.append(Device(self._url, name, self.tally, token=token))
        return self._devices[-1]

    def _at_desktop(self, username: str) -> Device:
        device = self._device(f"{username}'s desktop")
        self._done(device, "/api/v1/sign-in", {"username": username, "password": self._passwords[username]})
        return device

    def _enrolled(self, kind: str, number: int) -> Device:
        name = f"{kind} {number}"
        body = {"kind": kind, "number": number, "device_name": f"Simulated {name}"}
        code = self._done(self.desktop, "/api/v1/people/enrolment-codes", body)["code"]
        device = self._device(name)
        self._done(device, "/api/v1/enrol", {"code": code})
        return device

    def _program(self, role: str, username: str) -> Device:
        body = {"name": f"simulated {role}", "roles": [role], "staff_id": self._ids[username]}
        body |= {"days": 366, "pin": self._pins[username]}
        token = self._done(self.desktop, "/api/v1/people/tokens", body)["token"]
        return self._device(f"{username}'s program", token=token)

    def _know_everybody(self) -> None:
        for person in self.desktop.get("/api/v1/people/staff").body:
            self._ids[person["username"]] = person["id"]

    def _enough_dealers(self, count: int) -> list[str]:
        names = ["anna", "dan"]
        for number in range(len(names) + 1, min(count, DEALERS_MAX) + 1):
            name, pin = f"dealer{number}", f"{9 - number % 9}{number:03d}"
            names.append(name)
            self._add(name, "dealer", pin=pin)
        return names

    def _add(self, username: str, role: str, *, pin: str) -> None:
        """Take a person on for tonight, unless the room knows them from another night."""
        self._pins[username] = pin
        if username in self._ids:
            return
        self._taken_on.add(username)
        self._given[username] = f"{pin}00"
        body = {"username": username, "display_name": username.capitalize(), "roles": [role], "pin": f"{pin}00"}
        self._ids[username] = self._done(self.desktop, "/api/v1/people/staff", body)["staff_id"]
        self._done(self.desktop, f"/api/v1/people/staff/{self._ids[username]}/start-shift", {})
