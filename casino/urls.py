"""The map of the house: which desk answers under which address."""

from django.urls import URLPattern, URLResolver, include, path

from casino import health
from casino.audit import views as audit
from casino.commands.methods import require_safe
from casino.people.http import page

urlpatterns: list[URLPattern | URLResolver] = [
    # Addresses are tried in this order: the taps of the tablets pass by none of the pages'.
    path("api/", include("casino.api_urls")),
    path("", include("casino.people.urls")),
    path("", include("tables.urls")),
    path("", include("casino.waiting.urls")),
    path("", include("casino.floor.urls")),
    path("", include("casino.lobby.urls")),
    path("", include("casino.paper.urls")),
    path("boxes/", include("casino.boxes.urls")),
    path("compliance/", include("casino.compliance.urls")),
    path("reports/", include("casino.reports.urls")),
    path("jackpot/", include("jackpot.urls")),
    path("promotions/", include("casino.promotions.urls")),
    path("cage/", include("casino.cage.urls")),
    path("ledger/", include("casino.ledger.urls")),
    # The log knows nobody who reads, and so its pages are guarded here.
    path("log/", page("page.audit")(require_safe(audit.log_page)), name="log"),
    path("log/proof/", page("page.audit")(require_safe(audit.proof_page)), name="log_proof"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]

handler400 = "casino.people.views.bad_request"
handler403 = "casino.people.views.not_permitted"
handler404 = "casino.people.views.not_found"
handler500 = "casino.people.views.went_wrong"
