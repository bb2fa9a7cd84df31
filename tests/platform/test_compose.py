"""What is written down for a big room names only what exists."""

import importlib
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from casino.supervisor.commands import beat_command, web_command, worker_command
from tests.support.servers import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = sorted(name for name, service in SERVICES.items() if service.get("image") == "brush")
# Programs of the images that are not ours.
PROGRAMS_OF_IMAGES = {"postgres": {"pg_isready"}, "redis": {"redis-server", "redis-cli"}, "caddy": {"wget"}}


def command_words(command: list[str]) -> list[str]:
    """Return the words of one of the supervisor's commands as compose spells them."""
    words = ["python", *command[1:]]
    return " ".join(words).replace("=", " ").split()


def assert_exists(words: list[str]) -> None:
    """Fail unless a command of ours starts something that is there."""
    assert words[0] == "python"
    if words[1] == "-m":
        assert importlib.util.find_spec(words[2]), f"there is no module {words[2]}"
    else:
        assert (ROOT / words[1]).is_file(), f"there is no file {words[1]}"
        if words[1] == "manage.py":
            assert words[2] in get_commands(), f"manage.py has no command {words[2]}"
    for word in words:
        if match := re.fullmatch(r"(?:--app=)?(casino\.\w+):(\w+)", word):
            module = importlib.import_module(match[1])
            assert hasattr(module, match[2]), f"{match[1]} has no {match[2]}"


def test_every_part_of_a_big_room_is_there() -> None:
    assert set(SERVICES) == {"postgres", "redis", "migrate", "web", "sockets", "worker", "beat", "proxy"}


@pytest.mark.parametrize("name", OURS)
def test_our_commands_exist(name: str) -> None:
    assert_exists(SERVICES[name]["command"])


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "migrate"])
def test_every_service_has_a_health_check_that_exists(name: str) -> None:
    check = SERVICES[name]["healthcheck"]["test"]

    assert check[0] == "CMD"
    if name in OURS:
        assert_exists(check[1:])
    else:
        image = SERVICES[name]["image"].partition(":")[0]
        assert check[1] in PROGRAMS_OF_IMAGES[image]


@pytest.mark.parametrize(("name", "command"), [("worker", worker_command()), ("beat", beat_command())])
def test_worker_and_beat_run_as_make_run_starts_them(name: str, command: list[str]) -> None:
    assert " ".join(SERVICES[name]["command"]).replace("=", " ").split() == command_words(command)


@pytest.mark.parametrize("name", ["web", "sockets"])
def test_web_processes_run_as_make_run_starts_them_but_for_the_proxy(name: str) -> None:
    written = " ".join(SERVICES[name]["command"])
    for extra in ("--proxy-headers", "--forwarded-allow-ips=*"):
        assert extra in written
        written = written.replace(extra, "")

    assert written.replace("=", " ").split() == command_words(web_command(host="0.0.0.0", port=8000))


def test_the_image_runs_a_web_process_unless_told_otherwise() -> None:
    last = (ROOT / "Dockerfile").read_text().strip().splitlines()[-1]

    assert yaml.safe_load(last.removeprefix("CMD ")) == command_words(web_command(host="0.0.0.0", port=8000))


def test_the_image_copies_only_what_exists_and_runs_as_nobody_special() -> None:
    text = (ROOT / "Dockerfile").read_text()

    for copied in re.findall(r"^COPY (\S+)", text, re.MULTILINE):
        assert (ROOT / copied).exists()
    for compiled in re.search(r"compileall -q ([\w ]+)", text)[1].split():  # type: ignore[index]
        assert (ROOT / compiled).is_dir()
    assert re.search(r"^USER (?!root)", text, re.MULTILINE)


def test_nothing_waits_for_a_service_that_is_not_there() -> None:
    for service in SERVICES.values():
        for name, condition in service.get("depends_on", {}).items():
            assert name in SERVICES
            if condition["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[name]


def test_secrets_are_asked_for_and_never_written_down() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    asked = set(re.findall(r"\$\{(\w+):\?", text))
    example = (ROOT / "deploy" / "env.example").read_text()

    assert {"POSTGRES_PASSWORD", "REDIS_PASSWORD", "BRUSH_SECRET_KEY", "BRUSH_DOMAIN"} <= asked
    for name in asked:
        assert re.search(rf"^{name}=", example, re.MULTILINE), f"{name} is not in deploy/env.example"
    for name in ("POSTGRES_PASSWORD", "REDIS_PASSWORD", "BRUSH_SECRET_KEY"):
        assert re.search(rf"^{name}=$", example, re.MULTILINE)


def test_only_the_proxy_is_reached_from_outside_and_knows_every_web_process() -> None:
    caddyfile = (ROOT / "deploy" / "Caddyfile").read_text()

    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert set(re.findall(r"reverse_proxy (\w+):8000", caddyfile)) == {"web", "sockets"}
    assert "header Upgrade websocket" in caddyfile
    assert "tls " in caddyfile
    for volume in SERVICES["proxy"]["volumes"]:
        source = volume.partition(":")[0]
        assert source in COMPOSE["volumes"] or (ROOT / source).exists()


@pytest.mark.parametrize("script", [".ci/run", "scripts/python"])
def test_scripts_can_be_run_and_have_no_mistakes_a_shell_can_see(script: str) -> None:
    path = ROOT / script

    assert path.stat().st_mode & 0o111
    shell = shutil.which("bash") or "sh"
    assert subprocess.run([shell, "-n", str(path)], check=False).returncode == 0


def test_ci_runs_what_people_run() -> None:
    run = (ROOT / ".ci" / "run").read_text()
    makefile = (ROOT / "Makefile").read_text()

    for command in re.findall(r"^make (\S+)$", run, re.MULTILINE):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE)
    for script in re.findall(r"scripts/[\w.]+", run + makefile):
        assert (ROOT / script).is_file()
    assert "BRUSH_REQUIRE_BROWSER=1" in run
    assert Path(ROOT / "tests/support/debian.py").is_file()
