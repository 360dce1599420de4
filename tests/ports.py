"""Ports of this machine that nothing else takes."""

import socket

_reserved: list[socket.socket] = []


def free_port() -> int:
    """Return a port that stays reserved for as long as this process lives, also while its server is stopped.

    The socket that reserves it does not listen, so a server that sets SO_REUSEADDR can bind the port. Without it,
    some connection of the machine could get the port before a server that takes seconds to start.
    """
    keeper = socket.socket()
    keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    keeper.bind(("127.0.0.1", 0))
    _reserved.append(keeper)
    return keeper.getsockname()[1]
