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
    ("output", "complaints", "code", "strict_code", "said"),
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
def test_what_was_answered_decides(monkeypatch, capsys, output, complaints, code, strict_code, said):
    monkeypatch.setattr(audit, "_asked", lambda lock: (output, complaints))

    assert audit.main([]) == code
    assert audit.main(["--strict"]) == strict_code
    assert said in capsys.readouterr().out


def test_a_command_that_cannot_be_run_is_not_checked(monkeypatch, capsys):
    monkeypatch.setattr(audit, "COMMAND", ("/no/such/command",))

    assert audit.main([]) == 0
    assert audit.main(["--strict"]) == 1
    assert "not checked" in capsys.readouterr().out
