"""Reading request bodies: bounded, and decoded into JSON objects."""

import json
from typing import Any, NoReturn

import falcon
import orjson
from falcon.asgi import Request

MAX_BODY = 128 * 1024


class PayloadTooLarge(Exception):
    """The body is longer than this endpoint accepts."""


class BodyIncomplete(Exception):
    """The body did not come as far as was announced, in the time that it had."""

    title = "Request timeout"
    description = "The body did not come"


class NotAnObject(ValueError):
    """The body is not a JSON object; the text says what it is instead."""


async def read_body(req: Request, *, maximum: int = MAX_BODY) -> bytes:
    """Return the body.

    Raises:
        PayloadTooLarge: it is longer than `maximum` bytes, whether or not it says so.
        BodyIncomplete: it did not come as far as was announced.

    """
    announced = req.content_length or 0
    if announced > maximum:
        raise PayloadTooLarge
    body: bytes = await req.stream.read(maximum + 1)
    if len(body) > maximum:
        raise PayloadTooLarge
    if len(body) < announced:
        raise BodyIncomplete
    return body


def decode_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body.

    Raises:
        NotAnObject: it is not JSON, or not an object.

    """
    try:
        decoded = orjson.loads(body)
    except orjson.JSONDecodeError:
        decoded = _decode_leniently(body)
    if not isinstance(decoded, dict):
        raise NotAnObject("Body must be a JSON object")
    return decoded


async def json_object(req: Request) -> dict[str, Any]:
    """Return the JSON object that a management endpoint was sent.

    Raises:
        HTTPUnsupportedMediaType: the content type is not JSON.
        HTTPContentTooLarge: the body is longer than 128 KiB.
        HTTPError: the body did not come as a whole (408).
        HTTPBadRequest: the body is not a JSON object.

    """
    if (req.content_type or "").partition(";")[0].strip().lower() not in {"application/json", ""}:
        raise falcon.HTTPUnsupportedMediaType(
            title="Unsupported media type", description="Content-Type must be application/json"
        )
    try:
        return decode_object(await read_body(req))
    except PayloadTooLarge:
        raise falcon.HTTPContentTooLarge(title="Payload too large") from None
    except BodyIncomplete as fault:
        raise falcon.HTTPError(falcon.HTTP_408, title=fault.title, description=fault.description) from None
    except NotAnObject as fault:
        raise falcon.HTTPBadRequest(title="Invalid request", description=str(fault)) from None


def _decode_leniently(body: bytes) -> Any:
    # The strict decoder refuses half surrogates; here they pass, so that the fault can be named by its field.
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise NotAnObject("Body must be valid JSON") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
