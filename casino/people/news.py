"""The news that people give: the screens that show something of them hear it (`Audience.hears`)."""

PLAYERS = ("people.players",)
# Who is on shift, and may deal.
SHIFTS = ("people.shifts",)
# Who may not sign in because of wrong tries.
LOCKED = ("people.locked",)
# Who is signed in on the device of a place; audiences and parts with a number of their own hear it of that number.
AT_PLACE = "doors.{kind}.{number}"
AT_TABLE = ("doors.table.{number}",)
AT_CAGE = ("doors.cage.{number}",)
