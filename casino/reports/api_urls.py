"""The addresses of the reports' calls, under /api/v1/reports/."""

from django.urls import path

from casino.reports import api

urlpatterns = [path("day", api.ReportOfDay.as_view())]
