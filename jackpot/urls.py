"""The address of the jackpot's page."""

from django.urls import path

from jackpot.views import check_page

urlpatterns = [path("", check_page, name="jackpot")]
