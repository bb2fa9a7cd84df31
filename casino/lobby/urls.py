"""The address of the lobby's wall."""

from django.urls import path

from casino.lobby import views

urlpatterns = [path("lobby/", views.lobby_page, name="lobby")]
