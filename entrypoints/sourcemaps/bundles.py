"""Minified files of a directory with their source maps."""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from attrs import frozen

from footfall.domain.error_tracking.source_maps import MAX_FILE_BYTES

SUFFIXES = frozenset({".js", ".mjs", ".cjs"})
# The comment stands at the end of a file.
_TAIL = 4096
_COMMENT = re.compile(rb"(?://|/\*)[#@][ \t]*sourceMappingURL=([^\s*'\"]+)")
_VERSION = 3


@frozen(repr=False)
class Bundle:
    """A minified file with its map; `name` is its path below the directory, with slashes."""

    name: str
    code: bytes
    source_map: bytes
    has_source_text: bool


@frozen
class Skipped:
    """A file that is not uploaded, and why."""

    name: str
    reason: str


def read_bundles(directory: Path) -> Iterator[Bundle | Skipped]:
    """Yield the minified files below a directory in the order of their names, each with its map or why it has none.

    The map is the one that the comment `sourceMappingURL` at the end of the file names, inline or as a file below the
    directory; without such a comment it is the file with `.map` after the name.
    """
    root = directory.resolve()
    for path in sorted(root.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file() and path.resolve().is_relative_to(root):
            yield _read(path, root)


def _read(path: Path, root: Path) -> Bundle | Skipped:
    name = path.relative_to(root).as_posix()
    if path.stat().st_size > MAX_FILE_BYTES:
        return Skipped(name, _too_large())
    code = path.read_bytes()
    try:
        source_map = _map_of(path, code, root)
        fields = _parsed(source_map)
    except ValueError as fault:
        return Skipped(name, str(fault))
    if len(code) + len(source_map) > MAX_FILE_BYTES:
        return Skipped(name, _too_large())
    if _undecodable(code):
        return Skipped(name, "is not UTF-8")
    return Bundle(name, code, source_map, bool(fields.get("sourcesContent") or fields.get("sections")))


def _map_of(path: Path, code: bytes, root: Path) -> bytes:
    """Return the map of a file.

    Raises:
        ValueError: it has none; the text says why.

    """
    urls = _COMMENT.findall(code[-_TAIL:])
    if not urls and b"sourceMappingURL=data:" in code:
        urls = _COMMENT.findall(code[max(0, code.rindex(b"sourceMappingURL=data:") - _TAIL) :])
    if not urls:
        return _file(path.with_name(f"{path.name}.map"), root, "no source map")
    url = urls[-1].decode("utf-8", "replace")
    if url.startswith("data:"):
        return _inline(url)
    parts = urlsplit(url)
    if parts.scheme or parts.netloc:
        # The address of another server: bundlers that write one keep the file beside the code.
        beside = path.with_name(Path(unquote(parts.path)).name)
        return _file(beside, root, f"its source map is at {url[:100]}, and not beside it")
    relative = unquote(parts.path)
    place = root / relative.lstrip("/") if relative.startswith("/") else path.parent / relative
    return _file(place, root, f"its source map {relative[:100]} is not there")


def _file(path: Path, root: Path, reason: str) -> bytes:
    place = path.resolve()
    if not place.is_relative_to(root) or not place.is_file():
        raise ValueError(reason)
    if place.stat().st_size > MAX_FILE_BYTES:
        raise ValueError(_too_large())
    return place.read_bytes()


def _inline(url: str) -> bytes:
    head, _, data = url.partition(",")
    try:
        return base64.b64decode(data, validate=True) if head.endswith(";base64") else unquote_to_bytes(data)
    except binascii.Error:
        raise ValueError("its inline source map is not base64") from None


def _parsed(source_map: bytes) -> dict[str, object]:
    try:
        document = json.loads(source_map)
    except (ValueError, RecursionError):
        raise ValueError("its source map is not JSON") from None
    if not isinstance(document, dict) or document.get("version") != _VERSION:
        raise ValueError("its source map is not of version 3")
    return document


def _undecodable(code: bytes) -> bool:
    try:
        code.decode()
    except UnicodeDecodeError:
        return True
    return False


def _too_large() -> str:
    return f"the file and its map have more than {MAX_FILE_BYTES // 1024 // 1024} MiB"
