"""The HTTP client of downloads: bounded in time and size, and careful with credentials."""

import base64
import http.client
import ipaddress
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from attrs import field, frozen

from footfall.adapters.geoip.failures import DownloadFailed

MAX_DOWNLOAD_BYTES = 512 << 20
MAX_TEXT_BYTES = 64 << 10
STALL_SECONDS = 30.0
MOST_SECONDS = 900.0

_PIECE = 1 << 16
_UNAUTHORIZED = (401, 403)
_NOT_FOUND = 404


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


def _new_opener() -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPRedirectHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPErrorProcessor,
        urllib.request.UnknownHandler,
    ):
        opener.add_handler(handler())
    return opener


@frozen
class Transport:
    """Asks for files over HTTP; every failure is one line without the query, which may hold a key."""

    # Sent to `server`, and to no other host.
    _credentials: DownloadCredentials | None
    _server: str = field(kw_only=True)
    _monotonic: Callable[[], float] = field(kw_only=True)
    _opener: urllib.request.OpenerDirector = field(factory=_new_opener, init=False)

    def save(self, url: str, file: Path, advance: Callable[[int], None]) -> None:
        """Write the file at an address to one of this machine.

        Raises:
            NoSuchFile: the server does not have it.
            DownloadFailed: it cannot be had for another reason.
            OSError: it cannot be written.

        """
        with file.open("wb") as out:
            for piece in self._pieces(url, MAX_DOWNLOAD_BYTES):
                out.write(piece)
                advance(len(piece))

    def text(self, url: str) -> str:
        """Return the short text at an address.

        Raises:
            DownloadFailed: it cannot be had.

        """
        return b"".join(self._pieces(url, MAX_TEXT_BYTES)).decode("ascii", "replace")

    def _pieces(self, url: str, most: int) -> Iterator[bytes]:
        end, received = self._monotonic() + MOST_SECONDS, 0
        with _one_line(url):
            answer = self._opener.open(self._request(url), timeout=STALL_SECONDS)
        with answer:
            expected = _length(answer)
            while True:
                with _one_line(url):
                    piece = answer.read1(_PIECE)
                if not piece:
                    break
                received += len(piece)
                if received > most:
                    raise DownloadFailed(f"what {host_of(url)} sends is larger than {most >> 10} KiB")
                if self._monotonic() > end:
                    raise DownloadFailed(f"{host_of(url)} took longer than {MOST_SECONDS:.0f} seconds")
                yield piece
        if expected is not None and received < expected:
            raise DownloadFailed(
                f"the download from {host_of(url)} broke off after {received} of {expected} bytes"
            )

    def _request(self, url: str) -> urllib.request.Request:
        request = urllib.request.Request(url, headers={"User-Agent": "footfall"})  # noqa: S310 - the opener knows HTTP only
        if self._credentials is not None and host_of(url) == self._server:
            _require_confidential(url)
            # Not sent on to where a redirection leads: that address is signed, and another server.
            request.add_unredirected_header("Authorization", self._credentials.header())
        return request


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


def _require_confidential(url: str) -> None:
    if urlsplit(url).scheme == "https" or _is_loopback(host_of(url)):
        return
    raise DownloadFailed(f"the licence key is not sent to {host_of(url)} unencrypted: use https://")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _length(answer: http.client.HTTPResponse) -> int | None:
    text = answer.headers.get("Content-Length", "")
    return int(text) if text.isdecimal() else None


@contextmanager
def _one_line(url: str) -> Iterator[None]:
    host = host_of(url)
    try:
        yield
    except urllib.error.HTTPError as answer:
        answer.close()
        raise _refusal(host, answer.code) from None
    except TimeoutError:
        raise DownloadFailed(f"{host} did not answer within {STALL_SECONDS:.0f} seconds") from None
    except urllib.error.URLError as fault:
        raise DownloadFailed(f"{host} cannot be reached: {_reason(fault.reason)}") from None
    except http.client.IncompleteRead:
        raise DownloadFailed(f"the download from {host} broke off") from None
    except (http.client.HTTPException, OSError, ValueError) as fault:
        raise DownloadFailed(f"the connection to {host} failed: {_reason(fault)}") from None


def _refusal(host: str, status: int) -> DownloadFailed:
    if status == _NOT_FOUND:
        return NoSuchFile(f"{host} does not have the file (404)")
    if status in _UNAUTHORIZED:
        return DownloadFailed(f"{host} refused the account id or the licence key ({status})")
    return DownloadFailed(f"{host} answered with status {status}")


def _reason(fault: object) -> str:
    if isinstance(fault, TimeoutError):
        return f"no answer within {STALL_SECONDS:.0f} seconds"
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror
    return type(fault).__name__ if isinstance(fault, Exception) else "unknown"
