"""The log's call, under audit/."""

from django.urls import path

from casino.audit import api

urlpatterns = [
    path("events", api.Events.as_view()),
]
