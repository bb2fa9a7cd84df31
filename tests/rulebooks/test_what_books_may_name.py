"""What books may name is known once the apps are ready, whatever pages have been imported."""

import subprocess
import sys

import pytest

from tests.support.servers import ROOT

READS_ALL = """
import os, pkgutil, sys
import django
from django.apps import apps

os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
django.setup()

from casino.rulebooks import shipped, text_of
from casino.rulebooks.checking import what_is_wrong

for book in shipped():
    for wrong in what_is_wrong(text_of(book)):
        print(book, wrong.key)
for app in apps.get_app_configs():
    for module in pkgutil.iter_modules([app.path]):
        name = f"{app.name}.{module.name}"
        if module.name.startswith("errors") and name not in sys.modules:
            print("not imported:", name)
"""


@pytest.mark.slow
def test_a_process_without_urls_finds_nothing_wrong_with_a_shipped_book() -> None:
    ran = subprocess.run([sys.executable, "-c", READS_ALL], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
