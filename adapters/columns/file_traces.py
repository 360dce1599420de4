"""Traces of files: what tells that one has been written to or replaced."""

from pathlib import Path

Traces = tuple[tuple[int, int, int, int], ...]


def traces(*paths: Path) -> Traces | None:
    """Return what is different once one of some files has been written to or replaced; None if one is missing.

    Each write gives a file another time of change, which nothing but another clock can give back.
    """
    try:
        states = [path.stat() for path in paths]
    except OSError:
        return None
    return tuple((state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns) for state in states)
