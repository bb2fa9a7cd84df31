"""The addresses of the boxes' pages."""

from django.urls import path

from casino.boxes import views

urlpatterns = [
    path("", views.boxes_page, name="boxes"),
    path("hang/", views.hang_tap, name="box_hang"),
    path("drop/", views.drop_tap, name="box_drop"),
    path("<int:box_id>/", views.box_page, name="box"),
    path("<int:box_id>/take-back/", views.take_back_tap, name="box_take_back"),
    path("<int:box_id>/count/", views.count_tap, name="box_count"),
    path("<int:box_id>/judge/", views.judge_tap, name="box_judge"),
]
