"""Python clients that send pageviews and custom events to a Footfall instance over HTTP."""

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
from footfall.client.event.payload import Payload, Properties, TrackingEvent
from footfall.client.event.visit import VisitReader
from footfall.client.receipt import Receipt

__all__ = [
    "AsyncBackgroundFootfall",
    "AsyncFootfall",
    "BackgroundFootfall",
    "ClientClosed",
    "DeliveryUnconfirmed",
    "EventRefused",
    "Footfall",
    "FootfallError",
    "InvalidEvent",
    "Payload",
    "Properties",
    "QueueFull",
    "Receipt",
    "Stats",
    "TrackingEvent",
    "VisitReader",
]
