"""The map of the REST interface: each app's calls under /api/v1/, what they are at /api/schema/ and /api/docs/."""

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

from casino import api_docs

_v1: list[URLPattern | URLResolver] = [
    path("", include(desk))
    for desk in ("casino.people.api", "casino.cage.api", "casino.ledger.api", "casino.audit.api", "tables.api.urls")
    if find_spec(desk)
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/", include([*_v1, path("<path:rest>", api_docs.Nowhere.as_view())])),
    path("schema/", api_docs.Schema.as_view(), name="api-schema"),
    path("docs/", api_docs.Docs.as_view(), name="api-docs"),
    path("docs/problems/", api_docs.Problems.as_view(), name="api-problems"),
]
