"""
What travels on a screen's socket: JSON text frames, from the server only.

    GET /live/?audience=floor&audience=lobby&language=fi

    {"t": "fragment", "a": "floor", "s": [1795000000, 1, 7301, -2], "html": "..."}
        What this audience is shown now, whole. `s` is its stamp: compared number by number with the one
        on the screen; not greater means older or the same, and the frame is dropped.
    {"t": "tick", "now": 1795300000123, "behind": false, "files": "0f1e2d3c4b5a6978"}
        Once a second: the server's time in milliseconds since 1970. Two seconds without one: connection gone.
        `behind`: the server itself does not hear what happens, or hears it late; what is shown may be old.
        `files`: the state of its scripts and style sheets; a page of another one was loaded before an upgrade.
    {"t": "refused", "code": "nobody" | "not_permitted" | "revoked"}
        The last frame before the server closes. After "revoked" the screen may ask once more.

What a client sends is not read. A screen that reconnects gets every fragment anew, so no frame is ever
asked for again.
"""

import json

from casino import clock
from casino.live.mailbox import Frame, Parting
from casino.static_files import files_state


def _refused(code: str, close_code: int) -> Parting:
    return Parting(json.dumps({"t": "refused", "code": code}), close_code)


NOBODY = _refused("nobody", 4401)
NOT_PERMITTED = _refused("not_permitted", 4403)
REVOKED = _refused("revoked", 4401)


def now_ms() -> int:
    """Return the house's time in milliseconds since 1970."""
    return int(clock.now().timestamp() * 1000)


def tick_frame(*, is_behind: bool) -> Frame:
    """Return the frame that carries the server's time, whether screens may show what was, and its scripts."""
    return Frame(json.dumps({"t": "tick", "now": now_ms(), "behind": is_behind, "files": files_state()}))
