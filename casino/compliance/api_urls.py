"""The addresses of the compliance officer's calls, under /api/v1/compliance/."""

from django.urls import path

from casino.compliance import api

urlpatterns = [
    path("findings", api.AllFindings.as_view()),
    path("findings/mark", api.MarkFinding.as_view()),
    path("documents", api.Documents.as_view()),
    path("notes", api.Notes.as_view()),
    path("notes/write", api.WriteNote.as_view()),
]
