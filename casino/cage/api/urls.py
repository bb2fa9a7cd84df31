"""Addresses of the cage under /api/v1/cage/."""

from django.urls import path

from casino.cage.api import drawers, fills, slips

urlpatterns = [
    path("day", drawers.Day.as_view()),
    path("day/open", drawers.OpenDay.as_view()),
    path("day/close", drawers.CloseDay.as_view()),
    path("drawers", drawers.Drawers.as_view()),
    path("drawers/<int:number>", drawers.OneDrawer.as_view()),
    path("drawers/<int:number>/open", drawers.OpenDrawer.as_view()),
    path("drawers/<int:number>/close", drawers.CloseDrawer.as_view()),
    path("drawers/<int:number>/buy-ins", drawers.BuyIns.as_view()),
    path("drawers/<int:number>/cash-outs", drawers.CashOuts.as_view()),
    path("drawers/<int:number>/deposits", drawers.Deposits.as_view()),
    path("drawers/<int:number>/withdrawals", drawers.Withdrawals.as_view()),
    path("drawers/<int:number>/fills", drawers.Fills.as_view()),
    path("drawers/<int:number>/credits", drawers.Credits.as_view()),
    path("counts", drawers.Counts.as_view()),
    path("sessions/<int:session_id>/recount", drawers.RecountDrawer.as_view()),
    path("requests", slips.Requests.as_view()),
    path("doubts", slips.Doubts.as_view()),
    path("doubts/<int:doubt_id>/judge", slips.JudgeDoubt.as_view()),
    path("fills", fills.FillSlips.as_view()),
    path("fills/<int:fill_id>", fills.OneFill.as_view()),
    path("fills/<int:fill_id>/authorise", fills.AuthoriseFill.as_view()),
    path("fills/<int:fill_id>/refuse", fills.RefuseFill.as_view()),
    path("fills/<int:fill_id>/deliver", fills.DeliverFill.as_view()),
    path("fills/<int:fill_id>/verify", fills.VerifyFill.as_view()),
    path("fills/<int:fill_id>/return", fills.ReturnFill.as_view()),
    path("fills/<int:fill_id>/judge", fills.JudgeFill.as_view()),
    path("fills/<int:fill_id>/printed", fills.PrintedFill.as_view()),
    path("slips", slips.Slips.as_view()),
    path("slips/<int:slip_id>", slips.OneSlip.as_view()),
    path("slips/<int:slip_id>/refuse", slips.RefuseRequest.as_view()),
    path("slips/<int:slip_id>/refusal-seen", slips.RefusalSeen.as_view()),
    path("slips/<int:slip_id>/cancel", slips.CancelSlip.as_view()),
    path("slips/<int:slip_id>/take-money", slips.TakeMoney.as_view()),
    path("slips/<int:slip_id>/reverse", slips.ReverseSlip.as_view()),
    path("slips/<int:slip_id>/printed", slips.PrintedSlip.as_view()),
]
