"""The map of the house: the tablets' taps, every app's pages, and what is no app's."""

from django.urls import URLPattern, URLResolver, include, path

from casino import health
from casino.addresses import pages_of_apps
from casino.audit import views as audit
from casino.commands.methods import require_safe
from casino.people.http import page

urlpatterns: list[URLPattern | URLResolver] = [
    # Addresses are tried in this order: the taps of the tablets pass by none of the pages'.
    path("api/", include("casino.api_urls")),
    *pages_of_apps(),
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
