"""The house's own settings, with the stage's pages in place of the desks'."""

from pathlib import Path
from typing import Any, cast

from casino.settings import *  # noqa: F403  it is the house's settings that are tested
from casino.settings import MIDDLEWARE, TEMPLATES

HERE = Path(__file__).parent
OPTIONS = cast(dict[str, Any], TEMPLATES[0]["OPTIONS"])
ROOT_URLCONF = "tests.live.stage"
MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("casino.people")]
TEMPLATES = [
    TEMPLATES[0]
    | {"DIRS": [HERE.parent.parent / "templates", HERE / "templates"], "OPTIONS": OPTIONS | {"context_processors": []}},
]
STATICFILES_DIRS = [HERE.parent.parent / "static", HERE / "static"]
