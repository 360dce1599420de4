"""CORS: pages of every origin may read answers, and the answer names the origin of the request.

See docs/track/ingestion.md.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

VARY: Mapping[str, str] = MappingProxyType({"Vary": "Origin"})
# By name, because `*` matches nothing in an answer to a request with credentials.
_READABLE: Mapping[str, str] = MappingProxyType(
    {
        **VARY,
        "Access-Control-Allow-Credentials": "true",
        "Access-Control-Expose-Headers": (
            "Footfall-Version, Idempotent-Replay, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, "
            "X-Plausible-Dropped, X-Request-Id, X-Sentry-Rate-Limits"
        ),
    }
)
_REQUEST_HEADERS = "Authorization, Content-Type, Idempotency-Key, X-Request-Id"
# Browsers write an origin in ASCII; other values come from no page and are not repeated.
_ORIGIN = re.compile(r"[!-~]+")


def cors_headers(origin: str | None) -> Mapping[str, str]:
    """Return the headers for the page that asks, `null` included; without an origin only `Vary`."""
    if not origin or _ORIGIN.fullmatch(origin) is None:
        return VARY
    return {"Access-Control-Allow-Origin": origin, **_READABLE}


def preflight_headers(origin: str | None, methods: str, *more: str) -> Mapping[str, str]:
    """Return the headers of an answer to a preflight, which browsers may keep for a day.

    `more` are headers that the request may have besides the usual ones.
    """
    headers = cors_headers(origin)
    if headers is VARY:
        return VARY
    return {
        **headers,
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": ", ".join([_REQUEST_HEADERS, *more]),
        "Access-Control-Max-Age": "86400",
    }
