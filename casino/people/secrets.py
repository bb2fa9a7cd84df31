"""Tokens, codes and PINs: how they are made, and how they are kept."""

import hashlib
import hmac
import re
import secrets

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password

# No 0/O, 1/I/L, 5/S, 2/Z, 8/B, U/V: somebody reads the code out across a noisy room.
_ALPHABET = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH = 8


def new_token() -> str:
    """Return a token with 256 random bits, fit for a cookie or a header."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return what is kept of a token. A plain SHA-256 will do: nobody guesses 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_proof(text: str) -> bool:
    """Tell whether a text can be the `digest` of a device's secret."""
    return re.fullmatch(r"[0-9a-f]{64}", text) is not None


def new_code() -> str:
    """Return an enrolment code such as "RW4K-9XTD": 36 random bits that live for minutes."""
    code = "".join(secrets.choice(_ALPHABET) for _ in range(CODE_LENGTH))
    return f"{code[:4]}-{code[4:]}"


def code_digest(code: str) -> str:
    """Return what is kept of a code: keyed, since 36 bits could be tried one by one by whoever reads the row."""
    tidy = "".join(code.split()).replace("-", "").upper()
    return hmac.new(settings.SECRET_KEY.encode(), tidy.encode(), hashlib.sha256).hexdigest()


def is_pin(text: str) -> bool:
    """Tell whether a text can be a PIN: four to eight digits, not all the same."""
    return re.fullmatch(r"[0-9]{4,8}", text) is not None and len(set(text)) > 1


def pin_hash(pin: str) -> str:
    """Return a PIN's Argon2 hash."""
    return make_password(pin)


def pin_agrees(pin: str, kept: str) -> bool:
    """Tell whether this is the PIN. An empty hash agrees with nothing, in the same time."""
    if not kept:
        make_password(pin)
        return False
    return check_password(pin, kept)


def password_agrees(password: str, kept: str) -> bool:
    """Tell whether this is the password of that hash."""
    return check_password(password, kept)
