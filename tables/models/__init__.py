"""Rows of the cash tables: what is offered, what is open, who sits, what was dealt, what the floor must judge."""

from tables.models.counted_through import CountedThrough
from tables.models.differences import TableDifference
from tables.models.disputes import DisputedPot, DisputedShare
from tables.models.downs import DeckChange, Down
from tables.models.games import Game, of_game
from tables.models.hands import BoxDifference, Hand, HandCharge, HandPot, HandSeat
from tables.models.incidents import Incident, IncidentPlayer, PlayerClock
from tables.models.moves import SeatDraw, TableChange, TableMove
from tables.models.racks import RackCheck, RackFill
from tables.models.seats import Seating, at_seats
from tables.models.tables import Opening, Table
from tables.models.time_charges import TimeShare, TimeTaken
from tables.models.tips import ClosedTips, TipCount, TipPayroll, TipReceipt, TipShare
from tables.models.todo import ToDo

__all__ = [
    "BoxDifference",
    "ClosedTips",
    "CountedThrough",
    "DeckChange",
    "DisputedPot",
    "DisputedShare",
    "Down",
    "Game",
    "Hand",
    "HandCharge",
    "HandPot",
    "HandSeat",
    "Incident",
    "IncidentPlayer",
    "Opening",
    "PlayerClock",
    "RackCheck",
    "RackFill",
    "SeatDraw",
    "Seating",
    "Table",
    "TableChange",
    "TableDifference",
    "TableMove",
    "TimeShare",
    "TimeTaken",
    "TipCount",
    "TipPayroll",
    "TipReceipt",
    "TipShare",
    "ToDo",
    "at_seats",
    "of_game",
]
