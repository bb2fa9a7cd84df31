"""The addresses of the jackpot's pages."""

from django.urls import path

from jackpot import views_claims, views_pools, views_reports
from jackpot.pool_pages import history_file, pool_page
from jackpot.views import check_page, rules_page

urlpatterns = [
    path("", check_page, name="jackpot"),
    path("rules/", rules_page, name="jackpot_rules"),
    path("claims/", views_claims.claims_page, name="jackpot_claims"),
    path("claims/<int:claim_id>/", views_claims.claim_page, name="jackpot_claim"),
    path("claims/<int:claim_id>/look/", views_claims.look_view, name="jackpot_claim_look"),
    path("claims/<int:claim_id>/hands/", views_claims.enter_tap, name="jackpot_claim_hands"),
    path("claims/<int:claim_id>/checks/", views_claims.check_tap, name="jackpot_claim_checks"),
    path("claims/<int:claim_id>/verify/", views_claims.verify_tap, name="jackpot_claim_verify"),
    path("claims/<int:claim_id>/dispute/", views_claims.dispute_tap, name="jackpot_claim_dispute"),
    path("claims/<int:claim_id>/withdraw/", views_claims.withdraw_tap, name="jackpot_claim_withdraw"),
    path("claims/<int:claim_id>/approve/", views_claims.approve_tap, name="jackpot_claim_approve"),
    path("shares/<int:share_id>/dispute/", views_claims.dispute_share_tap, name="jackpot_share_dispute"),
    path("claims/<int:claim_id>/refuse/", views_claims.refuse_tap, name="jackpot_claim_refuse"),
    path("pools/", views_pools.pools_page, name="jackpot_pools"),
    path("pools/<slug:jackpot>/", views_pools.pool_desk, name="jackpot_pool_desk"),
    path("pools/<slug:jackpot>/change/", views_pools.change_view, name="jackpot_pool_change"),
    path("pools/<slug:jackpot>/correct/", views_pools.correct_tap, name="jackpot_pool_correct"),
    path("pools/<slug:jackpot>/recover-seed/", views_pools.recover_tap, name="jackpot_pool_recover"),
    path("pools/<slug:jackpot>/wind-down/", views_pools.end_tap, name="jackpot_pool_end"),
    path("reports/", views_reports.reports_page, name="jackpot_reports"),
    path("reports/report.csv", views_reports.report_file, name="jackpot_report_file"),
    path("reports/sign/", views_reports.sign_tap, name="jackpot_report_sign"),
    path("reports/<int:report_id>/", views_reports.signed_page, name="jackpot_signed_report"),
    path("reports/<int:report_id>/report.csv", views_reports.signed_file, name="jackpot_signed_report_file"),
    path("sums/<slug:code>/", pool_page, name="jackpot_sum"),
    path("sums/<slug:code>/history.csv", history_file, name="jackpot_history"),
]
