"""
A store of objects on this machine that judges as Amazon's does: who signed a request, who may do what, what is locked.

It signs nothing and trusts no header: each signature (AWS, version 4) is computed anew from the request as it came and
the secret of the key that it names, and the body is held against its hash. Written from Amazon's description of the
protocol, so that the client under test is not its own judge.
"""

import base64
import hashlib
import hmac
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from casino import clock
from tests.support.patience import PATIENCE_SECONDS

REGION = "eu-north-1"
# So few that a test's list takes several pages.
PAGE = 3


class Refused(Exception):
    """A refusal in the protocol's words."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status, self.code = status, code


@dataclass
class Version:
    """One version of an object; `mode` is "" where nothing keeps it."""

    name: str
    id: str
    body: bytes
    mode: str = ""
    until: datetime | None = None
    at: datetime = field(default_factory=clock.now)


@dataclass
class Store:
    """One bucket, "seals", and what was done to it. `may` has by key's id its secret and the actions it is granted."""

    may: dict[str, tuple[str, frozenset[str]]]
    is_locking: bool = True
    # A store that has never heard of locks takes the headers and keeps nothing.
    forgets_locks: bool = False
    # A proxy that is in the way, and the page that it answers with.
    page: str = ""
    versions: list[Version] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    url: str = ""

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.versions]


@contextmanager
def store(**more: Any) -> Iterator[Store]:
    """Serve a bucket with a writer (`writer:secret/of+writer`) and a reader (`reader:secret-of-reader`)."""
    may = {
        "writer": ("secret/of+writer", frozenset({"PutObject", "PutObjectRetention"})),
        "reader": ("secret-of-reader", frozenset({"ListBucketVersions", "GetObjectRetention"})),
        "owner": ("owner", frozenset({"PutObject", "DeleteObjectVersion", "PutObjectRetention"})),
    }
    made = Store(may, **more)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"store": made}))
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_port}/seals/casino?region={REGION}"
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        serving.join()


@contextmanager
def dripping(*, first: bytes) -> Iterator[tuple[str, threading.Event]]:
    """
    Serve somebody who says `first` and then a byte at a time, none within any time-out, for ten seconds at most.

    Yield the address, and what is set once the client has hung up.
    """
    was_left, is_over = threading.Event(), threading.Event()

    def drip() -> None:
        with suppress(OSError):
            client, _ = listening.accept()
            with client:
                try:
                    client.sendall(first)
                    for _ in range(200):
                        client.sendall(b"x")
                        if is_over.wait(0.05):
                            return
                except OSError:
                    was_left.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE_SECONDS)
        serving = threading.Thread(target=drip)
        serving.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/seals/casino?region={REGION}", was_left
        finally:
            is_over.set()
            serving.join()


class _Handler(BaseHTTPRequestHandler):
    store: Store
    _user = ""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        bucket, _, name = unquote(parts.path).lstrip("/").partition("/")
        if self.store.page:
            self._send(502, {"Content-Type": "text/html"}, self.store.page)
            return
        try:
            user = _signer(self, parts.path, query, body, self.store)
            if bucket != "seals":
                raise Refused(404, "NoSuchBucket")
            action = _action(self.command, name, query)
            if action not in self.store.may[user][1]:
                raise Refused(403, "AccessDenied")
            headers, content = getattr(self, f"_{action}")(name, query, body)
            self._send(200, headers, content)
        except Refused as why:
            self.store.refused.append(why.code)
            text = f"<Error><Code>{why.code}</Code><Message>{why.code}</Message><Resource>/</Resource></Error>"
            self._send(why.status, {}, text)

    do_GET = do_PUT = do_DELETE = do_POST = do_HEAD = _answer

    def _send(self, status: int, headers: dict[str, str], text: str) -> None:
        self.send_response(status)
        for key, value in {"Content-Type": "application/xml", **headers, "Content-Length": str(len(text))}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def _PutObject(self, name: str, query: dict[str, str], body: bytes) -> tuple[dict[str, str], str]:
        mode, until = (
            self.headers.get("x-amz-object-lock-mode"),
            self.headers.get("x-amz-object-lock-retain-until-date"),
        )
        version = Version(name, uuid.uuid4().hex, body)
        if mode or until:
            if not self.store.is_locking:
                raise Refused(400, "InvalidRequest")
            kept_until = datetime.fromisoformat(until or "1970-01-01T00:00:00Z")
            if mode not in ("COMPLIANCE", "GOVERNANCE") or kept_until <= clock.now():
                raise Refused(400, "InvalidArgument")
            if "PutObjectRetention" not in self.store.may[self._user][1]:
                raise Refused(403, "AccessDenied")
            if not self.store.forgets_locks:
                version.mode, version.until = mode, kept_until
        self.store.versions.append(version)
        return {"ETag": f'"{hashlib.md5(body).hexdigest()}"', "x-amz-version-id": version.id}, ""

    def _DeleteObjectVersion(self, name: str, query: dict[str, str], body: bytes) -> tuple[dict[str, str], str]:
        for version in self.store.versions:
            if (version.name, version.id) == (name, query["versionId"]):
                if version.mode == "COMPLIANCE" and version.until and version.until > clock.now():
                    raise Refused(403, "AccessDenied")
                self.store.versions.remove(version)
        return {}, ""

    def _GetObjectRetention(self, name: str, query: dict[str, str], body: bytes) -> tuple[dict[str, str], str]:
        for version in self.store.versions:
            if (version.name, version.id) == (name, query.get("versionId")):
                if not version.mode or version.until is None:
                    raise Refused(404, "NoSuchObjectLockConfiguration")
                until = version.until.strftime("%Y-%m-%dT%H:%M:%SZ")
                return {}, (
                    f"<Retention><Mode>{version.mode}</Mode><RetainUntilDate>{until}</RetainUntilDate></Retention>"
                )
        raise Refused(404, "NoSuchKey")

    def _ListBucketVersions(self, name: str, query: dict[str, str], body: bytes) -> tuple[dict[str, str], str]:
        rows = sorted(enumerate(self.store.versions), key=lambda row: (row[1].name, -row[0]))
        found = [each for _, each in rows if each.name.startswith(query["prefix"])]
        after = (query.get("key-marker"), query.get("version-id-marker"))
        at = next((index + 1 for index, each in enumerate(found) if (each.name, each.id) == after), 0)
        page = found[at : at + PAGE]
        more = "".join(
            f"<Version><Key>{quote(each.name)}</Key><VersionId>{each.id}</VersionId><IsLatest>true</IsLatest>"
            f'<LastModified>{each.at:%Y-%m-%dT%H:%M:%S.000Z}</LastModified><ETag>"x"</ETag><Size>{len(each.body)}</Size>'
            "<StorageClass>STANDARD</StorageClass></Version>"
            for each in page
        )
        is_cut = at + PAGE < len(found)
        if is_cut:
            more += f"<NextKeyMarker>{quote(page[-1].name)}</NextKeyMarker>"
            more += f"<NextVersionIdMarker>{page[-1].id}</NextVersionIdMarker>"
        return {}, (
            f"<ListVersionsResult><Name>seals</Name><Prefix>{escape(query['prefix'])}</Prefix>"
            f"<EncodingType>url</EncodingType><IsTruncated>{str(is_cut).lower()}</IsTruncated>{more}"
            "</ListVersionsResult>"
        )


