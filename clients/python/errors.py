"""The errors of events that were not acknowledged."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal


class FootfallError(Exception):
    """An event whose storage was not confirmed.

    `outcome` is "refused" when the event is certainly not stored, "unknown" when it may be stored; `status` is that
    of the last response, None without one; `details` has the service's field errors (docs/track/servers.md);
    `attempts` counts how often the event was sent.
    """

    outcome: ClassVar[Literal["refused", "unknown"]] = "refused"

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        details: Mapping[str, Any] | None = None,
        attempts: int = 0,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.details = details
        self.attempts = attempts


class InvalidEvent(FootfallError):
    """The arguments are invalid, and nothing was sent; `details` names them."""


class EventRefused(FootfallError):
    """The service refused the event; status, message and details are those of its response."""


class DeliveryUnconfirmed(FootfallError):
    """The event was sent without a confirmation: it may or may not be stored."""

    outcome = "unknown"


class QueueFull(FootfallError):
    """The queue was full; nothing was sent."""


class ClientClosed(FootfallError):
    """The client or the process ended before the event was sent."""
