"""The host of a referrer, by which sources are told apart (docs/breakdowns.md#hosts-of-referrers)."""

from string import ascii_lowercase, ascii_uppercase

_FOLDED = str.maketrans(ascii_uppercase, ascii_lowercase)


def referrer_host(referrer: str) -> str:
    """Return the host of a referrer in lower case, with its port and without a leading `www.`.

    A text without a host is its own name. The rule consists of operations that every store has alike.
    """
    parts = referrer.split("://")
    address = parts[1] if len(parts) > 1 else referrer
    host = address.split("/")[0].split("?")[0].split("#")[0].translate(_FOLDED).removeprefix("www.")
    return host or referrer
