"""The methods by which every client takes events."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from footfall.client.delivery.calls import Build, Calls
from footfall.client.event.events import Events, Metrics
from footfall.client.event.payload import Payload, Properties, TrackingEvent

Result_co = TypeVar("Result_co", covariant=True)


class TrackingMethods(ABC, Generic[Result_co]):
    """Each method returns what the client gives of a delivery: a receipt, or a way to it (docs/track/python.md)."""

    _calls: Calls

    def pageview(self, payload: Payload | None = None, properties: Properties | None = None) -> Result_co:
        """Track a pageview."""
        return self._track(lambda events: events.pageview(payload, properties))

    def event(
        self, event_name: str, payload: Payload | None = None, properties: Properties | None = None
    ) -> Result_co:
        """Track a custom event."""
        return self._track(lambda events: events.custom(event_name, payload, properties))

    def outbound(
        self, url: str, payload: Payload | None = None, properties: Properties | None = None
    ) -> Result_co:
        """Track a click on a link that leads to `url`, away from the site."""
        return self._track(lambda events: events.outbound(url, payload, properties))

    def performance(
        self, metrics: Metrics, payload: Payload | None = None, properties: Properties | None = None
    ) -> Result_co:
        """Track measures of a page: web vitals in milliseconds, and `cls`."""
        return self._track(lambda events: events.performance(metrics, payload, properties))

    def error(
        self,
        error: BaseException | str,
        payload: Payload | None = None,
        properties: Properties | None = None,
    ) -> Result_co:
        """Track an exception, with its stack and without local variables, or a message (docs/errors/python-errors.md).

        More than 100 in a minute are refused, as a full queue refuses events.
        """

        def build(events: Events) -> TrackingEvent:
            self._calls.admit_error()
            return events.error(error, payload, properties)

        return self._track(build)

    @abstractmethod
    def _track(self, build: Build) -> Result_co:
        """Open the call of an event, and deliver it."""
