"""Where the tests' databases lie: in memory where there is room, and for as long as there is a project."""

import os
from pathlib import Path

import pytest

from tests.support import memory


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("memory", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "memory")
    monkeypatch.setattr(memory, "ROOM_BYTES_MIN", 1)
    return tmp_path / "project"


def test_a_folder_in_memory_stays_for_as_long_as_its_project_does(project: Path) -> None:
    gone = project.with_name("gone")
    gone.mkdir()
    left, other = memory.folder_of(gone), memory.MEMORY / f"brush-tests-{os.geteuid()}-of-somebody"
    other.mkdir()
    assert left is not None
    (left / "data").mkdir()
    gone.rmdir()

    ours = memory.folder_of(project)

    assert set(memory.MEMORY.iterdir()) == {ours, other}
    assert memory.folder_of(project) == ours


def test_where_there_is_no_room_nothing_lies_in_memory_but_what_began_there(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = memory.folder_of(project)
    monkeypatch.setattr(memory, "ROOM_BYTES_MIN", 2**60)

    assert memory.folder_of(project.with_name("memory")) is None
    assert memory.folder_of(project) == ours
