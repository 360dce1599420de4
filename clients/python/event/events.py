"""Makes the tracking event of a call, or refuses the call before anything is sent."""

from collections.abc import Mapping
from typing import Any, TypedDict

from attrs import frozen

from footfall.client.event.exception import describe
from footfall.client.event.payload import TrackingEvent, invalid, is_number, read_payload, serialize


class Metrics(TypedDict, total=False):
    """Measures of a page: milliseconds, but for `cls`, a score without a unit."""

    lcp: float
    cls: float
    inp: float
    fcp: float
    ttfb: float


_METRICS = ", ".join(Metrics.__annotations__)


@frozen
class Events:
    """Makes the events of one client; each method raises InvalidEvent for what the service would refuse.

    `defaults` are fields for every event, which its own payload replaces.
    """

    site_id: str
    defaults: Mapping[str, Any]
    environment: str | None = None

    def pageview(self, payload: object, properties: object = None) -> TrackingEvent:
        """Return a pageview."""
        return self._event("pageview", payload, properties)

    def custom(self, name: object, payload: object, properties: object) -> TrackingEvent:
        """Return a custom event."""
        if not (isinstance(name, str) and name):
            raise invalid("event_name", "must be a non-empty string")
        return self._event("custom_event", payload, properties) | {"event_name": name}

    def outbound(self, url: object, payload: object, properties: object) -> TrackingEvent:
        """Return a click on a link that leads away."""
        if not (isinstance(url, str) and url):
            raise invalid("url", "must be a non-empty string")
        return self._event("outbound", payload, properties, url=url)

    def performance(self, metrics: object, payload: object, properties: object) -> TrackingEvent:
        """Return a measure of a page."""
        if not isinstance(metrics, Mapping) or not metrics:
            raise invalid("metrics", f"must be a mapping with one of {_METRICS}")
        for name, value in metrics.items():
            if name not in Metrics.__annotations__:
                raise invalid(f"metrics.{name}", f"is not one of {_METRICS}")
            if not is_number(value) or value < 0:
                raise invalid(f"metrics.{name}", "must be a number from 0")
        return self._event("performance", payload, properties) | dict(metrics)

    def error(self, error: object, payload: object, properties: object) -> TrackingEvent:
        """Return an exception, or an error that is a message alone."""
        if not isinstance(error, BaseException) and not (isinstance(error, str) and error):
            raise invalid("error", "must be an exception or a non-empty string")
        name, details = describe(error)
        if self.environment is not None:
            details["environment"] = self.environment
        return self._event("error", payload, properties, **details) | {"event_name": name}

    def _event(self, kind: str, payload: object, properties: object, **own: Any) -> TrackingEvent:
        event = {"site_id": self.site_id, "type": kind, **self.defaults, **read_payload(payload)}
        if own and (properties is None or isinstance(properties, Mapping)):
            properties = {**(properties or {}), **own}
        return event if properties is None else event | {"properties": serialize(properties)}
