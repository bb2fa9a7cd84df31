"""The addresses of the compliance officer's desk."""

from django.urls import path

from casino.compliance import views

urlpatterns = [
    path("", views.findings_page, name="findings"),
    path("findings.csv", views.findings_csv, name="findings_csv"),
    path("findings/mark/", views.mark_tap, name="finding_mark"),
    path("found/", views.found, name="compliance_found"),
    path("documents/", views.documents_page, name="compliance_documents"),
    path("players/<int:player_id>/", views.player_page, name="compliance_player"),
    path("staff/<int:staff_id>/", views.staff_page, name="compliance_staff"),
    path("notes/write/", views.write_tap, name="compliance_note"),
]
