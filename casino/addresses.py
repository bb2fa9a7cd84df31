"""
Where the pages and the calls of apps are found: each app says so itself, in its `AppConfig`.

`pages_at = "boxes/"` puts what its module `urls` has under /boxes/, and `calls_at = "boxes/"` what its `api_urls` has
under /api/v1/boxes/; "" is the root of either. Apps come in the order in which they are installed.
"""

from django.apps import apps
from django.urls import URLResolver, include, path


def pages_of_apps() -> list[URLResolver]:
    """Return the pages of every installed app that has some."""
    return _declared("pages_at", "urls")


def calls_of_apps() -> list[URLResolver]:
    """Return the calls of every installed app that has some."""
    return _declared("calls_at", "api_urls")


def _declared(where: str, module: str) -> list[URLResolver]:
    found = [(app, getattr(app, where, None)) for app in apps.get_app_configs()]
    return [path(at, include(f"{app.name}.{module}")) for app, at in found if at is not None]
