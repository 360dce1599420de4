"""POST /api/track: one tracking event (interface, section 4.5; decisions, section 1)."""

from types import MappingProxyType

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import JSON_TYPE, encode, failure
from footfall.adapters.http.bodies import NotAnObject, PayloadTooLarge, decode_object, read_body
from footfall.adapters.http.failures import RETRY_SECONDS
from footfall.adapters.http.requests import ClientAddress, bearer
from footfall.application.ingestion import Answer, Ingestion, Sender, Verdict

_SUCCESS = encode({"success": True})

# Status and text of every verdict that is not a success.
_REFUSALS = MappingProxyType(
    {
        Verdict.INVALID: (falcon.HTTP_400, "Invalid payload"),
        Verdict.INVALID_KEY: (falcon.HTTP_401, "Invalid API key"),
        Verdict.SITE_NOT_FOUND: (falcon.HTTP_404, "Site not found"),
        Verdict.ACCESS_DENIED: (falcon.HTTP_403, "Access denied"),
        Verdict.BOT: (falcon.HTTP_403, "Bot detected"),
        Verdict.DOMAIN: (falcon.HTTP_403, "Domain mismatch"),
        Verdict.UNAVAILABLE: (falcon.HTTP_503, "Temporarily unavailable"),
    }
)
_NOT_TRACKED = MappingProxyType(
    {
        Verdict.EXCLUDED_IP: "Event not tracked - IP excluded",
        Verdict.EXCLUDED_COUNTRY: "Event not tracked - country excluded",
        Verdict.DISABLED: "Event not tracked - disabled for this site",
    }
)


class Track:
    """The endpoint that everything lives on."""

    def __init__(self, ingestion: Ingestion, client_address: ClientAddress) -> None:
        self._ingestion = ingestion
        self._client_address = client_address

    async def on_post(self, req: Request, resp: Response) -> None:
        """Take one tracking event; 200 means stored, durably."""
        resp.content_type = JSON_TYPE
        resp.set_header("Access-Control-Allow-Origin", "*")
        try:
            payload = decode_object(await read_body(req))
        except PayloadTooLarge:
            _refuse(resp, falcon.HTTP_413, failure("Payload too large"))
        except NotAnObject as fault:
            _refuse(resp, falcon.HTTP_400, failure("Invalid payload", form_errors=[str(fault)]))
        else:
            _answer(resp, await self._ingestion.track(payload, self._sender(req)))

    async def on_options(self, _req: Request, resp: Response) -> None:
        """Answer a browser's preflight: any origin, without credentials."""
        resp.set_headers(
            {
                "Access-Control-Allow-Origin": "*",
                "Access-Control-Allow-Methods": "POST, OPTIONS",
                "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, X-Request-Id",
                "Access-Control-Max-Age": "86400",
            }
        )
        resp.status = falcon.HTTP_204

    def _sender(self, req: Request) -> Sender:
        return Sender(
            address=self._client_address.of(req),
            user_agent=req.get_header("User-Agent") or "",
            origin=req.get_header("Origin"),
            referer=req.get_header("Referer"),
            key=bearer(req),
        )


def _answer(resp: Response, answer: Answer) -> None:
    if answer.verdict is Verdict.STORED:
        resp.data = _SUCCESS
        return
    if message := _NOT_TRACKED.get(answer.verdict):
        resp.data = encode({"success": True, "message": message})
        return
    status, text = _REFUSALS[answer.verdict]
    if answer.verdict is Verdict.UNAVAILABLE:
        resp.set_header("Retry-After", RETRY_SECONDS)
    if answer.verdict is Verdict.INVALID_KEY:
        resp.set_header("WWW-Authenticate", "Bearer")
    body = failure(
        text,
        field_errors=answer.field_errors,
        form_errors=answer.form_errors,
        always_details=answer.verdict is Verdict.INVALID,
    )
    _refuse(resp, status, body)


def _refuse(resp: Response, status: str, body: dict[str, object]) -> None:
    resp.status = status
    resp.data = encode(body)
