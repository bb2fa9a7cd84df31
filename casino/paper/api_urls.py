"""The addresses of the paper's calls, under /api/v1/paper/."""

from django.urls import path

from casino.paper import api

urlpatterns = [
    path("print", api.PrintSheets.as_view()),
    path("lists/<int:number>/catch-up", api.CatchUpLists.as_view()),
    path("sheets/<int:number>/catch-up", api.CatchUp.as_view()),
]
