"""The addresses of the promotions' pages."""

from django.urls import path

from casino.promotions import views

urlpatterns = [
    path("", views.promotions_page, name="promotions"),
    path("funds/<slug:promotion>/", views.desk, name="promotion_desk"),
    path("funds/<slug:promotion>/change/", views.fund_tap, name="promotion_fund"),
    path("funds/<slug:promotion>/open/", views.open_tap, name="promotion_open"),
    path("periods/<int:period_id>/hands/", views.enter_tap, name="promotion_hand"),
    path("hands/<int:entry_id>/take-back/", views.take_back_tap, name="promotion_take_back"),
    path("periods/<int:period_id>/decide/", views.decide_tap, name="promotion_decide"),
    path("periods/<int:period_id>/take-back/", views.decision_back_tap, name="promotion_decision_back"),
    path("periods/<int:period_id>/call-off/", views.call_off_tap, name="promotion_call_off"),
    path("splashes/<int:splash_id>/note/", views.note_tap, name="promotion_splashed"),
    path("splashes/<int:splash_id>/pass/", views.pass_tap, name="promotion_pass"),
    path("splashes/<int:splash_id>/take-back/", views.splash_back_tap, name="promotion_splash_back"),
    path("shown/<slug:promotion>/", views.shown_page, name="promotion"),
]
