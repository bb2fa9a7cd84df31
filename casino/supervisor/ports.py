"""Finding a port that is free."""

import errno
import socket

from casino.embedded.home import CannotStart

PORTS_TRIED = 50


def next_free_port(host: str, wanted: int) -> int:
    """
    Return the wanted port or, when it is in use, the next free one.

    :raises CannotStart: none is free, or this machine has no such address.
    """
    for port in range(wanted, min(wanted + PORTS_TRIED, 65_536)):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            # As servers do: a port whose last connections are still closing is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except PermissionError as problem:
                raise CannotStart(f"Port {port} needs root; choose another: BRUSH_PORT=8000 make run") from problem
            except OSError as problem:
                if problem.errno == errno.EADDRINUSE:
                    continue
                raise CannotStart(f"The address {host} cannot be used: {problem}") from problem
            return port
    raise CannotStart(f"The ports from {wanted} on are all in use; choose another: BRUSH_PORT=9000 make run")
