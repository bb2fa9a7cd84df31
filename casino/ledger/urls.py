"""Addresses of the ledger, under /ledger/."""

from django.urls import path

from casino.ledger import views

urlpatterns = [
    path("", views.ledger, name="ledger"),
    path("accounts/<int:account_id>/", views.account, name="ledger_account"),
]
