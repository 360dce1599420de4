"""Requests to other servers: bounded in time and size, without redirects, to addresses that may be asked."""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from enum import StrEnum
from functools import cached_property
from urllib.request import getproxies, proxy_bypass

import httpx2
from attrs import define, field, frozen

from footfall.domain.alerts.addresses import Address

# Of a name with several addresses so many are tried.
MOST_ADDRESSES = 3

Check = Callable[[Sequence[Address]], None]


class Fault(StrEnum):
    """Why a request has no answer."""

    NAME = "the name of the host cannot be resolved"
    UNREACHABLE = "it cannot be reached"
    BROKEN = "the connection broke off"
    SILENT = "it does not answer in time"
    SLOW = "it takes too long"
    CERTIFICATE = "its certificate is not valid"
    TLS = "it does not speak TLS as expected"
    UNREADABLE = "its answer cannot be read"


class Unanswered(Exception):
    """There is no answer, for a reason, with details for its operator that name nothing of the request."""

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(f"{fault}: {detail}" if detail else fault)
        self.fault, self.detail = fault, detail


@frozen
class Answer:
    """The status of an answer, and the beginning of its body."""

    status: int
    body: bytes


@define(kw_only=True, slots=False)
class HttpClient:
    """Asks other servers; certificates are verified, and a redirect is an answer like others.

    A connection, or the next part of an answer, is waited for `wait_seconds`; a request takes at most `seconds`, and
    `most_bytes` of its answer are read. With `uses_proxies` those of the environment are asked, which resolve the name
    of the host then.
    """

    wait_seconds: float
    seconds: float
    most_bytes: int
    uses_proxies: bool = False
    tls: Callable[[], ssl.SSLContext] = field(default=ssl.create_default_context, repr=False)
    # A name server that stalls occupies these threads, and none of those that the rest of the service shares.
    _threads: Executor = field(
        factory=lambda: ThreadPoolExecutor(8, "names"), init=False, repr=False, eq=False
    )

    async def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        check: Check | None = None,
    ) -> Answer:
        """Return the answer to a request.

        `check` raises if one of the addresses of the host may not be asked; no other address is connected to.

        Raises:
            Unanswered: there is none.
            ValueError: the URL is none of HTTP.

        """
        try:
            async with asyncio.timeout(self.seconds):
                return await self._sent(method, url, headers, body, check)
        except TimeoutError:
            raise Unanswered(Fault.SLOW, f"{self.seconds:g} seconds") from None

    async def _sent(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, check: Check | None
    ) -> Answer:
        asked = _url(url)
        # The host stays the one of the header, and the one that the certificate is for.
        named = {"Accept-Encoding": "identity", "Host": asked.netloc.decode(), **headers}
        request = _Request(method, asked, named, body)
        if self.uses_proxies and _has_proxy(asked):
            return await self._answer(request, asked)
        addresses = await self._addresses(asked)
        if check is not None:
            check(addresses)
        *others, last = addresses[:MOST_ADDRESSES]
        for address in others:
            try:
                return await self._answer(request, asked.copy_with(host=str(address)))
            except Unanswered as failure:
                # What has been sent may have had its effect: it is not sent twice.
                if failure.fault is not Fault.UNREACHABLE:
                    raise
        return await self._answer(request, asked.copy_with(host=str(last)))

    async def _addresses(self, asked: httpx2.URL) -> Sequence[Address]:
        port = asked.port or (443 if asked.scheme == "https" else 80)
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(
                self._threads, lambda: socket.getaddrinfo(_host(asked), port, type=socket.SOCK_STREAM)
            )
        except (OSError, UnicodeError):
            raise Unanswered(Fault.NAME) from None
        return list(dict.fromkeys(ipaddress.ip_address(one[4][0]) for one in found))

    async def _answer(self, request: "_Request", url: httpx2.URL) -> Answer:
        try:
            async with (
                httpx2.AsyncClient(
                    verify=self._context, timeout=self.wait_seconds, trust_env=self.uses_proxies
                ) as client,
                client.stream(
                    request.method,
                    url,
                    headers=request.headers,
                    content=request.body,
                    extensions={"sni_hostname": _host(request.url)},
                ) as response,
            ):
                body = bytearray()
                async for piece in response.aiter_raw():
                    body += piece
                    if len(body) >= self.most_bytes:
                        break
                return Answer(response.status_code, bytes(body[: self.most_bytes]))
        except httpx2.HTTPError as failure:
            raise _unanswered(failure) from None

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return self.tls()


@frozen
class _Request:
    method: str
    url: httpx2.URL
    headers: Mapping[str, str]
    body: bytes | None


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


def _has_proxy(asked: httpx2.URL) -> bool:
    proxies = getproxies()
    return (asked.scheme in proxies or "all" in proxies) and not proxy_bypass(asked.host)


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
            details = (cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror)
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
