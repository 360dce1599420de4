"""POST /api/track and /api/track/batch (interface, section 4.5; decisions, section 1)."""

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import JSON_TYPE, encode, failure
from footfall.adapters.http.bodies import (
    MAX_BODY,
    BodyIncomplete,
    NotAnObject,
    PayloadTooLarge,
    decode_object,
    read_body,
)
from footfall.adapters.http.requests import ClientAddress, bearer
from footfall.adapters.http.verdicts import SUCCESS, VerdictForms, rate_headers
from footfall.application.access import Access
from footfall.application.ingestion import Ingestion
from footfall.application.judgement import Sender
from footfall.application.verdict import Verdict

MAX_BATCH_BODY = 4 * 1024 * 1024

# What browsers send on their own to a proxy that asks people for a password: nobody meant it as a key.
_SCHEMES_OF_BROWSERS = frozenset({"basic", "digest", "negotiate", "ntlm"})
_PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, X-Request-Id",
    "Access-Control-Max-Age": "86400",
}
_EXPOSED = (
    "Idempotent-Replay, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id"
)


class _Tracking:
    """What both endpoints share: any origin, and bodies of any content type that are JSON."""

    access_post = Access.OPEN
    access_options = Access.OPEN

    def __init__(self, ingestion: Ingestion, client_address: ClientAddress, forms: VerdictForms) -> None:
        self._ingestion = ingestion
        self._client_address = client_address
        self._forms = forms

    async def on_options(self, _req: Request, resp: Response) -> None:
        """Answer a browser's preflight: any origin, without credentials."""
        resp.set_headers(_PREFLIGHT)
        resp.status = falcon.HTTP_204

    async def _payload(self, req: Request, resp: Response, *, maximum: int) -> dict[str, object] | None:
        """Return the body's object, or None when the response says why there is none."""
        resp.content_type = JSON_TYPE
        resp.set_header("Access-Control-Allow-Origin", "*")
        resp.set_header("Access-Control-Expose-Headers", _EXPOSED)
        try:
            return decode_object(await read_body(req, maximum=maximum))
        except PayloadTooLarge:
            resp.status = falcon.HTTP_413
            resp.data = encode(failure("Payload too large"))
        except BodyIncomplete as fault:
            resp.status = falcon.HTTP_408
            resp.data = encode(failure(fault.title, form_errors=[fault.description]))
        except NotAnObject as fault:
            resp.status = falcon.HTTP_400
            resp.data = encode(failure("Invalid payload", form_errors=[str(fault)]))
        rate = self._ingestion.malformed(self._sender(req))
        rate_headers(resp, rate, reset=self._ingestion.seconds_until_free(rate))
        return None

    def _sender(self, req: Request) -> Sender:
        return Sender(
            address=self._client_address.of(req),
            user_agent=req.get_header("User-Agent") or "",
            origin=req.get_header("Origin"),
            referer=req.get_header("Referer"),
            key=_key(req),
            idempotency_key=req.get_header("Idempotency-Key"),
        )


def _key(req: Request) -> str | None:
    scheme = (req.get_header("Authorization") or "").partition(" ")[0].lower()
    return None if scheme in _SCHEMES_OF_BROWSERS else bearer(req)


class Track(_Tracking):
    """The endpoint that everything lives on."""

    async def on_post(self, req: Request, resp: Response) -> None:
        """Take one tracking event; 200 means stored, durably."""
        payload = await self._payload(req, resp, maximum=MAX_BODY)
        if payload is None:
            return
        answer = await self._ingestion.track(payload, self._sender(req))
        if answer.verdict is Verdict.STORED and answer.rate is None:
            resp.data = SUCCESS
            return
        wait = self._ingestion.seconds_until_free(answer.rate)
        self._forms.answer(resp, answer, retry_after=max(wait, 1))
        rate_headers(resp, answer.rate, reset=wait)


class TrackBatch(_Tracking):
    """Several tracking events in one request, for senders with a key."""

    async def on_post(self, req: Request, resp: Response) -> None:
        """Take up to 500 tracking events; each has its own result, one bad one never costs the others."""
        payload = await self._payload(req, resp, maximum=MAX_BATCH_BODY)
        if payload is None:
            return
        answer = await self._ingestion.track_batch(payload, self._sender(req))
        wait = self._ingestion.seconds_until_free(answer.rate)
        if answer.refusal is not None:
            self._forms.answer(resp, answer.refusal, retry_after=max(wait, 1))
        else:
            results = [self._forms.result(result) for result in answer.results]
            resp.data = encode({"success": True, "results": results})
        rate_headers(resp, answer.rate, reset=wait)
