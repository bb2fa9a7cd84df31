"""The addresses of the jackpot's calls, under /api/v1/jackpot/."""

from django.urls import path

from jackpot.api import Check

urlpatterns = [path("check", Check.as_view())]
