"""
Hashing PINs and passwords in turn.

An Argon2 hash takes a hundred megabytes and a core for its time, and anybody who reaches the house can ask for one. So
a process makes few at once, whoever asks; and of these passwords, which strangers may try too, never take the last
place: a tablet's PIN does not wait behind them. Nor does anything else: who waits there holds no row, and no
connection to the database, of which a process has not many more.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection

from casino.errors import Busy

HASHES_AT_ONCE = 2
PASSWORDS_AT_ONCE = 1
# Somebody may hold a row meanwhile, and a screen gives up after eight seconds.
TURN_SECONDS_MAX = 3

_hashes = threading.BoundedSemaphore(HASHES_AT_ONCE)
_passwords = threading.BoundedSemaphore(PASSWORDS_AT_ONCE)


class HouseHasher(Argon2PasswordHasher):
    """
    Argon2, a few at once in a process; under its own name in each hash, which others can read.

    :raises Busy: the turn did not come in time; nothing was tried.
    """

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password or a PIN."""
        with _turn(_hashes):
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Tell whether this is the password or the PIN of that hash."""
        with _turn(_hashes):
            return super().verify(password, encoded)


@contextmanager
def among_passwords() -> Iterator[None]:
    """
    Wait for a place among the passwords, which leave some to PINs: before a row is locked, so that nobody who has a
    place waits for who waits for one. Outside a transaction the connection is given back first.

    :raises Busy: none came free in time.
    """
    if not connection.in_atomic_block:
        connection.close()
    with _turn(_passwords):
        yield


@contextmanager
def _turn(places: threading.BoundedSemaphore) -> Iterator[None]:
    if not places.acquire(timeout=TURN_SECONDS_MAX):
        raise Busy
    try:
        yield
    finally:
        places.release()
