"""The addresses of the gaming day's report, of the exception report and of the auditor's packs."""

from django.urls import path

from casino.reports import pack_views, views, views_exceptions

urlpatterns = [
    path("", views.report_page, name="day_report"),
    path("day.csv", views.csv_file, name="day_report_csv"),
    path("day.xlsx", views.workbook, name="day_report_xlsx"),
    path("exceptions/", views_exceptions.exceptions_page, name="exceptions"),
    path("exceptions/exceptions.csv", views_exceptions.exceptions_csv, name="exceptions_csv"),
    path("exceptions/exceptions.xlsx", views_exceptions.exceptions_workbook, name="exceptions_xlsx"),
    path("exceptions/cases/", views_exceptions.cases_page, name="exception_cases"),
    path("packs/", pack_views.packs_page, name="packs"),
    path("packs/make/", pack_views.make_pack, name="make_pack"),
]
