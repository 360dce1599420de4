"""Requests to targets of alerts: short, bounded in time and size, no redirects (docs/alerts/alerts.md#delivery)."""

import hmac
import socket
import ssl
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from attrs import field, frozen

from footfall.adapters.outgoing.client import SUCCESS, HttpClient, OutgoingRequest, Unanswered
from footfall.application.ports.alerts.webhooks import DueRequest, WebhookFailed
from footfall.domain.alerts.addresses import Address, Network, is_public

ANSWER_SECONDS = 10.0
ATTEMPT_SECONDS = 20.0
# The part of an answer that is read, none of it kept: a server that is not cut off can tell who reads.
MAX_ANSWER = 64 * 1024
SIGNATURE = "Footfall-Signature"
REFUSED = "the address is not one of the public Internet"
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
    resolve: Callable[..., Sequence[Any]] = field(default=socket.getaddrinfo, repr=False)
    _client: HttpClient = field(init=False, repr=False, eq=False)

    @_client.default
    def _new_client(self) -> HttpClient:
        return HttpClient(
            wait_seconds=self.answer_seconds,
            seconds=self.attempt_seconds,
            most_bytes=MAX_ANSWER,
            tls=self.tls,
            resolve=self.resolve,
        )

    async def send(self, due: DueRequest, *, now: datetime) -> None:
        """Return when the target has accepted the request."""
        url, body = due.address.url, due.request.body.encode()
        parts = urlsplit(url)
        if not parts.hostname:
            raise WebhookFailed("the target was removed", final=True)
        headers = {
            "Content-Type": due.request.content_type,
            "User-Agent": f"Footfall/{self.version}",
            "Idempotency-Key": due.request.key,
        }
        if due.request.signed and due.address.secret is not None:
            headers[SIGNATURE] = signature(due.address.secret, body, now)

        def check(addresses: Sequence[Address]) -> None:
            check_addresses(addresses, self.networks, is_tls=parts.scheme == "https")

        try:
            answer = await self._client.send(OutgoingRequest("POST", url, headers, body, check))
        except Unanswered as failure:
            raise WebhookFailed(failure.about("the target")) from None
        except ValueError:
            raise WebhookFailed("the address of the target cannot be read", final=True) from None
        if answer.status in _REDIRECTS:
            raise WebhookFailed(f"the target answers {answer.status}; redirects are not followed")
        if answer.status not in SUCCESS:
            raise WebhookFailed(f"the target answers {answer.status}", final=answer.status == _GONE)


def check_addresses(addresses: Sequence[Address], networks: Sequence[Network], *, is_tls: bool) -> None:
    """Check the addresses of a target.

    Raises:
        WebhookFailed: one is neither public nor in a network that the operator allows, or it is public, and there is no
            TLS.

    """
    allowed = [any(address in network for network in networks) for address in addresses]
    # A name with a public and a private address would be tried until the private one is reached.
    if not all(
        is_allowed or is_public(address) for address, is_allowed in zip(addresses, allowed, strict=True)
    ):
        raise WebhookFailed(REFUSED, final=True)
    if not is_tls and not all(allowed):
        raise WebhookFailed(f"{REFUSED} over https", final=True)


def signature(secret: str, body: bytes, at: datetime) -> str:
    """Return the signature of a request: its time, and the HMAC-SHA256 of that time, a point and the body."""
    time = int(at.timestamp())
    digest = hmac.new(secret.encode(), f"{time}.".encode() + body, "sha256").hexdigest()
    return f"t={time},v1={digest}"
