"""
The sealer's private key, in a file that only the sealer reads, and its turning over.

The file knows, beside the key itself, how each of its keys came after the one before: a version, the public key, and
the signature of the version before. The sealer puts that into the database with its next seal, so that turning over is
a matter of the file alone, and the old private key is gone with it.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from casino.audit.sealing.text import text_of_key
from casino.embedded.home import write_private

FILE = "key.json"


class NoKey(Exception):
    """Why there is no key to seal with, in a sentence for whoever runs the house."""


@dataclass(frozen=True)
class Introduction:
    """A key as the one before presents it; `signature` is "" where there was none before."""

    version: int
    public: str
    signature: str


@dataclass(frozen=True)
class Key:
    """A private key (hex), and all introductions up to its own."""

    private: str
    introductions: tuple[Introduction, ...]

    @property
    def version(self) -> int:
        """Return which key of the house this is, from 1 on."""
        return self.introductions[-1].version

    def sign(self, text: str) -> str:
        """Return the signature of a text, in hex."""
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(self.private)).sign(text.encode()).hex()


def is_signed(text: str, signature: str, *, public: str) -> bool:
    """Say whether the key with this public half signed this text."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def read_key(folder: Path) -> Key | None:
    """
    Return the key in this folder, None where there is none yet.

    :raises NoKey: others can read it, or it is no key.
    """
    file = folder / FILE
    try:
        with file.open() as opened:
            # Of the file that is open, and not by its name, where another could lie by now.
            if os.fstat(opened.fileno()).st_mode & 0o077:
                raise NoKey(f"{file} can be read by others, who could seal with it: chmod 600, then turn the key over.")
            stored = json.load(opened)
        return Key(stored["private"], tuple(Introduction(**each) for each in stored["introductions"]))
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise NoKey(f"The sealer's key cannot be read: {problem}") from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise NoKey(f"{file} holds no key.") from problem


def begin_key(folder: Path, *, version: int) -> Key:
    """Make a key that no other introduces."""
    return _make(folder, version=version, before=())


def put_aside(folder: Path, key: Key) -> Path:
    """
    Take a key that is of another house out of the way, and keep it; return where it is now.

    :raises NoKey: it cannot be moved.
    """
    aside = folder / f"key-{key.introductions[-1].public[:16]}.json"
    try:
        return (folder / FILE).rename(aside)
    except OSError as problem:
        raise NoKey(f"The key of another house cannot be put aside: {problem}") from problem


def turn_key(folder: Path) -> Key:
    """
    Put a new key in the place of the one in this folder, which signs it and is gone.

    :raises NoKey: there is none, or none that can be read.
    """
    old = read_key(folder)
    if old is None:
        raise NoKey(f"There is no key in {folder}: the sealer makes one with its first seal.")
    return _make(folder, version=old.version + 1, before=old.introductions, by=old)


def _make(folder: Path, *, version: int, before: Sequence[Introduction], by: Key | None = None) -> Key:
    made = Ed25519PrivateKey.generate()
    public = made.public_key().public_bytes_raw().hex()
    signature = by.sign(text_of_key(version, public)) if by else ""
    key = Key(made.private_bytes_raw().hex(), (*before, Introduction(version, public, signature)))
    try:
        make_folder(folder)
        write_private(folder / FILE, json.dumps(asdict(key)))
    except OSError as problem:
        raise NoKey(f"The sealer's key cannot be written: {problem}") from problem
    return key


def make_folder(folder: Path) -> None:
    """Make the sealer's folder, which nobody else can enter, unless it is there."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True)
        folder.chmod(0o700)
