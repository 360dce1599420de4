"""Verdicts on tracking events as HTTP answers (decisions, section 1, table of answers)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import falcon
from attrs import frozen

from footfall.adapters.http.answers import encode, failure
from footfall.adapters.http.failures import RETRY_SECONDS
from footfall.application.verdict import Answer, Verdict
from footfall.domain.rate_limit import RateLimit, RateState


@frozen
class Reply:
    """The answer to a tracking request, as JSON; `headers` are those that not every such answer has."""

    status: str
    body: bytes
    headers: Mapping[str, str] = MappingProxyType({})


STORED = Reply(falcon.HTTP_200, encode({"success": True}))

_REFUSALS = MappingProxyType(
    {
        Verdict.INVALID: (400, "Invalid payload"),
        Verdict.INVALID_KEY: (401, "Invalid API key"),
        Verdict.SITE_NOT_FOUND: (404, "Site not found"),
        Verdict.ACCESS_DENIED: (403, "Access denied"),
        Verdict.RATE_LIMITED: (429, ""),
        Verdict.BOT: (403, "Bot detected"),
        Verdict.DOMAIN: (403, "Domain mismatch"),
        Verdict.OVER_LIMIT: (403, "Site over monthly limit"),
        Verdict.KEY_REUSED: (409, "Idempotency key reused"),
        Verdict.UNAVAILABLE: (503, "Temporarily unavailable"),
    }
)
_SUCCESSES: Mapping[Verdict, dict[str, Any]] = MappingProxyType(
    {
        Verdict.STORED: {"success": True},
        Verdict.REPLAYED: {"success": True},
        Verdict.EXCLUDED_IP: {"success": True, "message": "Event not tracked - IP excluded"},
        Verdict.EXCLUDED_COUNTRY: {"success": True, "message": "Event not tracked - country excluded"},
        Verdict.DISABLED: {"success": True, "message": "Event not tracked - disabled for this site"},
    }
)


class VerdictForms:
    """Writes verdicts down; knows the rate limit, because its refusal names it."""

    def __init__(self, rate_limit: RateLimit | None) -> None:
        self._rate_limited = "Rate limit exceeded."
        if rate_limit is not None:
            span = _span(rate_limit.seconds)
            self._rate_limited = (
                f"Rate limit exceeded. Maximum {rate_limit.requests} requests per {span} per API key."
            )

    def reply(self, answer: Answer, *, reset: int) -> Reply:
        """Return the verdict on one event as an answer; `reset` is how many seconds a key has to wait, if any."""
        status, body = self.form(answer)
        headers = rate_headers(answer.rate, reset=reset)
        if status == falcon.HTTP_401:
            headers["WWW-Authenticate"] = "Bearer"
        if answer.verdict is Verdict.RATE_LIMITED:
            headers["Retry-After"] = str(max(reset, 1))
        if answer.verdict is Verdict.UNAVAILABLE:
            headers["Retry-After"] = RETRY_SECONDS
        if answer.verdict is Verdict.REPLAYED:
            headers["Idempotent-Replay"] = "true"
        return Reply(status, encode(body), headers)

    def result(self, answer: Answer) -> dict[str, Any]:
        """Return the verdict on one event of a batch; a refusal carries its status."""
        status, body = self.form(answer)
        return body if body["success"] else {"success": False, "status": int(status[:3]), **body}

    def form(self, answer: Answer) -> tuple[str, dict[str, Any]]:
        """Return the status line and the body of a verdict."""
        if success := _SUCCESSES.get(answer.verdict):
            return falcon.HTTP_200, dict(success)
        status, text = _REFUSALS[answer.verdict]
        body = failure(
            text or self._rate_limited,
            field_errors=answer.field_errors,
            form_errors=answer.form_errors,
            always_details=answer.verdict is Verdict.INVALID,
        )
        return falcon.code_to_http_status(status), body


def rate_headers(rate: RateState | None, *, reset: int) -> dict[str, str]:
    """Say what is left to the key."""
    if rate is None:
        return {}
    return {
        "RateLimit-Limit": str(rate.limit),
        "RateLimit-Remaining": str(rate.remaining),
        "RateLimit-Reset": str(reset),
    }


def _span(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{seconds} seconds" if rest else f"{minutes} minutes"
