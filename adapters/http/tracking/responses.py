"""Results of tracking events as HTTP answers (docs/track/ingestion.md)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import falcon
from attrs import frozen

from footfall.adapters.http.wire.failures import RETRY_SECONDS
from footfall.adapters.http.wire.responses import encode, failure
from footfall.application.ingestion.results import DropReason, TrackResult
from footfall.domain.tracking.rate_limit import RateLimit, RateState


@frozen
class HttpReply:
    """The answer to a tracking request, as JSON; `headers` are added to those of every answer."""

    status: str
    body: bytes
    headers: Mapping[str, str] = MappingProxyType({})


STORED = HttpReply(falcon.HTTP_200, encode({"success": True}))

REPLAY_HEADERS: dict[str, str] = {"Idempotent-Replay": "true"}

_REFUSALS = MappingProxyType(
    {
        DropReason.INVALID: (400, "Invalid payload"),
        DropReason.INVALID_KEY: (401, "Invalid API key"),
        DropReason.SITE_NOT_FOUND: (404, "Site not found"),
        DropReason.ACCESS_DENIED: (403, "Access denied"),
        DropReason.RATE_LIMITED: (429, ""),
        DropReason.BOT: (403, "Bot detected"),
        DropReason.DOMAIN: (403, "Domain mismatch"),
        DropReason.OVER_LIMIT: (403, "Site over monthly limit"),
        DropReason.KEY_REUSED: (409, "Idempotency key reused"),
        DropReason.UNAVAILABLE: (503, "Temporarily unavailable"),
    }
)
# Events that the owner of the site excludes are answered like stored ones, with a message, and so are bots about which
# the sender asked: their server has done nothing wrong, and is not to repeat or to report them.
_EXCLUSIONS = MappingProxyType(
    {
        DropReason.JUDGED_BOT: "Event not tracked - bot",
        DropReason.EXCLUDED_IP: "Event not tracked - IP excluded",
        DropReason.EXCLUDED_COUNTRY: "Event not tracked - country excluded",
        DropReason.EXCLUDED_PATH: "Event not tracked - path excluded",
        DropReason.EXCLUDED_HOST: "Event not tracked - host excluded",
        DropReason.EXCLUDED_USER_AGENT: "Event not tracked - user agent excluded",
        DropReason.DISABLED: "Event not tracked - disabled for this site",
    }
)


class TrackResponses:
    """Builds the answers to tracking requests; the refusal by the rate limit names the limit."""

    def __init__(self, rate_limit: RateLimit | None) -> None:
        self._rate_limited = "Rate limit exceeded."
        if rate_limit is not None:
            span = _span(rate_limit.seconds)
            self._rate_limited = (
                f"Rate limit exceeded. Maximum {rate_limit.requests} requests per {span} per API key."
            )

    def reply(self, result: TrackResult, *, reset: int) -> HttpReply:
        """Return the answer to one event; `reset` is the number of seconds until the key regains a request."""
        status, body = self.answer(result)
        headers = rate_headers(result.rate, reset=reset)
        if result.replayed:
            headers |= REPLAY_HEADERS
        elif result.reason is DropReason.INVALID_KEY:
            headers["WWW-Authenticate"] = "Bearer"
        elif result.reason is DropReason.RATE_LIMITED:
            headers["Retry-After"] = str(max(reset, 1))
        elif result.reason is DropReason.UNAVAILABLE:
            headers["Retry-After"] = RETRY_SECONDS
        return HttpReply(status, encode(body), headers)

    def batch_item(self, result: TrackResult) -> dict[str, Any]:
        """Return the answer to one event of a batch; a refusal carries its status."""
        status, body = self.answer(result)
        return body if body["success"] else {"success": False, "status": int(status[:3]), **body}

    def answer(self, result: TrackResult) -> tuple[str, dict[str, Any]]:
        """Return the status line and the body of a result."""
        if result.reason is None:
            return falcon.HTTP_200, {"success": True}
        if message := _EXCLUSIONS.get(result.reason):
            return falcon.HTTP_200, {"success": True, "message": message}
        status, text = _REFUSALS[result.reason]
        body = failure(
            text or self._rate_limited,
            field_errors=result.field_errors,
            form_errors=result.form_errors,
            always_details=result.reason is DropReason.INVALID,
        )
        return falcon.code_to_http_status(status), body


def rate_headers(rate: RateState | None, *, reset: int) -> dict[str, str]:
    """Return the headers that describe the rate of a key; none without a key."""
    if rate is None:
        return {}
    return {
        "RateLimit-Limit": str(rate.limit),
        "RateLimit-Remaining": str(rate.remaining),
        "RateLimit-Reset": str(reset),
    }


def _span(seconds: int) -> str:
    minutes, remainder = divmod(seconds, 60)
    return f"{seconds} seconds" if remainder else f"{minutes} minutes"
