"""Addresses of the cage, under /cage/."""

from django.urls import path

from casino.cage.views import counts, desk, doubts, drawers, paying, slips, vault

urlpatterns = [
    path("", desk.cage, name="cage"),
    path("day/", drawers.day_page, name="cage_day"),
    path("day/open/", drawers.day_open, name="cage_day_open"),
    path("day/close/", drawers.day_close, name="cage_day_close"),
    path("day/vault/", drawers.vault_stock, name="cage_vault_stock"),
    path("day/drawers/", drawers.drawer_add, name="cage_drawer_add"),
    path("players/", desk.players, name="cage_players"),
    path("players/new/", desk.new_player, name="cage_player_new"),
    path("players/<int:player_id>/", desk.player_card, name="cage_player"),
    path("players/<int:player_id>/identity/", desk.identity, name="cage_identity"),
    path("doubts/<int:doubt_id>/", doubts.judge, name="cage_doubt"),
    path("slips/<int:slip_id>/", slips.slip_page, name="cage_slip"),
    path("slips/<int:slip_id>/panel/", slips.slip_panel, name="cage_slip_panel"),
    path("slips/<int:slip_id>/printed/", slips.printed, name="cage_slip_printed"),
    path("slips/<int:slip_id>/reverse/", slips.reverse_slip, name="cage_slip_reverse"),
    path("slips/<int:slip_id>/cancel/", paying.cancel, name="cage_slip_cancel"),
    path("sessions/<int:session_id>/", counts.session_page, name="cage_session"),
    path("sessions/<int:session_id>/recount/", counts.recount_page, name="cage_recount"),
    path("sessions/<int:session_id>/recounted/", counts.recount, name="cage_recounted"),
    path("<int:number>/", desk.cage_window, name="cage_window"),
    path("<int:number>/check/", desk.check, name="cage_check"),
    path("<int:number>/take/", paying.take_money, name="cage_take_money"),
    path("<int:number>/buy-in/", paying.buy_in, name="cage_buy_in"),
    path("<int:number>/cash-out/", paying.cash_out, name="cage_cash_out"),
    path("<int:number>/deposit/", paying.deposit, name="cage_deposit"),
    path("<int:number>/withdraw/", paying.withdraw, name="cage_withdraw"),
    path("<int:number>/vault/", vault.move, name="cage_vault"),
    path("<int:number>/open/", drawers.open_drawer, name="cage_open_drawer"),
    path("<int:number>/close/", counts.close_drawer, name="cage_close_drawer"),
]
