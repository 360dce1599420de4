"""The salts of visitor ids: how long one is kept (docs/track/enrichment.md)."""

from datetime import timedelta

# A salt is destroyed so long after its span has ended, when no event can need it.
SALT_REST = timedelta(hours=24)
