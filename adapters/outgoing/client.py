"""Requests to other servers: bounded in time and size, without redirects, to addresses that may be asked."""

import asyncio
import ipaddress
import json
import os
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar
from urllib.request import getproxies, proxy_bypass

import httpx2
from attrs import define, field, frozen

from footfall.domain.alerts.addresses import Address
from footfall.domain.sites.host import is_this_machine

# The most addresses of one name that are tried.
MOST_ADDRESSES = 3

SUCCESS = range(200, 300)

Check = Callable[[Sequence[Address]], None]
Result = TypeVar("Result")


class Fault(StrEnum):
    """Why a request has no answer, with a place for the name of the server."""

    NAME = "the name of {} cannot be resolved"
    UNREACHABLE = "{} cannot be reached"
    BROKEN = "the connection to {} broke off"
    SILENT = "{} does not answer in time"
    SLOW = "{} takes too long"
    LARGE = "the answer of {} is too large"
    CERTIFICATE = "the certificate of {} is not valid"
    TLS = "{} does not speak TLS as expected"
    UNREADABLE = "the answer of {} cannot be read"


class Unanswered(Exception):
    """There is no answer, for a reason, with details for its operator that name nothing of the request."""

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(fault, detail)
        self.fault, self.detail = fault, detail

    def about(self, server: str) -> str:
        """Return the reason and its details as a text about a server, named as its readers know it."""
        text = self.fault.format(server)
        return f"{text}: {self.detail}" if self.detail else text


@frozen(repr=False)
class OutgoingRequest:
    """A request; `check` raises if one of the addresses of the host may not be asked, and no other is connected to."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    check: Check | None = None


@frozen
class ServerAnswer:
    """An answer; of a body that is too long only the beginning."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    is_whole: bool = True

    def json(self) -> Any:
        """Return the value that the body is.

        Raises:
            ValueError: it is none; the text says why.

        """
        if not self.is_whole:
            raise ValueError("it is too long")
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise ValueError("it is not JSON") from None


@define
class OpenAnswer:
    """The head of an answer, whose body is read piece by piece."""

    status: int
    headers: Mapping[str, str]
    _pieces: AsyncIterator[bytes]
    _patience: "_Patience"
    _left: int

    async def read(self) -> bytes:
        """Return the next piece of the body; empty at its end.

        Raises:
            Unanswered: the body breaks off, takes too long, or is too large.

        """
        if self._left < 0:
            raise Unanswered(Fault.LARGE)
        piece = await self._patience.wait(self._next())
        self._left -= len(piece)
        return piece

    async def _next(self) -> bytes:
        try:
            return await anext(self._pieces, b"")
        except httpx2.RemoteProtocolError:
            raise Unanswered(Fault.BROKEN) from None


@define(kw_only=True, slots=False)
class HttpClient:
    """Asks other servers; certificates are verified, and a redirect is an answer like others.

    A connection, or the next part of an answer, is waited for `wait_seconds`; a request waits at most `seconds` in all,
    and `most_bytes` of its answer are read. With `uses_proxies` those of the environment are asked, which resolve the
    name of the host then.
    """

    wait_seconds: float
    seconds: float
    most_bytes: int
    uses_proxies: bool = False
    tls: Callable[[], ssl.SSLContext] = field(default=ssl.create_default_context, repr=False)
    resolve: Callable[..., Sequence[Any]] = field(default=socket.getaddrinfo, repr=False)
    # A name server that stalls occupies these threads, and none of those that the rest of the service shares.
    _threads: Executor = field(
        factory=lambda: ThreadPoolExecutor(8, "names"), init=False, repr=False, eq=False
    )

    async def send(self, request: OutgoingRequest) -> ServerAnswer:
        """Return the answer to a request.

        Raises:
            Unanswered: there is none.
            ValueError: the URL is none of HTTP, or a header cannot be sent.

        """
        async with self.open(request) as answer:
            received = bytearray()
            while len(received) <= self.most_bytes and (piece := await answer.read()):
                received += piece
            is_whole = len(received) <= self.most_bytes
            return ServerAnswer(answer.status, answer.headers, bytes(received[: self.most_bytes]), is_whole)

    @asynccontextmanager
    async def open(self, request: OutgoingRequest) -> AsyncIterator[OpenAnswer]:
        """Lend the answer to a request while its body is read; the time of its reader does not count.

        Raises:
            Unanswered, ValueError: as `send` does.

        """
        url, patience = _url(request.url), _Patience(self.seconds, self.seconds)
        proxy = _proxy(url) if self.uses_proxies else None
        places = [url] if proxy else await patience.wait(self._places(url, request.check))
        async with (
            httpx2.AsyncClient(
                verify=self._context, timeout=self.wait_seconds, proxy=proxy, trust_env=False
            ) as client,
            aclosing(await patience.wait(_sent(client, request, url, *places))) as response,
        ):
            yield OpenAnswer(
                response.status_code, response.headers, response.aiter_raw(), patience, self.most_bytes
            )

    async def _places(self, url: httpx2.URL, check: Check | None) -> Sequence[httpx2.URL]:
        """Return the URL with addresses in the place of its host."""
        port = url.port or (443 if url.scheme == "https" else 80)
        loop = asyncio.get_running_loop()
        try:
            infos = await loop.run_in_executor(
                self._threads, lambda: self.resolve(_host(url), port, type=socket.SOCK_STREAM)
            )
        except (OSError, UnicodeError):
            raise Unanswered(Fault.NAME) from None
        addresses = list(dict.fromkeys(ipaddress.ip_address(info[4][0]) for info in infos))
        if check is not None:
            check(addresses)
        return [url.copy_with(host=str(address)) for address in addresses[:MOST_ADDRESSES]]

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return self.tls()


