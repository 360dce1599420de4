"""The memory that this process may use: that of the machine, or less where a control group says so."""

import os
from collections.abc import Iterator
from pathlib import Path

_MEBIBYTE = 1 << 20
_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUPS = Path("/proc/self/cgroup")


def memory_in_megabytes(groups: Path = _GROUPS, own: Path = _OWN_GROUPS) -> int:
    """Return the memory of the machine, or the lowest limit of the control groups that this process is in."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *_limits(groups, own)]) // _MEBIBYTE


def _limits(groups: Path, own: Path) -> Iterator[int]:
    for path in _paths(groups, own):
        try:
            text = path.read_text("ascii").strip()
        except OSError:
            continue
        # Without a limit the second version says max, and the first one a number that no machine has.
        if text.isdecimal():
            yield int(text)


def _paths(groups: Path, own: Path) -> Iterator[Path]:
    """Yield where the limits of the groups of this process, and of those above, may stand."""
    # A container sees its own group as the root.
    yield groups / "memory.max"
    yield groups / "memory" / "memory.limit_in_bytes"
    for controllers, group in _own_groups(own):
        if not controllers:
            root, name = groups, "memory.max"
        elif "memory" in controllers.split(","):
            root, name = groups / "memory", "memory.limit_in_bytes"
        else:
            continue
        folder = root / group.lstrip("/")
        yield from (path / name for path in (folder, *folder.parents) if path.is_relative_to(root))


def _own_groups(own: Path) -> list[tuple[str, str]]:
    try:
        lines = own.read_text("utf-8").splitlines()
    except OSError:
        return []
    # A line is a number, the controllers of the first version, and the path of the group.
    return [(controllers, group) for _, controllers, group in (line.split(":", 2) for line in lines)]
