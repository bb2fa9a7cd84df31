"""The addresses of the bar's calls, under /api/v1/bar/."""

from django.urls import path

from tests.made_up import api

urlpatterns = [
    path("pour", api.Pour.as_view()),
]
