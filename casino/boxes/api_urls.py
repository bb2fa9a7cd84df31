"""The addresses of the boxes' calls, under /api/v1/boxes/."""

from django.urls import path

from casino.boxes import api

urlpatterns = [
    path("", api.Boxes.as_view()),
    path("counts", api.Counts.as_view()),
    path("hang", api.HangBox.as_view()),
    path("drop", api.DropBox.as_view()),
    path("<int:box_id>/take-back", api.TakeBack.as_view()),
    path("<int:box_id>/count", api.CountBox.as_view()),
    path("<int:box_id>/judge", api.JudgeCount.as_view()),
]
