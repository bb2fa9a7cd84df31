"""A room in the evening, asked through the REST interface."""

import json
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.test import Client

from casino.people.models import ApiToken, Device, SignIn, Staff
from casino.people.secrets import digest
from tests.cast import LATER_THAN_ANY_TEST, TONIGHT, enrolled
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop

V1 = "/api/v1/"


@dataclass
class ApiReply:
    """An answer, read."""

    status: int
    body: Any
    headers: Any

    @property
    def code(self) -> str:
        return str(self.body["code"])

    @property
    def data(self) -> dict[str, Any]:
        assert self.status == 200, self.body
        return dict(self.body["data"])


@dataclass
class Caller:
    """Somebody with a token, or a page of ours behind its cookies."""

    http: Client
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> ApiReply:
        return read(self.http.get(V1 + path, headers=self.headers | _named(headers)))

    def post(self, path: str, body: Any = None, *, id: uuid.UUID | str | None = None, **headers: str) -> ApiReply:
        """Send a command; its id is new unless given, and left out when it is empty."""
        key = {"Idempotency-Key": str(uuid.uuid4() if id is None else id)} if id != "" else {}
        return read(
            self.http.post(
                V1 + path,
                data=body if isinstance(body, (bytes, str)) else json.dumps(body or {}),
                content_type="application/json",
                headers=self.headers | key | _named(headers),
            )
        )

    def tap(self, path: str, body: Any = None, **more: Any) -> dict[str, Any]:
        """Send a command that must be carried out; return its data."""
        return self.post(path, body, **more).data


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def read(response: Any) -> ApiReply:
    kind = response.headers.get("Content-Type", "")
    body = json.loads(response.content) if "json" in kind else response.content
    return ApiReply(response.status_code, body, response.headers)


@dataclass
class Stage:
    """The room, and who calls: `stage.anna.post("tables/1/hands/deal", {...})`."""

    house: House

    def by_token(self, staff: Staff | None, *, device: Device | None = None, roles: list[str] | None = None) -> Caller:
        token = f"token-{uuid.uuid4().hex}"
        ApiToken.objects.create(
            room=self.house.cast.room,
            name="test",
            roles=roles or ["manager", "floor", "dealer", "cashier", "auditor"],
            token_hash=digest(token),
            staff=staff,
            device=device,
            made_by_id=self.house.cast.mari.pk,
            ends_at=LATER_THAN_ANY_TEST,
            # When the stage begins: the write of a token's last use, once a minute, is no call's own.
            last_used_at=TONIGHT + timedelta(minutes=30),
            made_at=TONIGHT,
        )
        return Caller(Client(raise_request_exception=False), {"Authorization": f"Bearer {token}"})

    def at_desktop(self, staff: Staff) -> Caller:
        """Return the page of a desktop where that person is signed in: what no program may, people do."""
        return Caller(at_desktop(staff, raise_request_exception=False))

    def on_tablet(self, kind: str, number: int, staff: Staff | None) -> tuple[Caller, Device]:
        """Return the page of an enrolled device on which that person is signed in."""
        device = enrolled(self.house.cast.room, kind, number)
        if staff is not None:
            sign_in(device, staff)
        http = Client(enforce_csrf_checks=True, raise_request_exception=False)
        http.cookies["brush_device"] = f"token-{kind}-{number}"
        http.cookies["csrftoken"] = "c" * 32
        return Caller(http, {"X-CSRFToken": "c" * 32}), device

    @property
    def mari(self) -> Caller:
        return self.by_token(self.house.cast.mari)

    @property
    def frans(self) -> Caller:
        return self.by_token(self.house.cast.frans)

    @property
    def anna(self) -> Caller:
        return self.by_token(self.house.cast.anna)

    @property
    def carla(self) -> Caller:
        return self.by_token(self.house.cast.carla)

    @property
    def olavi(self) -> Caller:
        return self.by_token(self.house.cast.olavi)


def sign_in(device: Device, staff: Staff) -> SignIn:
    SignIn.objects.filter(device=device, ended_at=None).update(ended_at=TONIGHT)
    made = SignIn.objects.create(device=device, staff=staff, began_at=TONIGHT)
    device.signed_in, device.signed_in_at, device.sign_in_id = staff, TONIGHT, made.pk
    device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])
    return made


def make_stage() -> Stage:
    return Stage(make_house())


def whole_hand(*pots: int, winners: list[list[int]] | None = None, **more: Any) -> dict[str, Any]:
    return {"hand_id": str(uuid.uuid4()), "winners": winners or [[1]], "pots": list(pots), **more}
