"""The map of the REST interface: the house's calls under /api/v1/, and what they are at /api/schema/ and /api/docs/."""

from django.urls import URLPattern, URLResolver, include, path

from casino import api_docs
from casino.audit import api as audit
from casino.ledger import api as ledger
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
_ledger = [
    path("accounts", ledger.Accounts.as_view()),
    path("accounts/<int:account_id>/postings", ledger.Postings.as_view()),
    path("trial-balance", ledger.TrialBalance.as_view()),
    path("vault", ledger.Vault.as_view()),
]
_v1: list[URLPattern | URLResolver] = [
    path("", include(_doors)),
    path("people/", include(_people)),
    path("cage/", include("casino.cage.api.urls")),
    path("ledger/", include(_ledger)),
    path("audit/events", audit.Events.as_view()),
    path("", include("tables.api.urls")),
    path("", include("casino.waiting.api.urls")),
    path("boxes/", include("casino.boxes.api_urls")),
    path("jackpot/", include("jackpot.api_urls")),
    path("paper/", include("casino.paper.api_urls")),
    path("promotions/", include("casino.promotions.api_urls")),
    path("compliance/", include("casino.compliance.api_urls")),
    path("reports/", include("casino.reports.api_urls")),
    path("<path:rest>", api_docs.Nowhere.as_view()),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/", include(_v1)),
    path("schema/", api_docs.Schema.as_view(), name="api-schema"),
    path("docs/", api_docs.Docs.as_view(), name="api-docs"),
    path("docs/problems/", api_docs.Problems.as_view(), name="api-problems"),
]
