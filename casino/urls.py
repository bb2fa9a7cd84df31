"""The map of the house: which desk answers under which address."""

from django.urls import URLPattern, URLResolver, include, path

from casino import health

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
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]

handler400 = "casino.people.views.bad_request"
handler403 = "casino.people.views.not_permitted"
handler404 = "casino.people.views.not_found"
handler500 = "casino.people.views.went_wrong"
