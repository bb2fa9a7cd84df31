"""The addresses of the jackpot's calls, under /api/v1/jackpot/."""

from django.urls import path

from jackpot import api_claims, api_pools, api_reports
from jackpot.api import Check

urlpatterns = [
    path("check", Check.as_view()),
    path("tables/<int:number>/bad-beat", api_claims.CallBadBeat.as_view()),
    path("claims", api_claims.Claims.as_view()),
    path("claims/<int:claim_id>", api_claims.OneClaim.as_view()),
    path("claims/<int:claim_id>/withdraw", api_claims.WithdrawClaim.as_view()),
    path("claims/<int:claim_id>/hands", api_claims.EnterHands.as_view()),
    path("claims/<int:claim_id>/checks", api_claims.TickCheck.as_view()),
    path("claims/<int:claim_id>/dispute", api_claims.DisputeClaim.as_view()),
    path("claims/<int:claim_id>/verify", api_claims.VerifyClaim.as_view()),
    path("claims/<int:claim_id>/approve", api_claims.ApproveClaim.as_view()),
    path("shares/<int:share_id>/dispute", api_claims.DisputeShare.as_view()),
    path("claims/<int:claim_id>/refuse", api_claims.RefuseClaim.as_view()),
    path("report", api_reports.ReportOfDays.as_view()),
    path("report/sign", api_reports.SignReport.as_view()),
    path("signed-reports", api_reports.SignedReports.as_view()),
    path("signed-reports/<int:report_id>", api_reports.OneSignedReport.as_view()),
    path("pools", api_pools.Pools.as_view()),
    path("pools/<slug:jackpot>", api_pools.OnePool.as_view()),
    path("pools/<slug:jackpot>/correct", api_pools.CorrectSum.as_view()),
    path("pools/<slug:jackpot>/recover-seed", api_pools.RecoverSeed.as_view()),
    path("pools/<slug:jackpot>/wind-down", api_pools.WindDown.as_view()),
]
