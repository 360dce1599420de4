"""The options of the constructors, checked and with defaults."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypedDict
from urllib.parse import urlsplit

from attrs import Attribute, field, frozen

from footfall.client.errors import FootfallError, InvalidEvent
from footfall.client.event.payload import Payload, TrackingEvent, read_payload

MAX_BATCH = 500
MAX_ENVIRONMENT = 64
_WORD = re.compile(r"[\x21-\x7e]+")


class OnError(Protocol):
    """Receives every event whose storage was not confirmed; the event is None when it was invalid."""

    def __call__(self, error: FootfallError, event: TrackingEvent | None, /) -> object:
        """Handle the loss."""


class Options(TypedDict, total=False):
    """Options of every client; times in seconds."""

    debug: bool
    timeout: float
    retries: int
    retry_delay: float
    max_retry_delay: float
    on_error: OnError | None
    defaults: Payload
    environment: str | None


class QueueOptions(Options, total=False):
    """Options of the clients that send in the background."""

    batch_size: int
    flush_interval: float
    queue_size: int
    queue_bytes: int
    exit_timeout: float


def _must(fits: Callable[[Any], bool], what: str) -> Callable[[object, "Attribute[Any]", Any], None]:
    def check(_instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if not fits(value):
            raise ValueError(f"Option {attribute.name!r} must be {what}")

    return check


def is_api_url(value: object) -> bool:
    """Return whether a value is the address of the interface of a service."""
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        return False
    try:
        url = urlsplit(value)
        known = url.hostname and (url.port is None or url.port > 0)
    except ValueError:
        return False
    plain = not (url.username or url.password or url.query or url.fragment)
    return bool(known) and plain and url.scheme in {"http", "https"} and url.path.rstrip("/").endswith("/api")


def _is_environment(value: object) -> bool:
    return value is None or (isinstance(value, str) and 0 < len(value) <= MAX_ENVIRONMENT)


def _is_site_id(value: object) -> bool:
    return value > 0 if type(value) is int else _is_word(value)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(_WORD.fullmatch(value))


def _is_positive(value: object) -> bool:
    return type(value) in {int, float} and math.isfinite(value) and value > 0  # type: ignore[arg-type, operator]


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _seconds(default: float) -> Any:
    return field(default=default, validator=_must(_is_positive, "a positive number of seconds"))


@frozen(kw_only=True)
class Connection:
    """The service, and how often and how long it is asked.

    Raises:
        ValueError: an option is invalid; the message names it.

    """

    analytics_host: str = field(
        validator=_must(is_api_url, "the URL of the instance, ending in /api"),
    )
    api_key: str = field(
        repr=False,
        validator=_must(_is_word, "an API key, a string without spaces"),
    )
    timeout: float = _seconds(10.0)
    retries: int = field(default=3, validator=_must(_is_count, "0 or a positive integer"))
    retry_delay: float = _seconds(1.0)
    max_retry_delay: float = _seconds(60.0)

    @property
    def base_url(self) -> str:
        """The URL that the paths of requests are appended to."""
        return self.analytics_host.rstrip("/")


@frozen(kw_only=True)
class Settings(Connection):
    """Complete options of one client.

    Raises:
        ValueError: an option is invalid; the message names it.

    """

    site_id: str | int = field(
        validator=_must(_is_site_id, "a site's identifier, a string or a positive integer"),
    )
    debug: bool = field(default=False, validator=_must(lambda it: isinstance(it, bool), "a boolean"))
    on_error: OnError | None = field(
        default=None,
        validator=_must(lambda it: it is None or callable(it), "callable"),
    )
    defaults: Payload = field(factory=Payload)
    environment: str | None = field(
        default=None,
        validator=_must(_is_environment, f"a text of 1 to {MAX_ENVIRONMENT} characters"),
    )
    # Read once, when a mistake is one of the program and not of an event.
    sent_defaults: Mapping[str, Any] = field(init=False, repr=False)

    @sent_defaults.default
    def _read_defaults(self) -> Mapping[str, Any]:
        try:
            return read_payload(self.defaults)
        except InvalidEvent as error:
            raise ValueError(f"Option 'defaults' must be a payload: {error}") from error


@frozen(kw_only=True)
class QueueSettings(Settings):
    """Complete options of one client that sends in the background."""

    # The rate limit counts requests over ten minutes: after a longer wait the key has requests again.
    max_retry_delay: float = _seconds(900.0)
    batch_size: int = field(
        default=MAX_BATCH,
        validator=_must(lambda it: _is_count(it) and 1 <= it <= MAX_BATCH, f"1 to {MAX_BATCH}"),
    )
    flush_interval: float = _seconds(1.0)
    queue_size: int = field(
        default=10_000,
        validator=_must(lambda it: _is_count(it) and it > 0, "a positive integer"),
    )
    queue_bytes: int = field(
        default=16 * 1024 * 1024,
        validator=_must(lambda it: _is_count(it) and it > 0, "a positive integer"),
    )
    exit_timeout: float = _seconds(5.0)
