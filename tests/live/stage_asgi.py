"""
The stage as a web process: as `casino.asgi`, with the stage's settings and audiences.

What the hub does each second it does here each quarter of one: many tests wait for it, and with it half of a machine.
"""

import django
from channels.routing import ProtocolTypeRouter

django.setup()

# Imported late, as in casino.asgi: they need the app registry.
from casino.live import hub, watch  # noqa: E402
from casino.live.routing import sockets  # noqa: E402
from casino.serving import Http  # noqa: E402
from tests.live import stage  # noqa: E402, F401  registers the audiences
from tests.live.pace import SECOND  # noqa: E402

_for_ever = hub._for_ever
hub._for_ever = lambda work, *, every: _for_ever(work, every=every * SECOND)
hub.LOG_UNREAD_SECONDS_MAX *= SECOND
watch.RETRY_SECONDS *= SECOND

application = ProtocolTypeRouter({"http": Http(), "websocket": sockets})
