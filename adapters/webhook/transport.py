"""Requests to targets of alerts (docs/alerts.md#delivery): short, bounded in time and size, without redirects."""

import asyncio
import hmac
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from urllib.parse import SplitResult, urlsplit

from attrs import field, frozen

from footfall.adapters.webhook.addresses import REFUSED, allowed_addresses
from footfall.adapters.webhook.connection import CheckedConnection, Cutter
from footfall.application.ports.alerts.webhooks import DueRequest, WebhookFailed
from footfall.domain.alerts.addresses import Network

ANSWER_SECONDS = 10.0
ATTEMPT_SECONDS = 20.0
# So much of an answer is read, and none of it kept: a server that is not cut off can tell who reads.
MAX_ANSWER = 64 * 1024
# Of a name with several addresses so many are tried.
MOST_ADDRESSES = 3
SIGNATURE = "Footfall-Signature"
_SUCCESS = range(200, 300)
_REDIRECTS = range(300, 400)
# The target says that it is gone for good.
_GONE = 410


@frozen(kw_only=True)
class HttpWebhooks:
    """WebhookTransport over one connection for each request; certificates are verified, proxies are not used.

    `networks` are those besides the public Internet that targets may be in, also without TLS.
    """

    networks: Sequence[Network] = ()
    version: str = ""
    answer_seconds: float = ANSWER_SECONDS
    attempt_seconds: float = ATTEMPT_SECONDS
    tls: Callable[[], ssl.SSLContext] = field(default=ssl.create_default_context, repr=False)
    # A target that stalls occupies these threads, and none of those that the rest of the service shares.
    _threads: Executor = field(
        factory=lambda: ThreadPoolExecutor(8, "webhook"), init=False, repr=False, eq=False
    )

    async def send(self, due: DueRequest, *, now: datetime) -> None:
        """Return when the target has accepted the request."""
        cutter = Cutter()
        running = asyncio.get_running_loop().run_in_executor(self._threads, self._send, due, now, cutter)
        try:
            await asyncio.wait_for(running, self.attempt_seconds)
        except TimeoutError:
            cutter.cut()
            raise WebhookFailed(f"the target took more than {self.attempt_seconds:g} seconds") from None

    def _send(self, due: DueRequest, now: datetime, cutter: Cutter) -> None:
        parts = urlsplit(due.address.url)
        host, is_tls = parts.hostname or "", parts.scheme == "https"
        port = parts.port or (443 if is_tls else 80)
        if not host:
            raise WebhookFailed("the target was removed", final=True)
        addresses = allowed_addresses(host, port, self.networks)
        if not is_tls and not all(is_allowed for _, is_allowed in addresses):
            raise WebhookFailed(f"{REFUSED} over https", final=True)
        tried = [str(one) for one, _ in addresses[:MOST_ADDRESSES]]
        tls = self.tls() if is_tls else None
        connection = CheckedConnection(host, port, tried, tls=tls, seconds=self.answer_seconds)
        try:
            cutter.watch(connection)
            self._check(self._status(connection, parts, due, now))
        except (OSError, HTTPException, ValueError) as failure:
            raise WebhookFailed(_explained(failure)) from None
        finally:
            connection.close()

    def _status(self, connection: HTTPConnection, parts: SplitResult, due: DueRequest, now: datetime) -> int:
        body = due.request.body.encode()
        headers = {
            "Content-Type": due.request.content_type,
            "User-Agent": f"Footfall/{self.version}",
            "Idempotency-Key": due.request.key,
        }
        if due.request.signed and due.address.secret is not None:
            headers[SIGNATURE] = signature(due.address.secret, body, now)
        path = parts.path or "/"
        connection.request("POST", f"{path}?{parts.query}" if parts.query else path, body, headers)
        answer = connection.getresponse()
        answer.read(MAX_ANSWER)
        return answer.status

    def _check(self, status: int) -> None:
        if status in _REDIRECTS:
            raise WebhookFailed(f"the target answers {status}; redirects are not followed")
        if status not in _SUCCESS:
            raise WebhookFailed(f"the target answers {status}", final=status == _GONE)


def signature(secret: str, body: bytes, at: datetime) -> str:
    """Return the signature of a request: its time, and the HMAC-SHA256 of that time, a point and the body."""
    time = int(at.timestamp())
    digest = hmac.new(secret.encode(), f"{time}.".encode() + body, "sha256").hexdigest()
    return f"t={time},v1={digest}"


def _explained(failure: Exception) -> str:
    match failure:
        case TimeoutError():
            return "the target does not answer in time"
        case ssl.SSLCertVerificationError():
            return f"the certificate of the target is not valid: {failure.verify_message}"
        case ssl.SSLError():
            return "the target does not speak TLS as expected"
        case OSError():
            return f"the target cannot be reached: {failure.strerror or type(failure).__name__}"
        case _:
            return f"the answer of the target cannot be read: {type(failure).__name__}"
