"""What comes before anything is installed: the right Python, the virtual environment, the locks."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.browser import CHROMIUM_NAMES
from tests.support.servers import ROOT

LOCKS = ["requirements.txt", "requirements-dev.txt"]


def load(script: str) -> ModuleType:
    """Return a script of ours as a module."""
    spec = importlib.util.spec_from_file_location(Path(script).stem, ROOT / script)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pythons(folder: Path, **versions: str) -> dict[str, str]:
    """Return an environment whose PATH holds only Pythons that claim these versions; "" does not even start."""
    for name, version in versions.items():
        program = folder / name.replace("_", ".")
        numbers = ", ".join(version.split("."))
        program.write_text(
            "#!/bin/sh\n"
            + (
                f'exec {sys.executable} -c "import sys, platform; sys.version_info = ({numbers}); '
                f'platform.python_version = lambda: \'{version}\'; exec(sys.argv[1])" "$2"\n'
                if version
                else "exit 127\n"
            )
        )
        program.chmod(0o755)
    return {"PATH": str(folder)}


def find_python(environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = ["/bin/sh", str(ROOT / "scripts/python"), "-c", "print('it runs')"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("version", ["3.11.2", "3.12.9"])
def test_a_python_that_is_promised_is_taken(tmp_path: Path, version: str) -> None:
    assert find_python(pythons(tmp_path, python3=version)).stdout == "it runs\n"


def test_a_name_that_leads_nowhere_is_passed_over(tmp_path: Path) -> None:
    assert find_python(pythons(tmp_path, python3_12="", python3="3.11.2")).stdout == "it runs\n"


@pytest.mark.parametrize("version", ["3.10.13", "3.13.0"])
def test_a_wrong_python_gets_one_sentence(tmp_path: Path, version: str) -> None:
    ran = find_python(pythons(tmp_path, python3=version))

    assert ran.returncode == 1
    assert f"Brush needs Python 3.11 or 3.12, and this machine has Python {version} as python3" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_no_python_at_all_gets_one_sentence(tmp_path: Path) -> None:
    ran = find_python({"PATH": str(tmp_path)})

    assert ran.returncode == 1
    assert "this machine has no Python" in ran.stderr


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_that_makes_no_virtual_environments_gets_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    setup = load("scripts/setup.py")
    monkeypatch.setattr(setup, "VENV_PYTHON", tmp_path / "python")
    monkeypatch.setattr(setup, "STAMP", tmp_path / "stamp")
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(setup.importlib.util, "find_spec", lambda name: None if name == missing else find_spec(name))

    assert setup.main([]) == 1

    output = capsys.readouterr().err
    assert f"lacks the module {missing}" in output
    assert re.search(r"apt-get install python3\.1[12]-venv", output)


@pytest.mark.slow
def test_it_installs_again_only_when_the_lock_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = load("scripts/setup.py")
    runtime, dev = tmp_path / "requirements.txt", tmp_path / "requirements-dev.txt"
    for name, value in {"RUNTIME_LOCK": runtime, "DEV_LOCK": dev, "STAMP": tmp_path / "stamp"}.items():
        monkeypatch.setattr(setup, name, value)
    monkeypatch.setattr(setup, "VENV_PYTHON", Path(sys.executable))
    monkeypatch.setattr(setup, "find_browser", lambda: None)
    runtime.write_text("a==1")
    dev.write_text("a==1\nb==1")
    installed: list[str] = []
    really_run = subprocess.run

    def run(command: list[object], **options: object) -> "subprocess.CompletedProcess[bytes]":
        if "install" in command:
            installed.append(str(command[-1]))
            return subprocess.CompletedProcess([], 0)
        return really_run(command, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(setup.subprocess, "run", run)

    assert setup.main([]) == setup.main([]) == 0
    assert installed == [str(runtime)]

    # What tests need contains what the room needs, so `make run` after `make test` has nothing to do.
    assert setup.main(["--dev"]) == setup.main(["--dev"]) == setup.main([]) == 0
    assert installed == [str(runtime), str(dev)]

    runtime.write_text("a==2")
    assert setup.main([]) == 0
    assert installed == [str(runtime), str(dev), str(runtime)]


@pytest.mark.parametrize("name", CHROMIUM_NAMES)
def test_none_is_fetched_where_the_machine_has_a_browser_that_the_tests_take(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = load("scripts/setup.py")
    calls: list[object] = []
    monkeypatch.setattr(setup.shutil, "which", lambda program: "/usr/bin/it" if program == name else None)
    monkeypatch.setattr(setup, "run_quietly", calls.append)

    setup.find_browser()

    assert calls == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_pinned_and_hashed(name: str) -> None:
    text = (ROOT / name).read_text()
    entries = re.split(r"\n(?=[a-z])", text)

    for entry in entries:
        assert re.match(r"[a-z0-9.-]+==[\w.+]+", entry), entry[:60]
        assert "--hash=sha256:" in entry, entry[:60]


def test_both_locks_pin_the_same_versions() -> None:
    runtime, dev = (dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE)) for name in LOCKS)

    assert {name: dev.get(name) for name in runtime} == runtime


def test_everything_asked_for_is_locked() -> None:
    for source, lock in (("requirements.in", LOCKS[0]), ("requirements-dev.in", LOCKS[1])):
        pinned = set(re.findall(r"^([\w.-]+)==", (ROOT / lock).read_text(), re.MULTILINE))
        packages = re.findall(r"^([A-Za-z][\w.-]*)", (ROOT / source).read_text(), re.MULTILINE)
        assert {name.lower().replace("_", "-") for name in packages} <= pinned


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("--extra-" + "index-url https://packages.example/", True),
        ("https://" + "py" + "pi.org/simple/django/", True),
        ("see http://mirror" + ".example/debian", True),
        ("https://docs.djangoproject.com/en/5.2/", False),
        ("a mirror of the table", False),
        ("python -m pip install --require-hashes", False),
    ],
)
def test_addresses_of_package_registries_are_found(tmp_path: Path, line: str, is_found: bool) -> None:
    file = tmp_path / "file.txt"
    file.write_text(f"first line\n{line}\n")

    assert bool(load("scripts/addresses.py").places_in(file, "file.txt")) is is_found


def test_importing_settings_starts_nothing_and_writes_nothing(tmp_path: Path) -> None:
    data_dir = tmp_path / "var"
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}

    subprocess.run(
        [sys.executable, "-c", "import casino.settings"],
        cwd=ROOT,
        env=environment | {"BRUSH_DATA_DIR": str(data_dir)},
        check=True,
    )

    assert not data_dir.exists()
