"""Paths in one spelling: with a leading slash, and with readable characters instead of their percent-escapes."""

import re
import unicodedata

_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# Decoded, these would say something else: another segment, another escape, a wildcard, the end of the path.
_DELIMITERS = frozenset("/%*?#")
# The decoder of UTF-8 keeps octets that it cannot read as these.
_UNREADABLE = range(0xDC80, 0xDD00)


def stored_path(pathname: str | None) -> str | None:
    """Return the path of a hit as it is stored; None when there is none."""
    if not pathname:
        return None
    path = decoded_path(pathname)
    return path if path.startswith("/") else f"/{path}"


def decoded_path(text: str) -> str:
    """Return a path, or a part of one, with percent-escapes of valid UTF-8 decoded once.

    Escapes of delimiters (`%2F %25 %2A %3F %23`), of control characters and of what is no UTF-8 stay, in upper case.
    """
    return _ESCAPES.sub(_decoded, text) if "%" in text else text


def _decoded(escapes: re.Match[str]) -> str:
    octets = bytes.fromhex(escapes[0].replace("%", ""))
    return "".join(map(_spelled, octets.decode("utf-8", "surrogateescape")))


def _spelled(character: str) -> str:
    if ord(character) in _UNREADABLE:
        return f"%{ord(character) - 0xDC00:02X}"
    if character in _DELIMITERS or unicodedata.category(character) == "Cc":
        return "".join(f"%{octet:02X}" for octet in character.encode())
    return character
