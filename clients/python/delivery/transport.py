"""Connections to the service; an attempt over them returns the response, or the reason why there is none."""

import asyncio
import logging
import threading
from collections.abc import Mapping
from time import monotonic

from attrs import define, field

import footfall
from footfall.client.delivery.attempts import Attempt
from footfall.client.delivery.service_response import ServiceResponse, read_response
from footfall.client.options import Connection, Settings

try:
    import httpx2
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "The clients need the packages of footfall[client], reading those of footfall[reading]",
        name=missing.name,
    ) from missing

log = logging.getLogger("footfall.client")
_JSON = {"Content-Type": "application/json"}
# The service answers a batch in a tenth of it; a server that is none could send without end.
_MOST_BYTES = 4 * 1024 * 1024
_TAKES_TOO_LONG = "the answer takes too long"


def _headers(connection: Connection, own: Mapping[str, str]) -> Mapping[str, str]:
    return {
        "Authorization": f"Bearer {connection.api_key}",
        "User-Agent": f"footfall-python/{footfall.__version__}",
        **own,
    }


@define(eq=False)
class OpenConnections:
    """Connections to the service that stay open; several threads may use them at once.

    Each request has the given headers, besides those that all requests to the service have.
    """

    _connection: Connection
    _own_headers: Mapping[str, str]
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _http: httpx2.Client | None = field(default=None, init=False)

    def client(self) -> httpx2.Client:
        """Return the HTTP client, which is made for the first request."""
        # A child that was just forked must not load certificates.
        with self._lock:
            if self._http is None:
                headers = _headers(self._connection, self._own_headers)
                self._http = httpx2.Client(headers=headers, timeout=self._connection.timeout)
            return self._http

    def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            self._http.close()


@define(eq=False)
class Transport:
    """Sends attempts one after another, or from several threads at once."""

    _settings: Settings
    _connections: OpenConnections = field(init=False)

    @_connections.default
    def _new_connections(self) -> OpenConnections:
        return OpenConnections(self._settings, _JSON)

    def send(self, attempt: Attempt) -> ServiceResponse:
        """Return the response; a failed exchange is a response without a status."""
        attempt.begin()
        started = monotonic()
        try:
            with self._connections.client().stream(
                "POST",
                self._settings.base_url + attempt.path,
                content=attempt.content,
                headers=attempt.headers,
            ) as received:
                content = read_body(received, started + self._settings.timeout, most=_MOST_BYTES)
            response = _read(received, content)
        except httpx2.HTTPError as error:
            response = no_response(error)
        _note(attempt, response, started)
        return response

    def close(self) -> None:
        """Close the connections."""
        self._connections.close()


@define(eq=False)
class AsyncTransport:
    """Sends attempts on the running event loop."""

    _settings: Settings
    _http: httpx2.AsyncClient = field(init=False)

    @_http.default
    def _client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(headers=_headers(self._settings, _JSON), timeout=self._settings.timeout)

    async def send(self, attempt: Attempt) -> ServiceResponse:
        """Return the response; a failed exchange is a response without a status."""
        attempt.begin()
        started = monotonic()
        try:
            async with (
                asyncio.timeout(self._settings.timeout),
                self._http.stream(
                    "POST",
                    self._settings.base_url + attempt.path,
                    content=attempt.content,
                    headers=attempt.headers,
                ) as received,
            ):
                content = bytearray()
                async for piece in received.aiter_bytes():
                    _append(content, piece, _MOST_BYTES)
            response = _read(received, content)
        except httpx2.HTTPError as error:
            response = no_response(error)
        except TimeoutError:
            response = ServiceResponse(None, fault=_TAKES_TOO_LONG)
        _note(attempt, response, started)
        return response

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def read_body(received: httpx2.Response, last: float, *, most: int | None = None) -> bytes:
    """Return the body of an answer, of at most so many bytes.

    Raises:
        httpx2.HTTPError: it is longer, is not complete at the monotonic time `last`, or breaks off.

    """
    content = bytearray()
    for piece in received.iter_bytes():
        _append(content, piece, most)
        if monotonic() > last:
            raise httpx2.ReadTimeout(_TAKES_TOO_LONG)
    return bytes(content)


def _append(content: bytearray, piece: bytes, most: int | None) -> None:
    content += piece
    if most is not None and len(content) > most:
        raise httpx2.DecodingError("the answer is too long")


def _read(received: httpx2.Response, content: bytes | bytearray) -> ServiceResponse:
    return read_response(received.status_code, received.headers.get("retry-after"), bytes(content))


def no_response(error: httpx2.HTTPError) -> ServiceResponse:
    """Return what a failed exchange is: a response without a status."""
    return ServiceResponse(None, fault=str(error) or type(error).__name__)


def _note(attempt: Attempt, response: ServiceResponse, started: float) -> None:
    milliseconds = (monotonic() - started) * 1_000
    log.debug("POST %s: %s after %.0f ms", attempt.path, response.status or response.fault, milliseconds)
