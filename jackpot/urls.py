"""The addresses of the jackpot's pages."""

from django.urls import path

from jackpot.views import check_page, rules_page

urlpatterns = [
    path("", check_page, name="jackpot"),
    path("rules/", rules_page, name="jackpot_rules"),
]
