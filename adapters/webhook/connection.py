"""A connection to an address that was checked, for a name that TLS verifies."""

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPConnection
from threading import Lock

from attrs import define, field


class CheckedConnection(HTTPConnection):
    """HTTP over a connection to one of some addresses; the name of the host is not resolved again."""

    def __init__(
        self, host: str, port: int, addresses: Sequence[str], *, tls: ssl.SSLContext | None, seconds: float
    ) -> None:
        super().__init__(host, port, timeout=seconds)
        self._addresses, self._tls, self._seconds = addresses, tls, seconds

    def connect(self) -> None:
        """Connect to the first address that answers, and verify the certificate for the name with TLS."""
        plain = self._connected()
        try:
            self.sock = (
                plain if self._tls is None else self._tls.wrap_socket(plain, server_hostname=self.host)
            )
        except BaseException:
            plain.close()
            raise

    def _connected(self) -> socket.socket:
        for address in self._addresses[:-1]:
            with suppress(OSError):
                return socket.create_connection((address, self.port), self._seconds)
        return socket.create_connection((self._addresses[-1], self.port), self._seconds)


@define(eq=False)
class Cutter:
    """Ends the connection of a request from another thread when its time is over."""

    _connection: HTTPConnection | None = None
    _is_cut: bool = False
    _changing: Lock = field(factory=Lock, init=False)

    def watch(self, connection: HTTPConnection) -> None:
        """Take a connection that is about to be used.

        Raises:
            TimeoutError: the time is over.

        """
        with self._changing:
            self._connection = connection
            if self._is_cut:
                raise TimeoutError

    def cut(self) -> None:
        """End the connection: what waits for its answer fails."""
        with self._changing:
            self._is_cut = True
            found = None if self._connection is None else self._connection.sock
        if found is not None:
            try:
                found.shutdown(socket.SHUT_RDWR)
            except OSError:
                return
