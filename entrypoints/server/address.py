"""The address to listen on: free before anything is made, or said to be in use."""

import errno
import logging
import socket
import time

WAIT_SECONDS = 10.0
_PAUSE_SECONDS = 0.1

_log = logging.getLogger(__name__)


class AddressUnusable(Exception):
    """The address cannot be listened on; the text says why."""


def require_address(host: str, port: int, *, wait: float = WAIT_SECONDS) -> None:
    """Return when the address can be listened on.

    Workers of a service that was killed hold its address until they notice, so one that is in use is waited for.

    Raises:
        AddressUnusable: it cannot be listened on, or is still in use after `wait` seconds.

    """
    deadline = time.monotonic() + wait
    is_logged = False
    while (fault := _fault(host, port)) is not None:
        if fault.errno != errno.EADDRINUSE or time.monotonic() >= deadline:
            raise AddressUnusable(f"cannot listen on {host}, port {port}: {fault.strerror}")
        if not is_logged:
            _log.warning("%s, port %d is in use: waiting up to %.0f s for it", host, port, wait)
            is_logged = True
        time.sleep(_PAUSE_SECONDS)


def _fault(host: str, port: int) -> OSError | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            # Two sockets may be bound to one address as long as neither listens.
            probe.listen()
        except OSError as fault:
            return fault
    return None
