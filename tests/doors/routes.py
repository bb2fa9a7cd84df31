"""Every route of the house, with the permission that it asks for."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

SAMPLES = {"int": "1", "str": "x", "slug": "x", "path": "x", "uuid": "00000000-0000-4000-8000-000000000001"}


@dataclass(frozen=True)
class Route:
    """An address with sample values in it, and its view."""

    pattern: str
    path: str
    view: Any

    @property
    def api_view(self) -> Any:
        """Return DRF's view class, or None for an HTML view."""
        return getattr(self.view, "cls", None)

    def needs(self, method: str) -> str | None:
        """Return the permission that the view declares for a method, None where it declares none."""
        if self.api_view is None:
            return getattr(self.view, "page_name", None)
        needs = getattr(self.api_view, "needs", None)
        return needs.get(method) if isinstance(needs, dict) else needs

    @property
    def methods(self) -> list[str]:
        """Return the methods that a REST view answers."""
        return [name.upper() for name in ("get", "post", "put", "patch", "delete") if hasattr(self.api_view, name)]

    def __str__(self) -> str:
        return "/" + self.pattern


def all_routes() -> list[Route]:
    """Return every route that the URL resolver knows."""
    return list(_walk(get_resolver().url_patterns, ""))


def import_all_services() -> None:
    """Import every module of the house that may hold a service: also those that no route needs."""
    for app in ("casino", "tables", "jackpot", "tournaments"):
        for found in pkgutil.walk_packages(importlib.import_module(app).__path__, f"{app}."):
            if not {"management", "migrations", "embedded", "supervisor", "asgi"} & set(found.name.split(".")):
                importlib.import_module(found.name)


def _walk(patterns: list[Any], before: str) -> Iterator[Route]:
    for each in patterns:
        pattern = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _walk(each.url_patterns, pattern)
        elif isinstance(each, URLPattern):
            path = re.sub(r"<(?:(\w+):)?\w+>", lambda found: SAMPLES[found[1] or "str"], pattern)
            yield Route(pattern, "/" + path, each.callback)
