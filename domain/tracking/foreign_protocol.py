"""The protocols of other services in which hits come, too (docs/track/protocols)."""

from enum import StrEnum


class ForeignProtocol(StrEnum):
    """A protocol that scripts and SDKs of another service speak; each is off until a site accepts it."""

    PLAUSIBLE = "plausible"
    UMAMI = "umami"
    SENTRY = "sentry"
