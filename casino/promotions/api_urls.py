"""The addresses of the promotions' calls, under /api/v1/promotions/."""

from django.urls import path

from casino.promotions import api

urlpatterns = [
    path("funds", api.Promotions.as_view()),
    path("funds/<slug:promotion>/change", api.ChangeFund.as_view()),
    path("funds/<slug:promotion>/periods", api.Periods.as_view()),
    path("periods/<int:period_id>/hands", api.EnterHand.as_view()),
    path("periods/<int:period_id>/decide", api.DecidePeriod.as_view()),
    path("periods/<int:period_id>/take-back", api.TakeBackDecision.as_view()),
    path("periods/<int:period_id>/call-off", api.CallOffPeriod.as_view()),
    path("splashes/<int:splash_id>/note", api.NoteSplash.as_view()),
    path("splashes/<int:splash_id>/pass", api.PassSplash.as_view()),
    path("splashes/<int:splash_id>/take-back", api.TakeBackSplash.as_view()),
    path("hands/<int:entry_id>/take-back", api.TakeBackHand.as_view()),
]
