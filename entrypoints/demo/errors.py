"""The exceptions of the demonstration: a long tail of messages, and releases that bring some of their own."""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from attrs import frozen

from footfall.entrypoints.demo.shop import HOST

RELEASE_DAYS = 9
_REGRESSION_WEIGHT = 60.0
# Times that the next message is rarer than the one before it.
_TAIL_EXPONENT = 1.1


@frozen
class ThrownException:
    """An exception: its class, its message, and the function, file and line where it is thrown."""

    name: str
    message: str
    function: str
    file: str
    line: int
    browsers: tuple[str, ...] = ()


_CHROMIUM = ("Chrome", "Edge", "Chrome Mobile", "Samsung Internet", "Opera")
_SAFARI = ("Safari", "Mobile Safari")
_FIREFOX = ("Firefox", "Firefox Mobile")

# The most frequent first. The same fault has another message in each engine.
FAULTS: Sequence[ThrownException] = (
    ThrownException(
        "Error",
        "ResizeObserver loop completed with undelivered notifications.",
        "observe",
        "vendor",
        2,
        _CHROMIUM,
    ),
    ThrownException(
        "TypeError", "Cannot read properties of undefined (reading 'price')", "total", "cart", 41, _CHROMIUM
    ),
    ThrownException(
        "TypeError", "undefined is not an object (evaluating 'item.price')", "total", "cart", 41, _SAFARI
    ),
    ThrownException(
        "TypeError", 'can\'t access property "price", item is undefined', "total", "cart", 41, _FIREFOX
    ),
    ThrownException("TypeError", "Failed to fetch", "request", "api", 112, _CHROMIUM),
    ThrownException("TypeError", "Load failed", "request", "api", 112, _SAFARI),
    ThrownException(
        "TypeError", "NetworkError when attempting to fetch resource.", "request", "api", 112, _FIREFOX
    ),
    ThrownException("Error", "Script error.", "", "", 0),
    ThrownException("ReferenceError", "track is not defined", "submit", "checkout", 7),
    ThrownException("AbortError", "The user aborted a request.", "request", "api", 118),
    ThrownException("ChunkLoadError", "Loading chunk 417 failed.", "load", "vendor", 8),
    ThrownException(
        "NotAllowedError",
        "play() failed because the user didn't interact with the document first.",
        "play",
        "video",
        23,
    ),
    ThrownException(
        "SyntaxError",
        "Unexpected token '<', \"<!doctype \"... is not valid JSON",
        "parse",
        "api",
        131,
        _CHROMIUM,
    ),
    ThrownException("SyntaxError", "JSON Parse error: Unrecognized token '<'", "parse", "api", 131, _SAFARI),
    ThrownException("QuotaExceededError", "The quota has been exceeded.", "remember", "basket", 19),
    ThrownException(
        "TypeError", "Cannot set properties of null (setting 'innerHTML')", "render", "gallery", 64
    ),
    ThrownException("RangeError", "Invalid time value", "delivery", "checkout", 88),
    ThrownException("TypeError", "window.gtag is not a function", "consent", "consent", 12),
    ThrownException(
        "SecurityError",
        "Failed to read the 'localStorage' property from 'Window': Access is denied.",
        "remember",
        "basket",
        11,
    ),
    ThrownException("RangeError", "Maximum call stack size exceeded", "expand", "filters", 52),
    ThrownException(
        "TypeError",
        "null is not an object (evaluating 'document.querySelector(e).offsetTop')",
        "scroll",
        "gallery",
        31,
        _SAFARI,
    ),
    ThrownException(
        "Error", "Minified React error #418; visit https://react.dev/errors/418", "hydrate", "vendor", 3
    ),
    ThrownException("TypeError", "crypto.randomUUID is not a function", "session", "checkout", 15),
    ThrownException(
        "TimeoutError", "The payment provider did not answer within 15000 ms", "pay", "payment", 74
    ),
    ThrownException("Error", "Payment was declined: insufficient_funds", "pay", "payment", 91),
    ThrownException("TypeError", "Intl.DurationFormat is not a constructor", "delivery", "checkout", 93),
    ThrownException("ReferenceError", "Can't find variable: __firefox__", "", "", 0, _SAFARI),
    ThrownException("InvalidStateError", "The object is in an invalid state.", "pause", "video", 40),
    ThrownException("Error", "WebGL context was lost", "turn", "viewer", 203),
    ThrownException("URIError", "URI malformed", "restore", "filters", 18),
)
# Defects of one release that the next release fixes.
REGRESSIONS: Sequence[ThrownException] = (
    ThrownException(
        "TypeError",
        "Cannot destructure property 'sizes' of 'product' as it is undefined.",
        "sizes",
        "product",
        57,
    ),
    ThrownException("ReferenceError", "voucher is not defined", "discount", "cart", 133),
    ThrownException("TypeError", "e.target.closest is not a function", "choose", "filters", 71),
    ThrownException("Error", "Stock of SKU TRAIL-44 is negative", "reserve", "basket", 45),
    ThrownException(
        "TypeError", "Cannot read properties of null (reading 'addEventListener')", "open", "menu", 9
    ),
)
_CALLERS: Mapping[str, tuple[str, ...]] = {
    "cart": ("renderCart", "onChange"),
    "checkout": ("validate", "onSubmit"),
    "api": ("loadProducts", "refresh"),
    "payment": ("confirm", "onPay"),
    "gallery": ("showPicture", "onClick"),
}


