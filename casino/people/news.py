"""
The news that people give: the screens that show something of them hear it (`Audience.hears`).

Besides these "doors.<kind>.<number>": who is signed in on the device of a place.
"""

PLAYERS = ("people.players",)
# Who is on shift, and may deal.
SHIFTS = ("people.shifts",)
# Who may not sign in because of wrong tries.
LOCKED = ("people.locked",)
