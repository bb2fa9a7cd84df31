"""The web process: HTTP through Django, news to the screens through one hub."""

import os
from typing import cast

import django
from django.core.asgi import get_asgi_application

from casino.static_files import collect

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()
# Before the application: it looks once at which files there are.
collect()
_http = get_asgi_application()

# Imported late: consumers need the app registry that get_asgi_application() fills.
from channels.routing import ProtocolTypeRouter  # noqa: E402

from casino.live.routing import sockets  # noqa: E402
from casino.serving import Application, kept_home, lifespan, limited  # noqa: E402

application = ProtocolTypeRouter(
    {"http": kept_home(limited(_http)), "websocket": kept_home(cast(Application, sockets)), "lifespan": lifespan}
)
