"""
Style sheets, scripts and pictures as a screen gets them: compressed once, and under an address that never changes
what it means.

All files of one state of the code lie under one folder named by a digest of them all, so that a module's relative
imports need no rewriting and no file can be mixed with another state's. A browser keeps them for good.
"""

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.storage import Storage
from whitenoise.storage import CompressedStaticFilesStorage

# Of other apps, only what a page of ours asks for.
IGNORED = ["rest_framework", "redoc", "ext", "*.map"]
# Processes of older code may still run from this folder.
STATES_KEPT = 3


class HouseFiles(StaticFilesStorage):
    """Addresses of files: under their state's digest once they are collected, plain while nobody has done that."""

    def url(self, name: str | None) -> str:
        """Return where a browser finds the file of this name."""
        state = "" if settings.DEBUG else _collected()
        return super().url(f"{state}/{name}" if state else name)


def collect() -> None:
    """
    Copy all files into their state's folder under STATIC_ROOT, with a compressed one beside each; once per state.

    A disk that takes nothing is no reason not to open: files are then served as they are.
    """
    with contextlib.suppress(OSError):
        root = Path(settings.STATIC_ROOT)
        root.mkdir(parents=True, exist_ok=True)
        if not (root / files_state()).is_dir():
            _collect_into(root)
    _collected.cache_clear()


def _collect_into(root: Path) -> None:
    draft = Path(tempfile.mkdtemp(prefix="draft-", dir=root))
    try:
        storage = CompressedStaticFilesStorage(location=str(draft))
        for name, source in _sources():
            with source.open(name) as file:
                storage.save(name, file)
        # A generator that compresses one file with each step.
        list(storage.post_process({name: None for name, _ in _sources()}))
        draft.chmod(0o755)
        # Whole or not at all, and whoever comes second finds it done.
        draft.rename(root / files_state())
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    states = sorted(root.iterdir(), key=lambda folder: folder.stat().st_mtime)
    for old in states[:-STATES_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


@cache
def files_state() -> str:
    """Return the digest of all files as this process knows them: which state of the code its pages are of."""
    digest = hashlib.sha256()
    # By name: two disks list the same files in two orders.
    for name, source in sorted(_sources(), key=lambda each: each[0]):
        with source.open(name) as file:
            digest.update(f"{name}\0".encode() + file.read())
    return digest.hexdigest()[:16]


@cache
def _collected() -> str:
    return files_state() if (Path(settings.STATIC_ROOT) / files_state()).is_dir() else ""


def _sources() -> Iterator[tuple[str, Storage]]:
    seen = set()
    for finder in get_finders():
        for name, source in finder.list(IGNORED):
            if name not in seen:
                seen.add(name)
                yield name, source


if __name__ == "__main__":
    import django

    django.setup()
    collect()
