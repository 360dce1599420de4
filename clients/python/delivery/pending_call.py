"""One call until its event is acknowledged, refused or given up."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from attrs import define, field

from footfall.client.delivery.service_response import ServiceResponse
from footfall.client.errors import ClientClosed, DeliveryUnconfirmed, FootfallError
from footfall.client.event.payload import TrackingEvent
from footfall.client.receipt import Receipt


def _running_future() -> Future[Receipt]:
    future: Future[Receipt] = Future()
    # A running future cannot be cancelled: the event may be sent already.
    future.set_running_or_notify_cancel()
    return future


@define(eq=False)
class PendingCall:
    """The event of one call, the state of its delivery, and the future with its result."""

    settle: Callable[["PendingCall", Receipt | FootfallError], None]
    event: TrackingEvent | None = None
    id: str = ""
    # Encoded when the call is made, so that later changes of the payload have no effect.
    content: bytes = b""
    attempts: int = 0
    under_way: bool = False
    uncertain: bool = False
    future: Future[Receipt] = field(factory=_running_future)

    def carry(self, event: TrackingEvent, event_id: str, content: Mapping[str, Any]) -> None:
        """Take the event, and what is sent of it."""
        self.event = event
        self.id = event_id
        self.content = json.dumps(content, separators=(",", ":")).encode()

    def receive(self, response: ServiceResponse) -> bool:
        """Take a response; return whether it settles the call."""
        self.attempts += 1
        self.under_way = False
        self.uncertain = self.uncertain or response.uncertain
        if response.acknowledged:
            self.settle(self, response.receipt())
        elif not response.repeatable:
            self.give_up(response)
        return response.acknowledged or not response.repeatable

    def give_up(self, response: ServiceResponse) -> None:
        """Settle with the last response."""
        self.settle(self, response.error(attempts=self.attempts, uncertain=self.uncertain))

    def abandon(self, why: str) -> None:
        """Settle without a further response."""
        if self.under_way or self.uncertain:
            message = f"{why} before the event was confirmed"
            self.settle(self, DeliveryUnconfirmed(message, attempts=self.attempts))
        else:
            message = f"{why} before the event was sent"
            self.settle(self, ClientClosed(message, attempts=self.attempts))
