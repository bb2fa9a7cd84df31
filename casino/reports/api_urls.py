"""The addresses of the reports' calls, under /api/v1/reports/."""

from django.urls import path

from casino.reports import api, api_exceptions, pack_api

urlpatterns = [
    path("day", api.ReportOfDay.as_view()),
    path("exceptions", api_exceptions.Exceptions.as_view()),
    path("exceptions/cases", api_exceptions.ExceptionCases.as_view()),
    path("pack", pack_api.MakePack.as_view()),
]
