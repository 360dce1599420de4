"""The service's acknowledgement."""

from attrs import frozen


@frozen
class Receipt:
    """One event is acknowledged; `message` says why it was not counted when the site's owner wished so."""

    message: str | None = None
