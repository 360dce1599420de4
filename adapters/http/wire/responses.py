"""JSON bodies and the headers of every answer."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import orjson

API_VERSION = "1"
JSON_TYPE = "application/json"
CSV_TYPE = "text/csv"
# Headers of every answer of the service.
STANDING_HEADERS: Mapping[str, str] = MappingProxyType(
    {"Footfall-Version": API_VERSION, "X-Content-Type-Options": "nosniff"}
)


def encode(body: Any) -> bytes:
    """Return a body as JSON."""
    return orjson.dumps(body, default=_encode_other)


def failure(
    message: str,
    *,
    field_errors: Mapping[str, Sequence[str]] | None = None,
    form_errors: Sequence[str] = (),
    always_details: bool = False,
) -> dict[str, Any]:
    """Return the body of a refusal (docs/read/programs)."""
    body: dict[str, Any] = {"success": False, "error": message}
    if field_errors or form_errors or always_details:
        body["details"] = {"fieldErrors": field_errors or {}, "formErrors": list(form_errors)}
    return body


def _encode_other(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
