"""Printing to play on by paper, by both doors."""

from casino.paper.models import Printing
from tests.doors.way import NewestOf, Way

NEWEST: NewestOf = {"printing": Printing}

WAYS = [Way("/floor/paper/print/", "paper/print")]
