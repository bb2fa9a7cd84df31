"""Addresses of the doors and of the people page."""

from django.urls import path

from casino.people import views

urlpatterns = [
    path("", views.home, name="home"),
    path("sign-in/", views.sign_in_page, name="sign_in"),
    path("sign-out/", views.sign_out_view, name="sign_out"),
    path("theme/", views.theme_view, name="theme"),
    path("enrol/", views.enrol_page, name="enrol"),
    path("door/", views.door_page, name="door"),
    path("door/sign-in/", views.hand_over, name="door_sign_in"),
    path("door/pin/", views.door_pin_view, name="door_pin"),
    path("door/sign-out/", views.leave_door, name="door_sign_out"),
    path("my-sign-in/", views.my_sign_in_page, name="my_sign_in"),
    path("my-sign-in/pin/", views.own_pin_view, name="my_pin"),
    path("my-sign-in/password/", views.own_password_view, name="my_password"),
    path("people/", views.staff_page, name="people"),
    path("people/add/", views.add_staff_view, name="people_add"),
    path("people/<int:staff_id>/roles/", views.roles_view, name="people_roles"),
    path("people/<int:staff_id>/pin/", views.pin_view, name="people_pin"),
    path("people/<int:staff_id>/password/", views.password_view, name="people_password"),
    path("people/<int:staff_id>/shift/", views.shift_view, name="people_shift"),
    path("people/<int:staff_id>/unlock/", views.unlock_view, name="people_unlock"),
    path("people/<int:staff_id>/deactivate/", views.deactivate_view, name="people_deactivate"),
    path("people/players/", views.players_page, name="players"),
    path("people/players/add/", views.add_player_view, name="players_add"),
    path("people/players/<int:player_id>/rename/", views.rename_player_view, name="players_rename"),
    path("people/players/<int:player_id>/", views.player.player_page, name="player"),
    path("people/players/<int:player_id>/others/", views.player.others_found, name="player_others"),
    path("people/players/<int:player_id>/exclude/", views.player.exclude_view, name="player_exclude"),
    path("people/players/<int:player_id>/limit/", views.player.limit_view, name="player_limit"),
    path("people/players/<int:player_id>/apart/", views.player.apart_view, name="player_apart"),
    path(
        "people/players/<int:player_id>/apart/<int:apart_id>/end/", views.player.end_apart_view, name="player_apart_end"
    ),
    path("people/players/<int:player_id>/data/", views.kept.give_data_view, name="player_data"),
    path("people/players/<int:player_id>/erase/", views.player.erase_view, name="player_erase"),
    path("people/players/<int:player_id>/merge/", views.player.merge_view, name="player_merge"),
    path("people/exclusions/<int:exclusion_id>/lift/", views.player.lift_view, name="exclusion_lift"),
    path("people/kept/", views.kept.kept_page, name="kept_data"),
    path("people/kept/found/", views.kept.kept_found, name="kept_found"),
    path("people/inquiries/open/", views.kept.open_inquiry_view, name="inquiry_open"),
    path("people/inquiries/<int:inquiry_id>/lift/", views.kept.lift_inquiry_view, name="inquiry_lift"),
    path("people/devices/", views.devices_page, name="devices"),
    path("people/devices/code/", views.make_code_view, name="devices_code"),
    path("people/devices/<int:device_id>/revoke/", views.revoke_device_view, name="devices_revoke"),
    path("people/tokens/add/", views.issue_token_view, name="tokens_add"),
    path("people/tokens/<int:api_token_id>/revoke/", views.revoke_token_view, name="tokens_revoke"),
    path("log/", views.log_view, name="log"),
    path("log/proof/", views.prove_view, name="log_proof"),
]
