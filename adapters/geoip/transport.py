"""Downloads over HTTP: bounded in time and size, with redirects, and careful with credentials."""

import asyncio
import base64
import ssl
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from attrs import field, frozen

from footfall.adapters.outgoing.client import (
    SUCCESS,
    HttpClient,
    OpenAnswer,
    OutgoingRequest,
    Unanswered,
    is_confidential,
)

MAX_DOWNLOAD_BYTES = 512 << 20
MAX_TEXT_BYTES = 64 << 10
STALL_SECONDS = 30.0
MOST_SECONDS = 900.0

_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_UNAUTHORIZED = (401, 403)
_NOT_FOUND = 404
_AGENT = {"User-Agent": "footfall"}

Take = Callable[[bytes], object]


class DownloadFailed(Exception):
    """A database was not downloaded; the text is one line, without credentials."""


class NoSuchFile(DownloadFailed):
    """The server answers, and does not have the file."""


@frozen
class DownloadCredentials:
    """The account of a download, for HTTP's basic authentication."""

    account_id: str
    license_key: str = field(repr=False)

    def header(self) -> str:
        """Return the value of the Authorization header."""
        return "Basic " + base64.b64encode(f"{self.account_id}:{self.license_key}".encode()).decode()


@frozen
class FileTransport:
    """Asks for files over HTTP; every failure is one line without the query, which may hold a key."""

    _credentials: DownloadCredentials | None = None
    # Credentials are sent to no other host.
    _server: str | None = field(default=None, kw_only=True)
    _most_bytes: int = field(default=MAX_DOWNLOAD_BYTES, kw_only=True)
    _stall_seconds: float = field(default=STALL_SECONDS, kw_only=True)
    # For all requests of a download.
    _most_seconds: float = field(default=MOST_SECONDS, kw_only=True)
    _most_redirects: int = field(default=_MOST_REDIRECTS, kw_only=True)
    # The certificates of the machine are read once for all files.
    _tls: Callable[[], ssl.SSLContext] = field(
        factory=lambda: cache(ssl.create_default_context), init=False, repr=False, eq=False
    )

    def save(self, url: str, file: Path, advance: Callable[[int], None]) -> None:
        """Write the file at an address to one of this machine.

        Raises:
            NoSuchFile: the server does not have it.
            DownloadFailed: it cannot be had for another reason.
            OSError: it cannot be written.

        """
        with file.open("wb") as out:
            self._fetch(url, self._most_bytes, lambda piece: advance(out.write(piece)))

    def text(self, url: str, *, most_bytes: int = MAX_TEXT_BYTES) -> str:
        """Return the short text at an address.

        Raises:
            DownloadFailed: it cannot be had.

        """
        received = bytearray()
        self._fetch(url, most_bytes, received.extend)
        return received.decode("ascii", "replace")

    def _fetch(self, url: str, most_bytes: int, take: Take) -> None:
        client = HttpClient(
            wait_seconds=self._stall_seconds,
            seconds=self._most_seconds,
            most_bytes=most_bytes,
            uses_proxies=True,
            tls=self._tls,
        )
        asyncio.run(self._followed(client, url, take))

    async def _followed(self, client: HttpClient, url: str, take: Take) -> None:
        host, headers = host_of(url), self._headers(url)
        try:
            async with asyncio.timeout(self._most_seconds):
                for _ in range(1 + self._most_redirects):
                    place = await _download(client, url, headers, take)
                    if place is None:
                        return
                    # Credentials are not sent on to where a redirect leads: that address is signed, and another server.
                    url, headers = urljoin(url, place), _AGENT
        except TimeoutError:
            raise DownloadFailed(f"{host} takes too long: more than {self._most_seconds:g} seconds") from None
        raise DownloadFailed(f"{host} redirects more than {self._most_redirects} times")

    def _headers(self, url: str) -> Mapping[str, str]:
        if self._credentials is None or host_of(url) != self._server:
            return _AGENT
        if not is_confidential(url):
            raise DownloadFailed(f"the licence key is not sent to {self._server} unencrypted: use https://")
        return {**_AGENT, "Authorization": self._credentials.header()}


async def _download(client: HttpClient, url: str, headers: Mapping[str, str], take: Take) -> str | None:
    """Hand over what is at an address in pieces, or return the address that it redirects to."""
    host, received = host_of(url), 0
    try:
        async with client.open(OutgoingRequest("GET", url, headers)) as answer:
            if answer.status in _REDIRECTS and (place := answer.headers.get("Location")):
                return place
            _check_status(host, answer)
            while piece := await answer.read():
                take(piece)
                received += len(piece)
    except Unanswered as failure:
        behind = f" after {received} bytes" if received else ""
        raise DownloadFailed(f"{failure.about(host)}{behind}") from None
    except ValueError:
        raise DownloadFailed(f"the address of a download at {host} cannot be read") from None
    return None


def _check_status(host: str, answer: OpenAnswer) -> None:
    if answer.status == _NOT_FOUND:
        raise NoSuchFile(f"{host} does not have the file (404)")
    if answer.status in _UNAUTHORIZED:
        raise DownloadFailed(f"{host} refused the account id or the licence key ({answer.status})")
    if answer.status not in SUCCESS:
        raise DownloadFailed(f"{host} answered with status {answer.status}")


def host_of(url: str) -> str:
    """Return the host of an address, which is all that messages show of it.

    Raises:
        DownloadFailed: it is no HTTP address.

    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise DownloadFailed("the address of a download must begin with https:// or http:// and a host")
    return host
