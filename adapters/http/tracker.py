"""Tracking requests, whichever way they come: the body and its sender in, the answer out (interface, section 4.5)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import falcon

from footfall.adapters.http.answers import JSON_TYPE, encode, failure
from footfall.adapters.http.bodies import NotAnObject, decode_object
from footfall.adapters.http.requests import bearer_key
from footfall.adapters.http.verdicts import STORED, Reply, VerdictForms, rate_headers
from footfall.application.ingestion import Ingestion
from footfall.application.judgement import Sender
from footfall.application.verdict import Verdict

# What every answer to a tracking request carries: any origin may read it.
TRACKING_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Type": JSON_TYPE,
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": (
            "Idempotent-Replay, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id"
        ),
    }
)
# What browsers send on their own to a proxy that asks people for a password: nobody meant it as a key.
_SCHEMES_OF_BROWSERS = frozenset({"basic", "digest", "negotiate", "ntlm"})

Header = Callable[[str], str | None]


class Tracker:
    """Brings tracking requests to ingestion and writes its verdicts down; any content type is JSON."""

    def __init__(self, ingestion: Ingestion, forms: VerdictForms) -> None:
        self._ingestion = ingestion
        self._forms = forms

    async def event(self, body: bytes, sender: Sender) -> Reply:
        """Take one tracking event; 200 means stored, durably."""
        payload = self._payload(body, sender)
        if isinstance(payload, Reply):
            return payload
        answer = await self._ingestion.track(payload, sender)
        if answer.verdict is Verdict.STORED and answer.rate is None:
            return STORED
        return self._forms.reply(answer, reset=self._ingestion.seconds_until_free(answer.rate))

    async def batch(self, body: bytes, sender: Sender) -> Reply:
        """Take up to 500 tracking events; each has its own result, one bad one never costs the others."""
        payload = self._payload(body, sender)
        if isinstance(payload, Reply):
            return payload
        answer = await self._ingestion.track_batch(payload, sender)
        reset = self._ingestion.seconds_until_free(answer.rate)
        if answer.refusal is not None:
            refusal = self._forms.reply(answer.refusal, reset=reset)
            return Reply(
                refusal.status, refusal.body, {**refusal.headers, **rate_headers(answer.rate, reset=reset)}
            )
        results = [self._forms.result(result) for result in answer.results]
        listed = encode({"success": True, "results": results})
        return Reply(falcon.HTTP_200, listed, rate_headers(answer.rate, reset=reset))

    def unreadable(self, sender: Sender, status: str, title: str, *faults: str) -> Reply:
        """Count a request whose body is no event, and refuse it."""
        rate = self._ingestion.malformed(sender)
        headers = rate_headers(rate, reset=self._ingestion.seconds_until_free(rate))
        return Reply(status, encode(failure(title, form_errors=faults)), headers)

    def _payload(self, body: bytes, sender: Sender) -> dict[str, Any] | Reply:
        try:
            return decode_object(body)
        except NotAnObject as fault:
            return self.unreadable(sender, falcon.HTTP_400, "Invalid payload", str(fault))


def sender_of(header: Header, address: str) -> Sender:
    """Return who sends a request, by its headers and the address that it comes from."""
    return Sender(
        address=address,
        user_agent=header("user-agent") or "",
        origin=header("origin"),
        referer=header("referer"),
        key=_key(header("authorization")),
        idempotency_key=header("idempotency-key"),
    )


def _key(authorization: str | None) -> str | None:
    if authorization is None or authorization.partition(" ")[0].lower() in _SCHEMES_OF_BROWSERS:
        return None
    return bearer_key(authorization)
