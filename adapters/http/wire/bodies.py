"""Request bodies, decoded into JSON objects."""

from typing import Any

import falcon
import orjson
from falcon.asgi import Request

from footfall.domain.exceptions import Invalid
from footfall.domain.number import exact_json, number_errors

MAX_BODY = 128 * 1024
MAX_BATCH_BODY = 4 * 1024 * 1024
# With and without its compression.
MAX_ENVELOPE = 1024 * 1024
# The size as it is sent: compressed or not.
MAX_UPLOAD_BODY = 16 * 1024 * 1024


class NotAnObject(ValueError):
    """The body is not a JSON object; the text gives the reason."""


async def read_body(req: Request) -> bytes:
    """Return the body, which has come as a whole and is within its limit (`WholeBodies`).

    Raises:
        HTTPContentTooLarge: it is longer than its path allows.

    """
    body: bytes = await req.stream.read()
    return body


def decode_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body; a number beyond a double becomes an infinity, which its field refuses.

    Raises:
        NotAnObject: it is not JSON, or not an object.

    """
    decoded = decode_any(body)
    if not isinstance(decoded, dict):
        raise NotAnObject("Body must be a JSON object")
    return decoded


def decode_any(body: bytes) -> Any:
    """Return the JSON value of a body, as `decode_object` does that of an object.

    Raises:
        NotAnObject: it is not JSON.

    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        # The strict decoder also refuses such numbers and half surrogates, without naming the field.
        return _decode_leniently(body)


async def json_object(req: Request) -> dict[str, Any]:
    """Return the JSON object of a management request.

    Raises:
        HTTPUnsupportedMediaType: the content type is not JSON.
        HTTPContentTooLarge: it is longer than 128 KiB.
        HTTPBadRequest: the body is not a JSON object.
        Invalid: it holds a number beyond a double, also in unknown fields; each is named.

    """
    if (req.content_type or "").partition(";")[0].strip().lower() not in {"application/json", ""}:
        raise falcon.HTTPUnsupportedMediaType(
            title="Unsupported media type", description="Content-Type must be application/json"
        )
    try:
        body = decode_object(await read_body(req))
    except NotAnObject as fault:
        raise falcon.HTTPBadRequest(title="Invalid request", description=str(fault)) from None
    if field_errors := number_errors(body):
        raise Invalid(field_errors)
    return body


def _decode_leniently(body: bytes) -> Any:
    try:
        return exact_json(body)
    except ValueError:
        raise NotAnObject("Body must be valid JSON") from None
