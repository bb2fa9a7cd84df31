"""What tells the screens that something was done with a box."""

from django.template.loader import render_to_string

from casino.boxes.models import Box
from casino.boxes.selectors.todo import differing_lines, lacking_lines
from casino.boxes.services import NEWS
from casino.live.areas import TODO
from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience
from tables.audiences import MAP
from tables.models import Table

NEWEST = 200


def render_boxes(*, room_id: int) -> str:
    """Return how boxes stand, for pages whose forms are their viewer's own: they are loaded anew. Three queries."""
    stand = Box.objects.filter(room_id=room_id).order_by("-id").values_list("id", "version")
    # Whatever hangs or waits, however old; of what was counted the newest.
    boxes = sorted({*stand.filter(Box.OPEN), *stand[:NEWEST]})
    tables = Table.objects.filter(room_id=room_id, opening__isnull=False).order_by("number")
    stands = [*boxes, *((f"table-{number}", opening) for number, opening in tables.values_list("number", "opening_id"))]
    return render_to_string("includes/stands.html", {"stands": stands})


def register() -> None:
    """Have the pages of the boxes follow them, and the floor know what they leave to it."""
    register_audience(
        Audience(name="boxes", pattern="boxes", page="/boxes/", render=render_boxes, hears=(MAP,)),
    )
    TODO.give(differing_lines, news=(NEWS,))
    TODO.give(lacking_lines, news=(NEWS,))
