"""The ledger's calls, under ledger/."""

from django.urls import path

from casino.ledger import api

urlpatterns = [
    path("accounts", api.Accounts.as_view()),
    path("accounts/<int:account_id>/postings", api.Postings.as_view()),
    path("trial-balance", api.TrialBalance.as_view()),
    path("vault", api.Vault.as_view()),
]
