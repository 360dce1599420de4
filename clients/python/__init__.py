"""The Python clients: they send pageviews and custom events to a Footfall instance over HTTP."""

from footfall.client.async_background import AsyncBackgroundFootfall
from footfall.client.asynchronous import AsyncFootfall
from footfall.client.background import BackgroundFootfall
from footfall.client.blocking import Footfall
from footfall.client.errors import (
    ClientClosed,
    DeliveryUnconfirmed,
    EventRefused,
    FootfallError,
    InvalidEvent,
    QueueFull,
)
from footfall.client.ledger import Stats
from footfall.client.payload import Payload, Properties, TrackingEvent
from footfall.client.receipt import Receipt
from footfall.client.visit import VisitReader

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
