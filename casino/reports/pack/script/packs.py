"""The files of a pack."""

import csv
import hashlib
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a name is there twice in one of {', '.join(found)}")
    return found


class Pack:
    """The files of a pack, out of its zip or a folder."""

    def __init__(self, where: Any) -> None:
        self._folder: Path | None = where if isinstance(where, Path) and where.is_dir() else None
        self._zip = zipfile.ZipFile(where) if self._folder is None else None

    def names(self) -> set[str]:
        if self._zip is not None:
            return {name for name in self._zip.namelist() if not name.endswith("/")}
        assert self._folder is not None
        return {each.relative_to(self._folder).as_posix() for each in self._folder.rglob("*") if each.is_file()}

    def open(self, name: str) -> Any:
        if self._zip is not None:
            return self._zip.open(name)
        assert self._folder is not None
        return (self._folder / name).open("rb")

    def read(self, name: str) -> str:
        with self.open(name) as file:
            return str(file.read(), "utf-8")

    def json(self, name: str) -> Any:
        """Return what is in a file of JSON. One name twice in it would be one thing to this and another to a reader."""
        return json.loads(self.read(name), object_pairs_hook=_once)

    def lines(self, name: str) -> Iterator[str]:
        with self.open(name) as file:
            for line in file:
                yield str(line, "utf-8").removesuffix("\n")

    def hash(self, name: str) -> str:
        digest = hashlib.sha256()
        with self.open(name) as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
        return digest.hexdigest()

    def accounts(self) -> dict[int, dict[str, Any]]:
        found = {}
        for row in csv.DictReader(self.lines("accounts.csv")):
            numbers = ("id", "owner_id", "is_promise", "opening_cents", "closing_cents")
            account: dict[str, Any] = row | {name: int(row[name]) for name in numbers}
            if account["id"] in found:
                raise ValueError(f"account {account['id']} is there twice")
            found[account["id"]] = account
        return found

    def heads(self) -> dict[str, tuple[int, str]]:
        """Return where each chain that moved in these days ends."""
        found = {}
        for day in self.json("manifest.json")["days"]:
            for line in self.lines(f"days/{day['date']}/log.txt"):
                hashed, _space, text = line.partition(" ")
                event = json.loads(text)
                found[event["chain"]] = (event["number"], hashed)
        return found
