"""Refusals and failures as HTTP answers; no request of a client causes a 500."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import falcon
import falcon.asgi
from falcon.asgi import Request, Response, WebSocket

from footfall.adapters.http.wire.responses import CSV_TYPE, JSON_TYPE, encode, failure
from footfall.application.access.authorization import Unauthenticated
from footfall.application.ports.journal import StoreUnavailable, StreamSetAside
from footfall.application.ports.reports.askers import ReportsBusy
from footfall.application.ports.reports.days_in_making import DaysInMaking
from footfall.application.reports.csv_text import csv_text
from footfall.application.reports.tables import Table
from footfall.application.visitors.subjects import SaltsDestroyed
from footfall.domain.citations.definitions import RedefinedSince
from footfall.domain.citations.past_refusals import ErasedSince
from footfall.domain.exceptions import AccessDenied, Conflict, DomainError, Invalid, NotFound

RETRY_SECONDS = "1"
# An operator has to act first.
SET_ASIDE_SECONDS = "60"
# Files of a day of a large site take about as long.
IN_MAKING_SECONDS = "30"

_log = logging.getLogger(__name__)

Handler = Callable[[Request, Response, Any, dict[str, Any]], Awaitable[None]]


class WebSocketRefused(Exception):
    """A client requested a WebSocket; the service has none."""


def install(app: falcon.asgi.App[Request, Response]) -> None:
    """Give the application its error handlers; Falcon asks the most specific one."""
    handlers: list[tuple[type[Exception], Handler]] = [
        (Exception, _unexpected),
        (falcon.HTTPError, _http_error),
        (DomainError, _refusal(falcon.HTTP_409)),
        (Conflict, _refusal(falcon.HTTP_409)),
        (NotFound, _refusal(falcon.HTTP_404)),
        (AccessDenied, _refusal(falcon.HTTP_403)),
        (Invalid, _invalid),
        (SaltsDestroyed, _refusal(falcon.HTTP_410, "Salt destroyed")),
        (ErasedSince, _refusal(falcon.HTTP_410, "Erased since")),
        (RedefinedSince, _refusal(falcon.HTTP_410, "Definition changed since")),
        (Unauthenticated, _unauthenticated),
        (StoreUnavailable, _unavailable),
        (StreamSetAside, _set_aside),
        (DaysInMaking, _in_making),
        (WebSocketRefused, _no_websocket),
    ]
    for kind, handler in handlers:
        app.add_error_handler(kind, handler)


def answer(resp: Response, status: str | int, body: dict[str, Any]) -> None:
    """Make a body the response; no cache on the way keeps what belongs to one caller."""
    resp.set_header("Cache-Control", "no-store")
    resp.status = status
    resp.content_type = JSON_TYPE
    resp.data = encode(body)


def answer_csv(resp: Response, table: Table) -> None:
    """Make a table the response, as CSV."""
    resp.set_header("Cache-Control", "no-store")
    resp.status = falcon.HTTP_200
    resp.content_type = f"{CSV_TYPE}; charset=utf-8; header=present"
    resp.data = csv_text(table).encode()


def _refusal(status: str, title: str | None = None) -> Handler:
    """Return a handler that answers with the message of a refusal, under a title if it has one."""

    async def handler(_req: Request, resp: Response, refusal: DomainError, _params: dict[str, Any]) -> None:
        message = refusal.message
        answer(resp, status, failure(title, form_errors=[message]) if title else failure(message))

    return handler


async def _invalid(_req: Request, resp: Response, refusal: Invalid, _params: dict[str, Any]) -> None:
    body = failure(refusal.message, field_errors=refusal.field_errors, form_errors=refusal.form_errors)
    answer(resp, falcon.HTTP_400, body)


async def _unauthenticated(
    req: Request, resp: Response, _refusal: Unauthenticated, _params: dict[str, Any]
) -> None:
    presented = req.get_header("Authorization") is not None
    resp.set_header("WWW-Authenticate", "Bearer")
    answer(resp, falcon.HTTP_401, failure("Invalid API key" if presented else "Authentication required"))


async def _unavailable(
    _req: Request, resp: Response, reason: StoreUnavailable, _params: dict[str, Any]
) -> None:
    _log.info("temporarily unavailable: %s", reason)
    retry_after = str(reason.retry_after) if isinstance(reason, ReportsBusy) else RETRY_SECONDS
    resp.set_header("Retry-After", retry_after)
    answer(resp, falcon.HTTP_503, failure("Temporarily unavailable"))


async def _in_making(_req: Request, resp: Response, refusal: DaysInMaking, _params: dict[str, Any]) -> None:
    resp.set_header("Retry-After", IN_MAKING_SECONDS)
    detail = f"The files of days from {refusal.days[0]} to {refusal.days[-1]} are being made"
    answer(resp, falcon.HTTP_503, failure("Temporarily unavailable", form_errors=[detail]))


async def _set_aside(_req: Request, resp: Response, refusal: StreamSetAside, _params: dict[str, Any]) -> None:
    resp.set_header("Retry-After", SET_ASIDE_SECONDS)
    detail = (
        f"An event of {refusal.stream} cannot be read: the operator's `footfall doctor` says how to go on"
    )
    answer(resp, falcon.HTTP_503, failure("Temporarily unavailable", form_errors=[detail]))


async def _http_error(
    _req: Request, resp: Response, error: falcon.HTTPError, _params: dict[str, Any]
) -> None:
    for name, value in dict(error.headers or {}).items():
        resp.set_header(name, value)
    # Falcon's default title is the status line, with the code that the answer has already.
    message = error.title if error.title != error.status else error.status.partition(" ")[2]
    answer(resp, error.status, failure(message, form_errors=[error.description] if error.description else []))


async def _no_websocket(
    _req: Request,
    _resp: Response,
    _refusal: WebSocketRefused,
    _params: dict[str, Any],
    ws: WebSocket | None = None,
) -> None:
    # Closed before it was accepted: the server answers the handshake with 403.
    if ws is not None:
        await ws.close()


async def _unexpected(req: Request, resp: Response, error: Exception, _params: dict[str, Any]) -> None:
    answer(resp, falcon.HTTP_500, internal_error(error, req.context.request_id))


def internal_error(error: Exception, request_id: str) -> dict[str, Any]:
    """Log an unexpected error, and return the body of the answer."""
    _log.error("request failed", exc_info=error, extra={"request_id": request_id})
    return failure("Internal error")
