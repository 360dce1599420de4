"""Idempotency: an event is stored once under the name that its sender gives it.

See docs/track/ingestion.md#idempotency.
"""

from datetime import timedelta

from attrs import frozen

# For so long a name stands for the event that was stored under it.
IDEMPOTENCY_LIFETIME = timedelta(hours=24)


@frozen
class IdempotencyKey:
    """The name that a sender gives to an event of a site, and a digest of the content of the event."""

    site_id: int
    key: str
    fingerprint: bytes

    @property
    def name(self) -> tuple[int, str]:
        """Site and key: two stored events never share both."""
        return self.site_id, self.key


def name_in_batch(batch_key: str, number: int) -> str:
    """Return the name of an event by the key of its batch and its place in it, from 0.

    It begins with a space, which no key of an event does, so that the two kinds of names never collide.
    """
    return f" {number} {batch_key}"
