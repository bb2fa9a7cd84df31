"""What tells the packs' page that one was made."""

from django.template.loader import render_to_string

from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience
from casino.reports.selectors.packs import last_packs
from casino.reports.services import PACKS
from casino.rooms.selectors import room_of

LISTED = 20


def render_packs(*, room_id: int) -> str:
    """Return the packs that were made last, each by the command that made it. Three queries."""
    shown = {"room": room_of(room_id), "rows": last_packs(room_id, most=LISTED)}
    return render_to_string("reports/packs_made.html", shown)


def register() -> None:
    """Have the packs' page show each as it is made."""
    register_audience(Audience(name="packs", pattern=PACKS, page="/reports/packs/", render=render_packs))
