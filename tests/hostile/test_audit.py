"""`make audit` reads what pip-audit answers; the service itself is asked by nobody here."""

import json
from importlib.util import module_from_spec, spec_from_file_location

import pytest

from tests.support.servers import ROOT

_spec = spec_from_file_location("audit_script", ROOT / "scripts" / "audit.py")
assert _spec is not None
assert _spec.loader is not None
audit = module_from_spec(_spec)
_spec.loader.exec_module(audit)

CLEAN = json.dumps({"dependencies": [{"name": "django", "version": "5.2.19", "vulns": []}], "fixes": []})
FOUND = json.dumps(
    {
        "dependencies": [
            {"name": "django", "version": "5.2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["5.2.1"]}]},
            {"name": "redis", "version": "8.0.0", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]},
        ]
    }
)
SKIPPED = json.dumps({"dependencies": [{"name": "ours", "skip_reason": "not on the index"}]})
AWAY = "WARNING: trying again\nERROR:pip_audit: could not connect: name not known\n"


@pytest.mark.parametrize(
    ("output", "complaints", "code", "strict_code", "sentence"),
    [
        pytest.param(CLEAN, "", 0, 0, "nothing known", id="nothing is known"),
        pytest.param(FOUND, "Found 2 known vulnerabilities", 1, 1, "PYSEC-1, mended in 5.2.1", id="two are"),
        pytest.param("", AWAY, 0, 1, "not checked, the advisory service did not answer", id="nobody answers"),
        pytest.param("<html>", "", 0, 1, "pip-audit said nothing", id="a captive portal answers"),
        pytest.param("[]", "", 0, 1, "not checked", id="another form of answer"),
        pytest.param(
            SKIPPED,
            "",
            0,
            1,
            "not checked: 1 of 1 packages, the first one because: not on the index",
            id="one was left out",
        ),
    ],
)
def test_what_was_answered_decides(monkeypatch, capsys, output, complaints, code, strict_code, sentence):
    monkeypatch.setattr(audit, "_output_of", lambda lock: (output, complaints))

    assert audit.main([]) == code
    assert audit.main(["--strict"]) == strict_code
    assert sentence in capsys.readouterr().out


def test_a_command_that_cannot_be_run_is_not_checked(monkeypatch, capsys):
    monkeypatch.setattr(audit, "COMMAND", ("/no/such/command",))

    assert audit.main([]) == 0
    assert audit.main(["--strict"]) == 1
    assert "not checked" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("version", "sentence", "is_old"),
    [
        ("postgres (PostgreSQL) 18.4", "PostgreSQL 18.4", False),
        ("postgres (PostgreSQL) 14.22", "nobody maintains", True),
        ("Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64", "Valkey 9.1.2", False),
        ("Redis server v=6.2.14 sha=40305114:0 malloc=libc", "nobody maintains", True),
        ("", "not known", False),
    ],
)
def test_a_server_that_nobody_maintains_is_seen(version, sentence, is_old):
    line, found = audit.judge(version)

    assert sentence in line
    assert found is is_old


def test_both_servers_of_make_run_are_named_and_an_old_one_fails(monkeypatch, capsys):
    monkeypatch.setattr(audit, "_output_of", lambda lock: (CLEAN, ""))

    assert audit.main([]) == 0
    out = capsys.readouterr().out
    assert "postgres: PostgreSQL 1" in out
    assert "-server: " in out

    monkeypatch.setitem(audit.OLDEST_MAINTAINED, "PostgreSQL", 999)
    assert audit.main([]) == 1
