"""The address of the floor's map."""

from django.urls import path

from casino.floor import views

urlpatterns = [path("floor/", views.map_page, name="floor")]
