"""What is written down for a big room names only what exists."""

import importlib
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from django.core.management import get_commands
from psycopg.conninfo import make_conninfo

from bench.saturday import APART
from casino.embedded.servers import Servers
from casino.supervisor.commands import beat_command, sealer_command, web_command, worker_command
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
    assert set(SERVICES) == {
        "postgres", "redis", "migrate", "web", "sockets", "worker", "beat", "sealer", "proxy",
    }  # fmt: skip


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


def test_images_of_others_are_named_by_version_and_digest() -> None:
    built_on = re.findall(r"^FROM (?:--\S+ )?(\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    images = [service["image"] for name, service in SERVICES.items() if name not in OURS]

    assert built_on
    assert len(images) == len(SERVICES) - len(OURS)
    for image in [*built_on, *images]:
        assert re.fullmatch(r"[a-z]+:\d+\.\d+[a-z0-9.-]*@sha256:[0-9a-f]{64}", image), image


def test_only_who_migrates_owns_the_database_and_nobody_of_ours_is_its_superuser() -> None:
    owners = [name for name in OURS if "BRUSH_OWNER_DATABASE_URL" in SERVICES[name]["environment"]]

    assert owners == ["migrate"]
    for name in OURS:
        environment = SERVICES[name]["environment"]
        login = "brush_sealer:${BRUSH_SEALER" if name == "sealer" else "brush_runtime:${BRUSH_RUNTIME"
        assert environment["DATABASE_URL"].startswith(f"postgresql://{login}_PASSWORD:?")
        assert not any("POSTGRES_PASSWORD" in str(value) for value in environment.values())
        assert name in owners or not any("OWNER" in str(value) for value in environment.values())
    assert "./deploy/roles.sh:/docker-entrypoint-initdb.d/roles.sh:ro" in SERVICES["postgres"]["volumes"]


def test_only_the_sealer_seals_and_has_its_key() -> None:
    services = {name for name in SERVICES if "BRUSH_SEALER_PASSWORD" in str(SERVICES[name].get("environment"))}
    mounted = {
        (name, volume.partition(":")[0])
        for name, service in SERVICES.items()
        for volume in service.get("volumes", ())
        if volume.partition(":")[0] in ("sealer", "seals")
    }

    assert {name for name in SERVICES if "S3_KEY" in str(SERVICES[name].get("environment"))} == {"sealer"}
    # PostgreSQL's image makes the role, and `migrate`, which grants, is over when the others begin.
    assert services == {"postgres", "migrate", "sealer"}
    assert mounted == {("sealer", "sealer"), ("sealer", "seals")}
    sealer = SERVICES["sealer"]
    assert command_words(sealer["command"]) == command_words(sealer_command())
    assert "BRUSH_SECRET_KEY" not in sealer["environment"]
    # A new volume takes over whose folder of the image it covers.
    for volume in sealer["volumes"]:
        assert volume.partition(":")[2] in (ROOT / "Dockerfile").read_text()


@pytest.mark.slow
def test_a_new_server_gets_the_roles_that_the_embedded_one_has(open_folder: Path) -> None:
    about = (
        "SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolcanlogin,"
        " pg_has_role(oid, 'brush_runtime', 'MEMBER'), pg_has_role(oid, 'brush_sealer', 'MEMBER')"
        " FROM pg_roles WHERE rolname LIKE 'brush%' ORDER BY 1"
    )
    servers = Servers(open_folder / "var", durable=False)
    servers.start()
    try:
        with servers.postgres._connect_as_admin() as admin:
            made = admin.execute(about).fetchall()
            admin.execute("DROP DATABASE brush")
            admin.execute("DROP ROLE brush")
            admin.execute("DROP ROLE brush_runtime")
            admin.execute("DROP ROLE brush_sealer")
        password = (servers.home.folder / "postgres-admin-password").read_text()
        environment = {"PGHOST": str(servers.home.sockets), "POSTGRES_USER": "postgres", "PGPASSWORD": password}
        for secret in ("first", "second"):
            passwords = {
                "BRUSH_OWNER_PASSWORD": f"{secret} owner's",
                "BRUSH_RUNTIME_PASSWORD": f"{secret} room's",
                "BRUSH_SEALER_PASSWORD": f"{secret} sealer's",
            }
            path = {"PATH": f"{servers.home.postgres_programs}:{os.environ['PATH']}"}
            subprocess.run(["sh", ROOT / "deploy/roles.sh"], env=environment | path | passwords, check=True)

        with servers.postgres._connect_as_admin() as admin:
            assert admin.execute(about).fetchall() == made
            owned = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'brush'"
            assert admin.execute(owned).fetchone() == ("brush",)
        roles = {"brush": "second owner's", "brush_runtime": "second room's", "brush_sealer": "second sealer's"}
        for role, role_password in roles.items():
            where = make_conninfo(host=environment["PGHOST"], dbname="brush", user=role, password=role_password)
            with psycopg.connect(where) as connection:
                assert connection.execute("SELECT current_user").fetchone() == (role,)
    finally:
        servers.stop()


def test_nothing_waits_for_a_service_that_is_not_there() -> None:
    for service in SERVICES.values():
        for name, condition in service.get("depends_on", {}).items():
            assert name in SERVICES
            if condition["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[name]


def test_secrets_are_asked_for_and_never_written_down() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    variables = set(re.findall(r"\$\{(\w+):\?", text))
    example = (ROOT / "deploy" / "env.example").read_text()

    secrets = {name for name in variables if name.endswith(("_PASSWORD", "_KEY"))}

    assert variables == secrets | {"BRUSH_DOMAIN"}
    for name in variables:
        assert re.search(rf"^{name}=", example, re.MULTILINE), f"{name} is not in deploy/env.example"
    for name in secrets:
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


def test_a_saturday_is_measured_with_as_many_web_processes_as_compose_starts() -> None:
    assert SERVICES["web"]["deploy"]["replicas"] == max(APART.values())
    assert "deploy" not in SERVICES["sockets"]


@pytest.mark.parametrize("script", [".ci/run", "scripts/python", "deploy/roles.sh"])
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
