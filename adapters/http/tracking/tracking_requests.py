"""Tracking requests, independent of the framework: body and origin in, answer out."""

from collections.abc import Callable

import falcon
from attrs import frozen

from footfall.adapters.http.tracking.responses import (
    REPLAY_HEADERS,
    STORED,
    HttpReply,
    TrackResponses,
    rate_headers,
)
from footfall.adapters.http.wire.bodies import NotAnObject, decode_object
from footfall.adapters.http.wire.context import bearer_key
from footfall.adapters.http.wire.responses import encode, failure
from footfall.application.ingestion import results
from footfall.application.ingestion.draft import RequestOrigin
from footfall.application.ingestion.ingestion import Ingestion
from footfall.domain.tracking.automation import NO_HINTS, ClientHints

# Browsers send these on their own to a proxy that asks for a password: they are no API keys.
_SCHEMES_OF_BROWSERS = frozenset({"basic", "digest", "negotiate", "ntlm"})

_LONGEST_HINT = 256

Header = Callable[[str], str | None]


@frozen
class Tracker:
    """Decodes tracking requests, passes them to ingestion and encodes the results; any content type is JSON."""

    _ingestion: Ingestion
    _responses: TrackResponses

    async def event(self, body: bytes, origin: RequestOrigin) -> HttpReply:
        """Track one event; 200 means stored, durably, or excluded by the owner of the site."""
        try:
            payload = decode_object(body)
        except NotAnObject as fault:
            return self.unreadable(origin, falcon.HTTP_400, "Invalid payload", str(fault))
        result = await self._ingestion.track(payload, origin)
        if result is results.STORED:
            return STORED
        return self._responses.reply(result, reset=self._ingestion.seconds_until_free(result.rate))

    async def batch(self, body: bytes, origin: RequestOrigin) -> HttpReply:
        """Track up to 500 events; each has its own result, and an invalid one does not affect the others."""
        try:
            payload = decode_object(body)
        except NotAnObject as fault:
            return self.unreadable(origin, falcon.HTTP_400, "Invalid payload", str(fault))
        batch = await self._ingestion.track_batch(payload, origin)
        reset = self._ingestion.seconds_until_free(batch.rate)
        headers = rate_headers(batch.rate, reset=reset)
        if batch.refusal is not None:
            refusal = self._responses.reply(batch.refusal, reset=reset)
            return HttpReply(refusal.status, refusal.body, {**refusal.headers, **headers})
        items = [self._responses.batch_item(result) for result in batch.results]
        encoded = encode({"success": True, "results": items})
        return HttpReply(falcon.HTTP_200, encoded, headers | (REPLAY_HEADERS if batch.replayed else {}))

    def unreadable(self, origin: RequestOrigin, status: str, title: str, *errors: str) -> HttpReply:
        """Count a request whose body is no event, and refuse it."""
        rate = self._ingestion.malformed(origin)
        headers = rate_headers(rate, reset=self._ingestion.seconds_until_free(rate))
        return HttpReply(status, encode(failure(title, form_errors=errors)), headers)


def request_origin(header: Header, address: str) -> RequestOrigin:
    """Return the origin of a request, by its headers and the address of its client."""
    return RequestOrigin(
        address=address,
        user_agent=header("user-agent") or "",
        origin=header("origin"),
        referer=header("referer"),
        accept_language=header("accept-language"),
        hints=hints_of(header),
        key=_key(header("authorization")),
        idempotency_key=header("idempotency-key"),
    )


def hints_of(header: Header) -> ClientHints:
    """Return the client hints among the headers of a request; what is longer than browsers write it is cut."""
    brands, mobile, platform = header("sec-ch-ua"), header("sec-ch-ua-mobile"), header("sec-ch-ua-platform")
    if brands or mobile or platform:
        return ClientHints(
            (brands or "")[:_LONGEST_HINT], (mobile or "")[:_LONGEST_HINT], (platform or "")[:_LONGEST_HINT]
        )
    return NO_HINTS


def _key(authorization: str | None) -> str | None:
    if authorization is None or authorization.partition(" ")[0].lower() in _SCHEMES_OF_BROWSERS:
        return None
    return bearer_key(authorization)
