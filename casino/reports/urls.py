"""The addresses of the gaming day's report and of the exception report."""

from django.urls import path

from casino.reports import views, views_exceptions

urlpatterns = [
    path("", views.report_page, name="day_report"),
    path("day.csv", views.csv_file, name="day_report_csv"),
    path("day.xlsx", views.workbook, name="day_report_xlsx"),
    path("exceptions/", views_exceptions.exceptions_page, name="exceptions"),
    path("exceptions/exceptions.csv", views_exceptions.exceptions_csv, name="exceptions_csv"),
    path("exceptions/exceptions.xlsx", views_exceptions.exceptions_workbook, name="exceptions_xlsx"),
    path("exceptions/cases/", views_exceptions.cases_page, name="exception_cases"),
]
