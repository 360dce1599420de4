"""One call on its way."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from attrs import define, field

from footfall.client.answer import Answer
from footfall.client.errors import ClientClosed, DeliveryUnconfirmed, FootfallError
from footfall.client.payload import TrackingEvent
from footfall.client.receipt import Receipt


def _running_future() -> Future[Receipt]:
    future: Future[Receipt] = Future()
    # A running future cannot be cancelled: the event is on its way whatever its caller does.
    future.set_running_or_notify_cancel()
    return future


@define(eq=False)
class Entry:
    """What is sent for one call, what has been heard of it, and the future that tells the caller."""

    settle: Callable[["Entry", Receipt | FootfallError], None]
    event: TrackingEvent | None = None
    id: str = ""
    # Fixed when the call is made: a payload that is changed later changes nothing.
    content: bytes = b""
    attempts: int = 0
    under_way: bool = False
    uncertain: bool = False
    future: Future[Receipt] = field(factory=_running_future)

    def carry(self, event: TrackingEvent, event_id: str, extra: Mapping[str, Any]) -> None:
        """Take what is to be sent."""
        self.event = event
        self.id = event_id
        self.content = json.dumps({**event, **extra}, separators=(",", ":")).encode()

    def hear(self, answer: Answer) -> bool:
        """Take an answer; return whether it was the last word."""
        self.attempts += 1
        self.under_way = False
        self.uncertain = self.uncertain or answer.uncertain
        if answer.acknowledged:
            self.settle(self, answer.receipt())
        elif not answer.repeatable:
            self.give_up(answer)
        return answer.acknowledged or not answer.repeatable

    def give_up(self, answer: Answer) -> None:
        """End with the last answer."""
        self.settle(self, answer.to_error(attempts=self.attempts, uncertain=self.uncertain))

    def abandon(self, why: str) -> None:
        """End without waiting for an answer."""
        if self.under_way or self.uncertain:
            message = f"{why} before the event was confirmed"
            self.settle(self, DeliveryUnconfirmed(message, attempts=self.attempts))
        else:
            message = f"{why} before the event was sent"
            self.settle(self, ClientClosed(message, attempts=self.attempts))
