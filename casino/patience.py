"""
How long something may take before a screen says that somebody should look.

No house's rule hangs on any of it, nothing is refused and nothing happens by it: a line of a to-do comes a little
sooner or later. So these are no keys of the rule book, and stand together here.
"""

from datetime import timedelta

# A hand that was undone is mostly logged again at once, and then its box agrees.
LOGGED_AGAIN_WITHIN = timedelta(minutes=2)
# How long an open table may stay empty before somebody should seat players or close it.
TABLE_EMPTY_FOR = timedelta(minutes=5)
# So long before it is due a push is shown as the next one.
PUSH_IS_NEAR = timedelta(minutes=5)
# A time charge is collected by the dealer between two hands.
TIME_CHARGE_TAKES = timedelta(minutes=5)
# Money or chips of a request on their way, at the cage or with a runner.
REQUEST_TAKES = timedelta(minutes=2)
# A fill or a credit until somebody carries it, and until whoever does has crossed the room and is counted by two.
FILL_TAKES = timedelta(minutes=10)
# A day's counts: until the next evening.
COUNTS_TAKE = timedelta(hours=12)
