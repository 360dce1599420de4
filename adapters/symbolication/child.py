"""The process that reads one source map: it limits itself first, since a map is untrusted and its reader native code.

Standard input: one line of JSON with the lengths of the minified file and its map, the places, and the number of lines
around; then both texts. Standard output: a JSON list with an object or null for each place.
"""

import json
import os
import resource
import sys
from typing import Any

CPU_SECONDS = 5
MEMORY_BYTES = 1 << 30
# The exit status that says that the map cannot be read.
UNREADABLE = 3
_NICENESS = 10


def main() -> None:
    """Read the request, and write the answer."""
    _limit()
    header = json.loads(sys.stdin.buffer.readline())
    code, source_map = sys.stdin.buffer.read(header["code"]), sys.stdin.buffer.read(header["map"])
    try:
        originals = _looked_up(code, source_map, header)
    except (ValueError, MemoryError):
        sys.exit(UNREADABLE)
    json.dump(originals, sys.stdout)


def _looked_up(code: bytes, source_map: bytes, header: Any) -> list[Any]:
    # Imported after the limits are set: its memory counts.
    from symbolic.exceptions import SymbolicError  # noqa: PLC0415
    from symbolic.sourcemapcache import SourceMapCache  # noqa: PLC0415

    try:
        cache = SourceMapCache.from_bytes(code, source_map)
        tokens = [cache.lookup(line, column, header["context"]) for line, column in header["places"]]
    except SymbolicError as fault:
        raise ValueError from fault
    return [None if token is None else _document(token) for token in tokens]


def _document(token: Any) -> dict[str, Any]:
    return {
        "file": token.src or "",
        "line": token.line,
        "column": token.col,
        "function": "" if token.function_name in (None, "<unknown>") else token.function_name,
        "before": token.pre_context,
        "text": token.context_line or "",
        "after": token.post_context,
    }


def _limit() -> None:
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


if __name__ == "__main__":
    main()
