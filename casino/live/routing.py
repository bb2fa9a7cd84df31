"""What the web process answers sockets with."""

from casino.live.consumers import screen

sockets = screen