@define
class _Patience:
    """The time that a request may still wait for its server."""

    _seconds: float
    _left: float

    async def wait(self, answer: Awaitable[Result]) -> Result:
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            async with asyncio.timeout(self._left):
                return await answer
        except TimeoutError:
            raise Unanswered(Fault.SLOW, f"more than {self._seconds:g} seconds") from None
        except httpx2.HTTPError as failure:
            raise _unanswered(failure) from None
        finally:
            self._left -= loop.time() - start


async def _sent(
    client: httpx2.AsyncClient,
    request: OutgoingRequest,
    url: httpx2.URL,
    place: httpx2.URL,
    *more_places: httpx2.URL,
) -> httpx2.Response:
    """Return the head of the answer of the first place that can be connected to."""
    # The host stays the one of the header, and the one that the certificate is for.
    headers = {"Accept-Encoding": "identity", "Host": url.netloc.decode(), **request.headers}
    outgoing = client.build_request(
        request.method,
        place,
        headers=httpx2.Headers(headers, encoding="latin-1"),
        content=request.body,
        extensions={"sni_hostname": _host(url)},
    )
    try:
        return await client.send(outgoing, stream=True)
    except httpx2.LocalProtocolError:
        raise ValueError("a header that cannot be sent") from None
    except httpx2.HTTPError as failure:
        # A request that was sent may have had its effect: it is not sent twice.
        if not more_places or _unanswered(failure).fault is not Fault.UNREACHABLE:
            raise
    return await _sent(client, request, url, *more_places)


def is_confidential(url: str) -> bool:
    """Return whether a URL is one of HTTPS, or of HTTP on this machine."""
    try:
        parsed = _url(url)
    except ValueError:
        return False
    return parsed.scheme == "https" or is_this_machine(parsed.host)


def _url(text: str) -> httpx2.URL:
    try:
        url = httpx2.URL(text)
    except httpx2.InvalidURL as fault:
        raise ValueError(str(fault)) from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError("a URL without a scheme or a host")
    return url


def _host(url: httpx2.URL) -> str:
    """Return the host as name servers and certificates have it, also of a name with other letters."""
    return url.raw_host.decode()


def _proxy(url: httpx2.URL) -> str | None:
    """Return the proxy of the environment for a URL."""
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(url.host):
        return None
    scheme, separator, _ = proxy.partition("://")
    if separator and scheme not in ("http", "https"):
        raise Unanswered(Fault.UNREACHABLE, "the proxy of the environment is none of HTTP")
    return proxy if separator else f"http://{proxy}"


def _unanswered(failure: httpx2.HTTPError) -> Unanswered:
    causes = list(_causes(failure))
    for cause in causes:
        match cause:
            case ssl.SSLCertVerificationError():
                return Unanswered(Fault.CERTIFICATE, cause.verify_message)
            case ssl.SSLError():
                return Unanswered(Fault.TLS)
    match failure:
        case httpx2.ConnectTimeout():
            return Unanswered(Fault.UNREACHABLE, "no connection in time")
        case httpx2.ConnectError() | httpx2.ProxyError():
            # The texts of asyncio name the address.
            details = (
                os.strerror(cause.errno) for cause in causes if isinstance(cause, OSError) and cause.errno
            )
            return Unanswered(Fault.UNREACHABLE, next(details, type(failure).__name__))
        case httpx2.TimeoutException():
            return Unanswered(Fault.SILENT)
        case httpx2.NetworkError():
            return Unanswered(Fault.BROKEN)
    return Unanswered(Fault.UNREADABLE, type(failure).__name__)


def _causes(failure: BaseException | None) -> Iterator[BaseException]:
    while failure is not None:
        yield failure
        failure = failure.__cause__ or failure.__context__
