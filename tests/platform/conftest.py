"""Folders in which embedded servers can really live."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """
    Return a folder with a short path that other users can pass through.

    pytest's own are private: where tests run as root, the user who runs PostgreSQL could not reach them.
    """
    folder = Path(tempfile.mkdtemp(prefix="brush-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)