def deploys(until: datetime, days: int) -> Iterator[tuple[datetime, str]]:
    """Yield time and name of each release that was deployed in the days before an instant."""
    today = until.replace(hour=0, minute=0, second=0, microsecond=0)
    for day in (today - timedelta(days=number) for number in range(days, -1, -1)):
        if day.toordinal() % RELEASE_DAYS == 0:
            yield day, Faults(day).release


class Faults:
    """The exceptions of one day, with the files of the release that ran on it."""

    def __init__(self, day: datetime) -> None:
        number = day.toordinal() // RELEASE_DAYS
        self.release = f"{random.Random(number).getrandbits(32):08x}"  # noqa: S311 - no secret depends on it
        weighted = [(100.0 / (rank + 1) ** _TAIL_EXPONENT, fault) for rank, fault in enumerate(FAULTS)]
        # Every second release breaks something.
        if number % 2:
            weighted.append((_REGRESSION_WEIGHT, REGRESSIONS[number // 2 % len(REGRESSIONS)]))
        self._weighted = weighted

    def pick(self, chance: random.Random, browser: str) -> tuple[str, dict[str, Any]] | None:
        """Return class and properties of an exception; None when this browser does not know the one that was due."""
        weights = [weight for weight, _ in self._weighted]
        [(_, fault)] = chance.choices(self._weighted, weights)
        if fault.browsers and browser not in fault.browsers:
            return None
        return fault.name, self._properties(fault)

    def _properties(self, fault: ThrownException) -> dict[str, Any]:
        if not fault.file:
            # Errors from scripts of other origins have no position.
            return {"message": fault.message}
        column = 11 + fault.line * 7 % 80
        return {
            "message": fault.message,
            "stack": "\n".join([f"{fault.name}: {fault.message}", *self._frames(fault, column)]),
            "fileName": self._address(fault.file),
            "lineNumber": fault.line,
            "columnNumber": column,
        }

    def _frames(self, fault: ThrownException, column: int) -> list[str]:
        frames = [f"    at {fault.function} ({self._address(fault.file)}:{fault.line}:{column})"]
        for depth, caller in enumerate(_CALLERS.get(fault.file, ("start",)), start=1):
            frames.append(f"    at {caller} ({self._address(fault.file)}:{fault.line + 20 * depth}:9)")
        return [*frames, f"    at {self._address('app')}:1:4711"]

    def _address(self, file: str) -> str:
        return f"https://{HOST}/assets/{file}-{self.release}.js"
