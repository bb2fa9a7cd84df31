"""The addresses of what is printed to play on by paper."""

from django.urls import path

from casino.paper import views

urlpatterns = [
    path("floor/paper/", views.paper_page, name="paper"),
    path("floor/paper/print/", views.print_tap, name="paper_print"),
    path("floor/paper/<int:printing_id>/", views.printed_page, name="paper_printed"),
]
