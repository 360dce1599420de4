"""The part of an address that asks a browser not to be counted, or to be counted again (docs/track/own-visits.md)."""

import re

_ASKS = re.compile(r"\??footfall=(?:ignore|count)(?:\.|%2[Ee])")
# Most addresses have nothing of the kind.
_NAME = "footfall="


def query_without_mark(querystring: str) -> str:
    """Return a query string without the parameters that ask it; all others stay as they are written."""
    if _NAME not in querystring:
        return querystring
    return "&".join(part for part in querystring.split("&") if not _ASKS.match(part))


def address_without_mark(address: str) -> str:
    """Return an address whose query string asks nothing of the kind."""
    if _NAME not in address:
        return address
    page, question, rest = address.partition("?")
    query, hash_, fragment = rest.partition("#")
    kept = query_without_mark(query)
    return f"{page}{question if kept else ''}{kept}{hash_}{fragment}"
