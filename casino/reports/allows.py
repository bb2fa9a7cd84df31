"""The gaming day's report: for who reads the books."""

from casino.people.permissions import BOOKS, allow

allow({"page.day_report": BOOKS, "read.day_report": BOOKS})
