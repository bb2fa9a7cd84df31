"""The OpenAPI document of all calls, made once per test process: to make it takes a third of a second."""

import json
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator


def document() -> dict[str, Any]:
    """Return the document as programs read it, to do with as one likes."""
    return dict(json.loads(_text()))


@cache
def _text() -> str:
    return json.dumps(SchemaGenerator().get_schema(public=True), default=str)
