"""Addresses of the lists under /api/v1/."""

from django.urls import path

from casino.waiting.api import closing, lists

urlpatterns = [
    path("lists", lists.Lists.as_view()),
    path("lists/<int:game_id>/join", lists.Join.as_view()),
    path("waiting/<int:waiting_id>/check-in", lists.CheckIn.as_view()),
    path("waiting/<int:waiting_id>/call", lists.Call.as_view()),
    path("waiting/<int:waiting_id>/take-back-call", lists.TakeBackCall.as_view()),
    path("waiting/<int:waiting_id>/strike", lists.Strike.as_view()),
    path("waiting/<int:waiting_id>/take-back-strike", lists.TakeBackStrike.as_view()),
    path("waiting/<int:waiting_id>/drop-out", lists.DropOut.as_view()),
    path("waiting/<int:waiting_id>/more-time", lists.GrantMoreTime.as_view()),
    path("waiting/<int:waiting_id>/no-more-time", lists.RefuseMoreTime.as_view()),
    path("waiting/<int:waiting_id>/fetch-chips", lists.FetchChips.as_view()),
    path("waiting/<int:waiting_id>/move", lists.Reorder.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>/wait", closing.WaitWithRight.as_view()),
]