def _action(method: str, name: str, query: dict[str, str]) -> str:
    if method == "PUT" and name and not query:
        return "PutObject"
    if method == "DELETE" and name and "versionId" in query:
        return "DeleteObjectVersion"
    if method == "GET" and name and "retention" in query:
        return "GetObjectRetention"
    if method == "GET" and not name and "versions" in query:
        return "ListBucketVersions"
    raise Refused(405, "MethodNotAllowed")


def _signer(request: _Handler, path: str, query: dict[str, str], body: bytes, of: Store) -> str:
    """Return the id of the key that signed this request. :raises Refused: none did, or it is another request."""
    kind, _, rest = request.headers.get("Authorization", "").partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
    try:
        user, date, region, service, ends = parts["Credential"].split("/")
        secret, signed = of.may[user][0], parts["SignedHeaders"].split(";")
        at = datetime.strptime(request.headers["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        payload = request.headers["x-amz-content-sha256"]
    except (KeyError, TypeError, ValueError):
        raise Refused(403, "InvalidAccessKeyId") from None
    if abs(clock.now() - at) > timedelta(minutes=15):
        raise Refused(403, "RequestTimeTooSkewed")
    if (kind, region, service, ends) != ("AWS4-HMAC-SHA256", REGION, "s3", "aws4_request"):
        raise Refused(403, "SignatureDoesNotMatch")
    # Whatever says something of the object must be signed too.
    unsigned = {key.lower() for key in request.headers if key.lower().startswith("x-amz-")} | {"host"}
    if unsigned - set(signed):
        raise Refused(403, "AccessDenied")
    if payload == "UNSIGNED-PAYLOAD":
        given = request.headers.get("Content-MD5", "")
        if base64.b64encode(hashlib.md5(body).digest()).decode() != given:
            raise Refused(400, "BadDigest")
    elif payload != hashlib.sha256(body).hexdigest():
        raise Refused(400, "XAmzContentSHA256Mismatch")
    canonical = "\n".join(
        [
            request.command,
            quote(unquote(path), safe="/-_.~"),
            "&".join(f"{quote(key, safe='-_.~')}={quote(query[key], safe='-_.~')}" for key in sorted(query)),
            *(f"{key}:{' '.join(request.headers[key].split())}" for key in signed),
            "",
            ";".join(signed),
            payload,
        ]
    )
    scope = f"{date}/{region}/{service}/{ends}"
    text = (
        f"AWS4-HMAC-SHA256\n{request.headers['x-amz-date']}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    )
    key = f"AWS4{secret}".encode()
    for part in (date, region, service, ends):
        key = hmac.digest(key, part.encode(), "sha256")
    if not hmac.compare_digest(hmac.new(key, text.encode(), "sha256").hexdigest(), parts["Signature"]):
        raise Refused(403, "SignatureDoesNotMatch")
    request._user = user
    return user
