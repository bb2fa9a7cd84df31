"""The web process: HTTP through Django, news to the screens through one hub."""

import os
from typing import cast

import django

from casino.static_files import collect

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()
# Before the application: it looks once at which files there are.
collect()

# Imported late: consumers need the app registry that setup() fills.
from channels.routing import ProtocolTypeRouter  # noqa: E402

from casino.live.routing import sockets  # noqa: E402
from casino.serving import Application, Http, kept_home, lifespan, limited  # noqa: E402

application = ProtocolTypeRouter(
    {"http": kept_home(limited(Http())), "websocket": kept_home(cast(Application, sockets)), "lifespan": lifespan}
)
