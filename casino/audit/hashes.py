"""What is hashed of an event, and how each event is tied to the one before it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

# What the first of each chain names before it: another value would break every chain that stands.
GENESIS = "0" * 64


def canonical(value: Mapping[str, Any]) -> str:
    """Return the one JSON text for these values: sorted keys, no spaces, dates in ISO 8601, amounts as integers."""
    # The same text each time, after an upgrade too: a tap that is sent again is compared by its hash.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        # Its fields alone: those that are dataclasses themselves come here too.
        return {each.name: getattr(value, each.name) for each in fields(value)}
    raise TypeError(f"{type(value).__name__} has no place in the log")


def link(previous_hash: str, text: str) -> str:
    """Return the hash of an event: SHA-256 of the previous one's, a newline, and the canonical text."""
    return hashlib.sha256(f"{previous_hash}\n{text}".encode()).hexdigest()
