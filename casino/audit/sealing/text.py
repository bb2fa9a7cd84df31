"""What a seal and a key say, as it is signed: the same text for who signs, who verifies and who keeps a copy."""

import hashlib
import hmac

from django.conf import settings

from casino.audit.hashes import canonical
from casino.audit.models import Seal

# Codes of so many stand on paper: with another number none of these is found again.
CODE_CHARACTERS = 20


def text_of(seal: Seal) -> str:
    """Return what is signed: room, number, moment, the hash of the heads, the seal before, and the key's version."""
    return canonical(
        {
            "room": seal.room_id,
            "number": seal.number,
            "at": seal.at,
            "heads": hashlib.sha256(seal.heads.encode()).hexdigest(),
            "previous": seal.previous,
            "key": seal.key_version,
        }
    )


def text_of_key(version: int, public: str) -> str:
    """Return what the key of the version before signs."""
    return canonical({"key": version, "public": public})


def hash_of(seal: Seal) -> str:
    """Return what stands for a seal, its signature included, in the next one."""
    return seal.mac or hashlib.sha256(f"{text_of(seal)}\n{seal.signature}".encode()).hexdigest()


def code_of(seal: Seal) -> str:
    """Return the code of a seal as people read it: "7F3A-22C9-01BD-9E44-C0D5"."""
    code = hash_of(seal)[:CODE_CHARACTERS].upper()
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def mac_of(seal: Seal) -> str:
    """Return the keyed hash that versions before signed ones put there."""
    message = f"{seal.room_id}\n{seal.at.isoformat()}\n{seal.heads}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), message, hashlib.sha256).hexdigest()
