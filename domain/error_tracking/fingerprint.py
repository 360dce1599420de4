"""The cause of an exception, by which occurrences with different messages form one group.

See docs/errors/error-groups.md.
"""

import re
from hashlib import blake2b
from textwrap import dedent

from footfall.domain.error_tracking.occurrence import ErrorDetails, error_details
from footfall.domain.error_tracking.stack_trace import first_frame, trace
from footfall.domain.tracking.hit import Hit

# Counted up by each change of the functions below: fingerprints of different versions never meet.
VERSION = 1

# The beginning of a message tells its cause; the rest only costs time.
_COMPARED = 1_000
_LONGEST_PATH = 500
_SHORTEST_ID = 8

_FINGERPRINT = re.compile(r"[0-9]{1,3}-[0-9a-f]{16}")
_VARIABLE = re.compile(
    r"""
    (?P<url> [a-z][a-z0-9+.-]{1,20}://[^\s'"`)>\]]+ )
  | (?P<text> "[^"\n]*" | `[^`\n]*` | “[^“”\n]*” | (?<![^\s(\[{=:,])'[^'\n]*'(?![A-Za-z0-9]) )
  | (?P<id> \b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b )
  | (?P<number> (?<![0-9a-z_])[-+]?\d++(?:[.,]\d++)*+(?![0-9a-z_]) )
  | (?P<word> \b[0-9a-z]++\b )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_SPACES = re.compile(r"\s+")

_HEXADECIMAL = re.compile(r"(?=.*[0-9])[0-9a-fA-F]{6,64}")
_NUMBERED = re.compile(r"v?[0-9][0-9._]*")
# A name with a number at its end was written by a person.
_MIXED = re.compile(r"(?![A-Za-z_]+[0-9]{1,3}$)(?=.*[0-9])(?=.*[A-Za-z])[0-9A-Za-z_]{8,64}")
# Bundlers write eight characters of base 64, which can lack digits.
_BASE_64 = re.compile(r"[-.](?=[A-Za-z0-9_-]*[a-z])(?=(?:[a-z0-9_-]*[A-Z]){3})[A-Za-z0-9_-]{8}(?=\.[a-z]+$)")
_SEPARATORS = re.compile(r"([.~-])")


def fingerprint(error_name: str, details: ErrorDetails) -> str:
    """Return the group of an exception: the version, and 64 bits of a digest as 16 hexadecimal digits.

    It is made of the class, the message without its variable parts, and the file of the topmost frame without host,
    hashes and versions, so that a new build of the same code stays in the group.
    """
    parts = (error_name, stable_message(details.message), stable_file(_topmost_file(details)))
    return f"{VERSION}-{_digest(parts).hex()}"


def hit_fingerprint(hit: Hit) -> str:
    """Return the fingerprint of a reported exception."""
    return fingerprint(hit.event_name or "", error_details(hit.properties or {}))


def is_fingerprint(text: str) -> bool:
    """Whether a text has the form of a fingerprint of any version."""
    return _FINGERPRINT.fullmatch(text) is not None


def stack_number(details: ErrorDetails) -> int:
    """Return a number for the stack without the message in its first line; equal stacks have equal numbers."""
    return int.from_bytes(_digest((stack_text(details),)), "big", signed=True)


def stack_text(details: ErrorDetails) -> str:
    """Return the stack without the message in its first line, or without a stack the place that is known."""
    if details.stack:
        return dedent(trace(details.stack, details.message).strip("\n")).strip()
    location = (details.file_name, details.line_number, details.column_number)
    return ":".join(str(part) for part in location if part is not None)


def stable_message(message: str) -> str:
    """Return the message with addresses, quoted texts, ids and numbers replaced by their kinds."""
    replaced = _VARIABLE.sub(_kind, message[:_COMPARED])
    return _SPACES.sub(" ", replaced).strip()


def stable_file(name: str) -> str:
    """Return the path of a file without host, query, hashes and versions."""
    path = name[:_LONGEST_PATH].partition("?")[0].partition("#")[0]
    _, scheme, address = path.partition("://")
    path = f"/{address.partition('/')[2]}" if scheme else path
    return "/".join(_stable_segment(segment) for segment in path.split("/"))


def _kind(match: re.Match[str]) -> str:
    if match.lastgroup != "word":
        return f"<{match.lastgroup}>"
    word = match[0]
    if not any(map(str.isdecimal, word)):
        return word
    return "<id>" if len(word) >= _SHORTEST_ID else _NUMBER.sub("<number>", word)


def _stable_segment(segment: str) -> str:
    pieces = _SEPARATORS.split(_BASE_64.sub("", segment))
    stable = [pieces[0] if not _is_variable(pieces[0]) else "*"]
    for separator, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if not _is_variable(piece):
            stable += [separator, piece]
    return "".join(stable)


def _is_variable(piece: str) -> bool:
    return any(pattern.fullmatch(piece) for pattern in (_HEXADECIMAL, _NUMBERED, _MIXED))


def _topmost_file(details: ErrorDetails) -> str:
    frame = first_frame(details.stack or "", message=details.message)
    return frame.file_name if frame else details.file_name or ""


def _digest(parts: tuple[str, ...]) -> bytes:
    text = "\x00".join(parts)
    return blake2b(text.encode(), digest_size=8).digest()
