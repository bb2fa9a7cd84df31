"""The map of the house: which desk answers under which address."""

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

from casino import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("i18n/", include("django.conf.urls.i18n")),
]
for where, desk in (
    ("", "casino.people.urls"),
    ("ledger/", "casino.ledger.urls"),
    ("cage/", "casino.cage.urls"),
    ("", "tables.urls"),
    ("api/", "casino.api_urls"),
):
    if find_spec(desk):
        urlpatterns.append(path(where, include(desk)))

handler403 = "casino.people.views.not_permitted"
handler404 = "casino.people.views.not_found"
handler500 = "casino.people.views.went_wrong"
__all__ = ["handler403", "handler404", "handler500", "urlpatterns"]
