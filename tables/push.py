"""Which screens show tables, and what is rendered for each."""

from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience
from tables.views.dealer import render_table
from tables.views.dealers import render_dealers
from tables.views.floor import render_table as render_floor_table
from tables.views.phone import render_phone


def register() -> None:
    """Make the audiences of the tables known to `live`."""
    register_audience(
        Audience(
            name="dealer",
            pattern="table.{number}.dealer",
            page="/tables/{number}/",
            render=render_table,
            hears=("doors.table.{number}",),
        )
    )
    register_audience(
        Audience(
            name="table_floor",
            pattern="table.{number}.floor",
            page="/floor/tables/{number}/",
            render=render_floor_table,
            hears=("doors.table.{number}",),
        )
    )
    # Its page is found by the pass, which no address names.
    register_audience(Audience(name="pass", pattern="pass.{number}", render=render_phone))
    register_audience(
        Audience(
            name="dealers",
            pattern="dealers",
            page="/floor/dealers/",
            render=render_dealers,
            hears=("people.shifts", "doors.table.{number}", "cage.day"),
        )
    )
