"""The template that every database of a test is a copy of is what Django makes by itself."""

import re
import subprocess
import sys

import pytest

from casino.embedded.home import postgres_programs
from tests.support import servers

# What differs between any two dumps: when migrations were carried out, and a word that keeps a dump's own commands.
OF_THE_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+\+00|^\\(un)?restrict .*", re.MULTILINE)


def dumped(name: str) -> list[str]:
    """Return a whole database as statements: tables, rules, triggers, functions, rights and rows."""
    programs = postgres_programs()
    assert programs is not None
    dump = subprocess.run([programs / "pg_dump", servers.owner_url(name)], capture_output=True, text=True, check=True)
    return OF_THE_MOMENT.sub("", dump.stdout).splitlines()


@pytest.mark.slow
def test_what_is_migrated_in_half_of_the_time_is_what_is_migrated_by_django(django_db_setup: None) -> None:
    with servers.clone(servers.template_database()) as ours, servers.clone("template0") as djangos:
        servers.migrate(djangos, [sys.executable, "manage.py"])

        made, expected = dumped(ours), dumped(djangos)

    assert sum(line.startswith("CREATE TABLE") for line in made) > 80
    assert made == expected
