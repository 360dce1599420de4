"""The response of the service to one event, and whether to repeat the event."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from attrs import frozen

from footfall.client.errors import DeliveryUnconfirmed, EventRefused, FootfallError
from footfall.client.receipt import Receipt


@frozen
class ServiceResponse:
    """`status` is None without a response, `body` unless it is a JSON object; `retry_after` is in seconds."""

    status: int | None
    body: Mapping[str, Any] | None = None
    retry_after: float = 0.0
    fault: str = "no answer"

    @property
    def acknowledged(self) -> bool:
        """Whether the service confirmed that the event is stored."""
        return self.status == HTTPStatus.OK and self.body is not None and self.body.get("success") is True

    @property
    def uncertain(self) -> bool:
        """Whether the event may be stored without a confirmation."""
        if self.status is None or self.status == HTTPStatus.REQUEST_TIMEOUT:
            return True
        if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return True
        return self.status < HTTPStatus.MULTIPLE_CHOICES and (self.body or {}).get("success") is not False

    @property
    def repeatable(self) -> bool:
        """Whether to send the event again."""
        return self.uncertain or self.status == HTTPStatus.TOO_MANY_REQUESTS

    def receipt(self) -> Receipt:
        """Return the receipt for the caller."""
        return Receipt((self.body or {}).get("message"))

    def error(self, *, attempts: int, uncertain: bool) -> FootfallError:
        """Return the error for the caller.

        After an uncertain attempt a refusal proves nothing: the event may be stored already.
        """
        details = (self.body or {}).get("details")
        if not uncertain:
            return EventRefused(self.described(), status=self.status, details=details, attempts=attempts)
        message = f"Delivery not confirmed after {attempts} attempt(s): {self.described()}"
        return DeliveryUnconfirmed(message, status=self.status, details=details, attempts=attempts)

    def described(self) -> str:
        """Return what the service says, or else what there is instead of it."""
        if self.status is None:
            return self.fault
        error = (self.body or {}).get("error")
        if isinstance(error, str):
            return error
        redirected = HTTPStatus.MULTIPLE_CHOICES <= self.status < HTTPStatus.BAD_REQUEST
        return (
            f"HTTP {self.status}: redirected" if redirected else f"HTTP {self.status} without an explanation"
        )


def read_response(status: int, retry_after: str | None, content: bytes) -> ServiceResponse:
    """Return the response with this status, Retry-After and body."""
    return ServiceResponse(status, read_object(content), read_retry_after(retry_after, datetime.now(UTC)))


def read_object(content: bytes) -> Mapping[str, Any] | None:
    """Return the JSON object in a body, None for any other body."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_retry_after(header: str | None, now: datetime) -> float:
    """Return the seconds that a `Retry-After` header asks for, as a number or a date; 0 for any other text."""
    try:
        return max(0.0, float(header or 0))
    except ValueError:
        return _seconds_until(header or "", now)


def _seconds_until(date: str, now: datetime) -> float:
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return 0.0
    # The parser returns a date with the zone "-0000" without a zone.
    return max(0.0, ((then if then.tzinfo else then.replace(tzinfo=UTC)) - now).total_seconds())
