"""The map of the REST interface: each app's calls under /api/v1/, and what they are at /api/schema/ and /api/docs/."""

from django.urls import URLPattern, URLResolver, include, path

from casino import api_docs
from casino.addresses import calls_of_apps

_v1: list[URLPattern | URLResolver] = [
    *calls_of_apps(),
    path("<path:rest>", api_docs.Nowhere.as_view()),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/", include(_v1)),
    path("schema/", api_docs.Schema.as_view(), name="api-schema"),
    path("docs/", api_docs.Docs.as_view(), name="api-docs"),
    path("docs/problems/", api_docs.Problems.as_view(), name="api-problems"),
]
