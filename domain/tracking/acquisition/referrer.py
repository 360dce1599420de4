"""Referrers: what is stored of them, and the hosts by which reports tell them apart (docs/read/breakdowns.md)."""

from string import ascii_lowercase, ascii_uppercase

from footfall.domain.tracking.own_visits import address_without_mark

_FOLDED = str.maketrans(ascii_uppercase, ascii_lowercase)


def stored_referrer(referrer: str | None, *, is_foreign: bool) -> str | None:
    """Return what is stored of a referrer: that of another site, without the mark of own visits; else None."""
    return address_without_mark(referrer) if is_foreign and referrer else None


def referrer_host(referrer: str) -> str:
    """Return the host of a referrer in lower case, with its port and without a leading `www.`.

    A text without a host is its own name. The rule consists of operations that every store has alike.
    """
    parts = referrer.split("://")
    address = parts[1] if len(parts) > 1 else referrer
    host = address.split("/")[0].split("?")[0].split("#")[0].translate(_FOLDED).removeprefix("www.")
    return host or referrer
