"""Addresses of the tables under /api/v1/."""

from django.urls import path

from tables.api import floor, hands, reading

urlpatterns = [
    path("games", reading.Games.as_view()),
    path("games/offer", reading.OfferGames.as_view()),
    path("todos", reading.ToDos.as_view()),
    path("tables", reading.Tables.as_view()),
    path("tables/<int:number>", reading.OneTable.as_view()),
    path("tables/<int:number>/open", floor.OpenTable.as_view()),
    path("tables/<int:number>/close", floor.CloseTable.as_view()),
    path("tables/<int:number>/draw", floor.RecordDraw.as_view()),
    path("tables/<int:number>/button", floor.ButtonHere.as_view()),
    path("tables/<int:number>/tips", floor.CountTipBox.as_view()),
    path("tables/<int:number>/seats/<int:seat_number>", floor.SeatPlayer.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>", reading.OneSeating.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>/hold", floor.HoldSeat.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>/entry", floor.ChooseEntry.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>/leave", floor.LeaveSeat.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>/buy-in", floor.BuyInForSeat.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>/chips", floor.BringChips.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>/count", floor.CountStack.as_view()),
    path("tables/<int:number>/seatings/<int:seating_id>/take-back", floor.TakeBackLeaving.as_view()),
    path("tables/<int:number>/hands", reading.Hands.as_view()),
    path("tables/<int:number>/hands/deal", hands.DealHand.as_view()),
    path("tables/<int:number>/hands/flop", hands.ShowFlop.as_view()),
    path("tables/<int:number>/hands/settle", hands.SettleHand.as_view()),
    path("tables/<int:number>/hands/skip", hands.SkipHand.as_view()),
    path("tables/<int:number>/hands/void", hands.VoidHand.as_view()),
    path("tables/<int:number>/hands/undo", hands.UndoHand.as_view()),
    path("tables/<int:number>/hands/<int:hand_row_id>", reading.OneHand.as_view()),
    path("tables/<int:number>/hands/<int:hand_row_id>/correct", hands.CorrectHand.as_view()),
    path("tables/<int:number>/hands/<int:hand_row_id>/void", hands.VoidSettledHand.as_view()),
    path("tables/<int:number>/hands/<int:hand_row_id>/supply", hands.SupplyHand.as_view()),
    path("tables/<int:number>/todos/<int:todo_id>/judge", floor.Judge.as_view()),
]
