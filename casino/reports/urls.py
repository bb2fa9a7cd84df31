"""The addresses of the gaming day's report."""

from django.urls import path

from casino.reports import views

urlpatterns = [
    path("", views.report_page, name="day_report"),
    path("day.csv", views.csv_file, name="day_report_csv"),
    path("day.xlsx", views.workbook, name="day_report_xlsx"),
]
