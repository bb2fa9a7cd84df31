"""The stage as a web process: as `casino.asgi`, with the stage's settings and audiences."""

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

_http = get_asgi_application()

# Imported late, as in casino.asgi: they need the app registry.
from casino.live.routing import sockets  # noqa: E402
from tests.live import stage  # noqa: E402, F401  registers the audiences

application = ProtocolTypeRouter({"http": _http, "websocket": sockets})
