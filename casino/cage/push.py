"""What is pushed to the cage: what waits, for every window; and each window's own drawer."""

from django.template.loader import render_to_string

from casino import clock
from casino.cage import parts
from casino.cage.audiences import DAY, EVERY_WINDOW
from casino.cage.labels import KINDS
from casino.cage.models_fills import FillSlip
from casino.cage.selectors import chips, money, refused
from casino.cage.selectors.carriers import carriers
from casino.cage.selectors.drawers import window
from casino.cage.selectors.fills import Refused, refused_now
from casino.cage.selectors.slips import waiting_slips
from casino.cage.selectors.todo import counts_lines, doubt_lines, waiting_lines
from casino.cage.selectors.todo_fills import fill_lines
from casino.cage.selectors.todo_vault import vault_lines
from casino.cage.selectors.vault_counts import NEWS as VAULT_NEWS
from casino.cage.selectors.vault_counts import counted_first_since
from casino.cage.services.doubts import DOUBT_NEWS
from casino.cage.services.fill_slips import FILL_NEWS
from casino.live.areas import FELT, SITS, TODO
from casino.live.audiences import Audience, register
from casino.people.news import AT_CAGE, PLAYERS
from casino.rooms.selectors import open_day, room_of

# As many slips as the fills' page follows; whatever goes its way is among them.
NEWEST = 200


def render_cage(*, room_id: int) -> str:
    """Return what waits at the cage: requests, oldest first."""
    waiting = waiting_slips(room_id)
    # What Shift and F9 receive, where no request is taken.
    first_carried = next((each.slip_id for each in waiting if each.is_carried), None)
    context = {
        "room": room_of(room_id),
        "waiting": waiting,
        "first_carried": first_carried,
        "goes_back": [slip for slip in money.owed_back(room_id) if money.is_at_cage(slip)],
        "on_way": chips.on_way_named(room_id),
        "day": open_day(room_id),
        "carriers": carriers(room_id),
    }
    return render_to_string("cage/waiting.html", context)


def render_drawer(*, room_id: int, number: int) -> str:
    """Return one window: its drawer, and the slips it paid. Never what is expected in it: counts are blind."""
    at_window = window(room_id, number)
    slips = [(slip, KINDS[slip.kind]) for slip in at_window.slips] if at_window else []
    return render_to_string("cage/window.html", {"room": room_of(room_id), "window": at_window, "slips": slips})


def render_fills(*, room_id: int) -> str:
    """
    Return how fill slips stand, what the next step of each is refused by whoever asks, and whether the vault gives
    anything, for pages whose forms are their viewer's own: they are loaded anew. Two queries, and where slips are on
    their way, or to be given out, a few more, however many these are.
    """
    at = clock.now()
    newest = FillSlip.objects.filter(room_id=room_id).order_by("-number")[:NEWEST]
    slips = list(newest.only("room", "version", "status", "kind", "place_kind", "place_id"))
    refused = refused_now(slips, staff_id=None, at=at)
    stands: list[tuple[int | str, str]] = [
        (slip.pk, " ".join([str(slip.version), *_codes(refused[slip.pk])])) for slip in slips
    ]
    vault = "nothing" if counted_first_since(room_id, at=at) else ""
    return render_to_string("includes/stands.html", {"stands": [*sorted(stands), ("vault", vault)]})


def _codes(refused: Refused) -> list[str]:
    """Return the codes of what a slip's page says is to be done first; of one on its way also where it came from."""
    return list(dict.fromkeys(refusal.code for refusal in (refused.forth, refused.back) if refusal is not None))


_HEARS = (*PLAYERS, *AT_CAGE, "fills")
register(Audience(name="cage", pattern=EVERY_WINDOW, render=render_cage, page="/cage/", hears=_HEARS))
register(Audience(name="drawer", pattern="cage.{number}", render=render_drawer, page="/cage/{number}/"))
TODO.give(doubt_lines, news=DOUBT_NEWS)
TODO.give(waiting_lines, news=(EVERY_WINDOW,))
register(
    Audience(name="fills", pattern="fills", render=render_fills, page="/cage/fills/", hears=(EVERY_WINDOW, VAULT_NEWS))
)
TODO.give(fill_lines, news=FILL_NEWS)
# With the day that closes its tries are over.
TODO.give(vault_lines, news=(VAULT_NEWS, DAY))
TODO.give(money.lines, news=(EVERY_WINDOW,))
FELT.give(parts.money_at_felt)
TODO.give(chips.lines, news=(EVERY_WINDOW,))
FELT.give(parts.chips_at_felt)
TODO.give(refused.lines, news=(refused.NEWS, DAY))
FELT.give(parts.refused_at_felt, news=(refused.AT_TABLE,))
SITS.give(parts.refused_of_who_sits)
TODO.give(counts_lines, news=(EVERY_WINDOW,))
