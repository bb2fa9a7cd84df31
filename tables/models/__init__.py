"""Rows of the cash tables: what is offered, what is open, who sits, what was dealt, what the floor must judge."""

from tables.models.games import Game
from tables.models.hands import BoxDifference, Hand, HandPot, HandSeat
from tables.models.seats import Seating
from tables.models.tables import Opening, Table
from tables.models.todo import ToDo

__all__ = ["BoxDifference", "Game", "Hand", "HandPot", "HandSeat", "Opening", "Seating", "Table", "ToDo"]
