"""Rules for text that people and programs send."""

import re

from footfall.domain.errors import Invalid

# PostgreSQL cannot hold NUL, and UTF-8 has no place for half of a surrogate pair.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def text_fault(value: str, *, maximum: int) -> str | None:
    """Say what is wrong with a text of at most `maximum` characters, or None."""
    if len(value) > maximum:
        return f"must be at most {maximum:,} characters"
    if UNSTORABLE.search(value):
        return "must not contain NUL characters or unpaired surrogates"
    return None


def required_text(field: str, value: str, *, maximum: int) -> str:
    """Return the text without surrounding white space.

    Raises:
        Invalid: it is empty, too long, or cannot be stored; the fault names `field`.

    """
    value = value.strip()
    fault = text_fault(value, maximum=maximum) if value else f"must have 1 to {maximum} characters"
    if fault:
        raise Invalid({field: [fault]})
    return value
