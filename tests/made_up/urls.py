"""The addresses of the bar's pages."""

from django.urls import path

from tests.made_up import views

urlpatterns = [
    path("", views.bar_page, name="bar"),
    path("pour/", views.pour_tap, name="bar_pour"),
]
