"""The house with the bar in it: the one line that its folder cannot hold."""

from casino.settings import *  # noqa: F403 - all of them, and one more app
from casino.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.made_up"]
