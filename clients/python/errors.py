"""What an event that was not acknowledged ends with."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal


class FootfallError(Exception):
    """An event whose storage was not confirmed.

    `outcome` is "refused" when it is certainly not stored, "unknown" when it may or may not be; `status` is that
    of the last answer, None when there was none; `details` are the service's (interface, section 7); `attempts`
    says how often the event was sent.
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
    """The arguments are faulty and nothing was sent; `details` names them."""


class EventRefused(FootfallError):
    """The service refused the event; status, message and details are its words."""


class DeliveryUnconfirmed(FootfallError):
    """The event was sent and no confirmation came: nobody can tell whether it is stored."""

    outcome = "unknown"


class QueueFull(FootfallError):
    """The queue was full; nothing was sent."""


class ClientClosed(FootfallError):
    """The client or the process ended before the event was sent."""
