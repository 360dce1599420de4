"""Requests to the service: each is repeated within bounds until it is answered, refused or given up."""

import logging
import time
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from typing import Any

import httpx2
from attrs import define, field, frozen

from footfall.client.delivery.attempts import delay_before
from footfall.client.delivery.service_response import ServiceResponse, read_response
from footfall.client.delivery.transport import OpenConnections, no_response, read_body
from footfall.client.options import Connection
from footfall.client.reading.errors import ReadingError, ReportRefused, ServiceUnavailable, UnreadableAnswer

_CSV = "text/csv"
_OK = 200
_NOT_ANSWERED = 300
_asking = ContextVar("asking", default=False)


@frozen
class Answer:
    """A report in CSV with the headers of its response, whose names are in lower case."""

    text: str
    headers: Mapping[str, str]


@frozen
class _Failure:
    response: ServiceResponse
    is_final: bool = False


@define(eq=False, repr=False)
class Exchange:
    """Asks for reports over connections that stay open; threads may share it."""

    _connection: Connection
    _connections: OpenConnections = field(init=False)

    @_connections.default
    def _new_connections(self) -> OpenConnections:
        return OpenConnections(self._connection, {"Accept": _CSV})

    def ask(self, path: str, parameters: Mapping[str, str]) -> Answer:
        """Return the answer to the request for a path, which is quoted.

        Raises:
            ReportRefused: the service refuses the request, or its parameters fit into no address.
            ServiceUnavailable: it is busy or does not answer, also after all repetitions.
            UnreadableAnswer: it answers with something else.

        """
        url, attempts = f"{self._connection.base_url}/{path}", 0
        while True:
            attempts += 1
            found = self._attempt(url, parameters)
            if isinstance(found, Answer):
                return found
            wait = delay_before(attempts, (found.response.retry_after,), self._connection)
            if found.is_final or wait is None:
                raise _error(found.response, attempts)
            time.sleep(wait)

    def _attempt(self, url: str, parameters: Mapping[str, str]) -> Answer | _Failure:
        """Return the answer to one request; one that takes longer than the timeout in all is none."""
        last = time.monotonic() + self._connection.timeout
        _silence()
        silent = _asking.set(True)
        try:
            with self._connections.client().stream("GET", url, params=parameters) as received:
                content = read_body(received, last)
        except httpx2.HTTPError as error:
            return _Failure(no_response(error))
        except httpx2.InvalidURL:
            raise ReportRefused("The parameters are too long for an address") from None
        finally:
            _asking.reset(silent)
        headers = {name.lower(): value for name, value in received.headers.items()}
        if received.status_code == _OK and headers.get("content-type", "").startswith(_CSV):
            return _report(content, headers)
        response = read_response(received.status_code, headers.get("retry-after"), content)
        return _Failure(response, is_final=not response.repeatable or received.is_success)

    def close(self) -> None:
        """Close the connections."""
        self._connections.close()


@cache
def _silence() -> None:
    # The library writes the address of each request, whose parameters can name visitors.
    logging.getLogger("httpx2").addFilter(lambda _: not _asking.get())


def _report(content: bytes, headers: Mapping[str, str]) -> Answer | _Failure:
    try:
        return Answer(content.decode(), headers)
    except UnicodeDecodeError:
        return _Failure(ServiceResponse(_OK), is_final=True)


def _error(response: ServiceResponse, attempts: int) -> ReadingError:
    status, body = response.status, response.body or {}
    if status is None:
        return ServiceUnavailable(f"The service does not answer: {response.fault}", attempts=attempts)
    if status < _NOT_ANSWERED:
        return UnreadableAnswer("The answer is no report in CSV", status=status, attempts=attempts)
    message = response.described()
    if response.repeatable:
        return ServiceUnavailable(message, status=status, attempts=attempts)
    fields = _fields(body.get("details"))
    told = "; ".join(f"{name} {', '.join(texts)}" for name, texts in fields.items())
    return ReportRefused(
        f"{message}: {told}" if told else message, status=status, attempts=attempts, fields=fields
    )


def _fields(details: Any) -> dict[str, list[str]]:
    found = details.get("fieldErrors") if isinstance(details, dict) else None
    return {
        str(name): [str(text) for text in texts]
        for name, texts in (found if isinstance(found, dict) else {}).items()
        if isinstance(texts, list)
    }
