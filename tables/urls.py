"""Addresses of the tables' screens."""

from django.urls import URLPattern, path

from tables.views import choose, dealer, floor, floor_sheets, floor_taps, lobby

_table = "floor/tables/<int:number>/"

urlpatterns: list[URLPattern] = [
    path("tables/", choose.choose_table, name="tables"),
    path("tables/<int:number>/", dealer.dealer, name="dealer"),
    path("lobby/", lobby.lobby_page, name="lobby"),
    path("floor/", floor.map_page, name="floor"),
    path("floor/dealers/", floor.dealers_page, name="floor_dealers"),
    path("floor/staff/<int:staff_id>/unlock/", floor_taps.unlock_tap, name="floor_unlock"),
    path(_table, floor.table_page, name="floor_table"),
    path(f"{_table}hands/", floor.hands_page, name="floor_hands"),
    # sheets: what a tap opens
    path(f"{_table}open/sheet/", floor_sheets.open_sheet, name="floor_open_sheet"),
    path(f"{_table}close/sheet/", floor_sheets.close_sheet, name="floor_close_sheet"),
    path(f"{_table}draw/sheet/", floor_sheets.draw_sheet, name="floor_draw_sheet"),
    path(f"{_table}tips/sheet/", floor_sheets.tips_sheet, name="floor_tips_sheet"),
    path(f"{_table}players/", floor_sheets.players_found, name="floor_players"),
    path(f"{_table}seats/<int:seat_number>/sheet/", floor_sheets.seat_sheet, name="floor_seat_sheet"),
    path(f"{_table}left/sheet/", floor_sheets.departures_sheet, name="floor_departures_sheet"),
    path(f"{_table}left/<int:seating_id>/sheet/", floor_sheets.departure_sheet, name="floor_departure_sheet"),
    path(f"{_table}hands/<int:hand_row_id>/sheet/", floor_sheets.hand_sheet, name="floor_hand_sheet"),
    path(f"{_table}todo/<int:todo_id>/sheet/", floor_sheets.todo_sheet, name="floor_todo_sheet"),
    # taps: what a tap does
    path(f"{_table}open/", floor_taps.open_tap, name="floor_open"),
    path(f"{_table}close/", floor_taps.close_tap, name="floor_close"),
    path(f"{_table}draw/", floor_taps.draw_tap, name="floor_draw"),
    path(f"{_table}button/", floor_taps.button_tap, name="floor_button"),
    path(f"{_table}tips/", floor_taps.tips_tap, name="floor_tips"),
    path(f"{_table}seats/<int:seat_number>/", floor_taps.seat_tap, name="floor_seat"),
    path(f"{_table}seatings/<int:seating_id>/entry/", floor_taps.entry_tap, name="floor_entry"),
    path(f"{_table}seatings/<int:seating_id>/hold/", floor_taps.hold_tap, name="floor_hold"),
    path(f"{_table}seatings/<int:seating_id>/leave/", floor_taps.leave_tap, name="floor_leave"),
    path(f"{_table}seatings/<int:seating_id>/count/", floor_taps.count_tap, name="floor_count"),
    path(f"{_table}seatings/<int:seating_id>/take-back/", floor_taps.take_back_tap, name="floor_take_back"),
    path(f"{_table}seatings/<int:seating_id>/buy-in/", floor_taps.buy_in_tap, name="floor_buy_in"),
    path(f"{_table}seatings/<int:seating_id>/chips/", floor_taps.chips_tap, name="floor_chips"),
    path(f"{_table}slips/<int:slip_id>/cancel/", floor_taps.cancel_tap, name="floor_cancel"),
    path(f"{_table}hands/<int:hand_row_id>/correct/", floor_taps.correct_tap, name="floor_correct"),
    path(f"{_table}hands/<int:hand_row_id>/void/", floor_taps.void_tap, name="floor_void"),
    path(f"{_table}hands/<int:hand_row_id>/supply/", floor_taps.supply_tap, name="floor_supply"),
    path(f"{_table}todo/<int:todo_id>/judge/", floor_taps.judge_tap, name="floor_judge"),
]
