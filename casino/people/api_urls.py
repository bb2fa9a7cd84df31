"""The calls of signing in, under the interface's own address, and of players, staff and devices, under people/."""

from django.urls import include, path

from casino.people import api as people
from casino.people import api_identity as identity
from casino.people import api_kept as kept
from casino.people import api_passes as passes
from casino.people import api_protection as protection
from casino.people import api_signing_in as signing_in
from casino.people import api_staff as staff

_people = [
    path("players", people.Players.as_view()),
    path("players/<int:player_id>/rename", people.RenamePlayer.as_view()),
    path("players/<int:player_id>/erase", people.ErasePlayer.as_view()),
    path("players/<int:player_id>/identity", identity.CheckIdentity.as_view()),
    path("players/<int:player_id>/standing", protection.Standing.as_view()),
    path("players/<int:player_id>/ban", protection.Ban.as_view()),
    path("players/<int:player_id>/own-exclusion", protection.OwnWish.as_view()),
    path("players/<int:player_id>/limits", protection.Limit.as_view()),
    path("players/<int:player_id>/merge", protection.Merge.as_view()),
    path("exclusions/<int:exclusion_id>/lift", protection.Lift.as_view()),
    path("players/<int:player_id>/inquiries", kept.OpenInquiry.as_view()),
    path("players/<int:player_id>/data", kept.GiveData.as_view()),
    path("inquiries", kept.Inquiries.as_view()),
    path("inquiries/<int:inquiry_id>/lift", kept.LiftInquiry.as_view()),
    path("kept-data", kept.KeptData.as_view()),
    path("kept-apart", protection.Apart.as_view()),
    path("kept-apart/<int:apart_id>/end", protection.EndApart.as_view()),
    path("players/<int:player_id>/pass", passes.GivePass.as_view()),
    path("players/<int:player_id>/pass/revoke", passes.RevokePass.as_view()),
    path("players/<int:player_id>/shown", passes.ShowAsNumber.as_view()),
    path("staff", staff.StaffList.as_view()),
    path("staff/shift-dealers", staff.AddShiftDealer.as_view()),
    path("staff/<int:staff_id>/roles", staff.ChangeRoles.as_view()),
    path("staff/<int:staff_id>/pin", staff.SetPin.as_view()),
    path("staff/<int:staff_id>/password", staff.SetPassword.as_view()),
    path("staff/<int:staff_id>/start-shift", staff.StartShift.as_view()),
    path("staff/<int:staff_id>/end-shift", staff.EndShift.as_view()),
    path("staff/<int:staff_id>/unlock", staff.Unlock.as_view()),
    path("staff/<int:staff_id>/deactivate", staff.Deactivate.as_view()),
    path("staff/<int:staff_id>/erase", staff.EraseStaff.as_view()),
    path("staff/<int:staff_id>/data", kept.GiveStaffData.as_view()),
    path("staff/<int:staff_id>/inquiries", kept.OpenStaffInquiry.as_view()),
    path("devices", people.Devices.as_view()),
    path("devices/<int:device_id>/revoke", people.RevokeDevice.as_view()),
    path("enrolment-codes", people.EnrolmentCodes.as_view()),
    path("tokens", people.Tokens.as_view()),
    path("tokens/<int:token_id>/revoke", people.RevokeToken.as_view()),
]
_doors = [
    path("enrol", signing_in.Enrol.as_view()),
    path("door", signing_in.Door.as_view()),
    path("door/sign-in", signing_in.SignInOnDevice.as_view()),
    path("door/pin", signing_in.ChangePinAtDoor.as_view()),
    path("door/sign-out", signing_in.SignOutOfDevice.as_view()),
    path("sign-in", signing_in.SignIn.as_view()),
    path("sign-out", signing_in.SignOut.as_view()),
    path("my-sign-in/pin", signing_in.ChangeOwnPin.as_view()),
    path("my-sign-in/password", signing_in.ChangeOwnPassword.as_view()),
]
urlpatterns = [
    path("", include(_doors)),
    path("people/", include(_people)),
]
