"""Python clients that send events to a Footfall instance over HTTP, middlewares, and hooks for exceptions."""

from footfall.client.asynchronous import AsyncFootfall
from footfall.client.background.event_loop import AsyncBackgroundFootfall
from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.blocking import Footfall
from footfall.client.delivery.call_ledger import Stats
from footfall.client.errors import (
    ClientClosed,
    DeliveryUnconfirmed,
    EventRefused,
    FootfallError,
    InvalidEvent,
    QueueFull,
)
from footfall.client.event.events import Metrics
from footfall.client.event.payload import Payload, Properties, TrackingEvent
from footfall.client.event.visit import VisitReader
from footfall.client.exceptions.hooks import report_from_loop, report_uncaught
from footfall.client.exceptions.log_handler import ErrorHandler
from footfall.client.receipt import Receipt
from footfall.client.web.asgi import AsgiMiddleware
from footfall.client.web.request_tracker import RequestTracker

__all__ = [
    "AsgiMiddleware",
    "AsyncBackgroundFootfall",
    "AsyncFootfall",
    "BackgroundFootfall",
    "ClientClosed",
    "DeliveryUnconfirmed",
    "ErrorHandler",
    "EventRefused",
    "Footfall",
    "FootfallError",
    "InvalidEvent",
    "Metrics",
    "Payload",
    "Properties",
    "QueueFull",
    "Receipt",
    "RequestTracker",
    "Stats",
    "TrackingEvent",
    "VisitReader",
    "report_from_loop",
    "report_uncaught",
]
