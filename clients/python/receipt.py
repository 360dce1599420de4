"""The service's acknowledgement."""

from attrs import frozen


@frozen
class Receipt:
    """One event is acknowledged; `message` gives the reason when the site's settings exclude it from the counts."""

    message: str | None = None
