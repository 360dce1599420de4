"""The memory that the service may use, as control groups of both versions limit it."""

import pytest

from footfall.entrypoints.machine_memory import memory_in_megabytes
from footfall.entrypoints.setting_defaults import (
    LEAST_REPORT_MEMORY,
    MOST_REPORT_MEMORY,
    report_memory,
)

MEBIBYTE = 1 << 20
UNLIMITED = "9223372036854771712"


def limited(tmp_path, own, limits):
    """Return the memory of a process in these groups, whose limits are given by their files."""
    groups = tmp_path / "groups"
    for name, limit in limits.items():
        (groups / name).parent.mkdir(parents=True, exist_ok=True)
        (groups / name).write_text(f"{limit}\n")
    lines = tmp_path / "own"
    lines.write_text(own)
    return memory_in_megabytes(groups, lines)


@pytest.mark.parametrize(
    ("own", "limits"),
    [
        ("0::/\n", {"memory.max": 16 * MEBIBYTE}),
        ("0::/a/b\n", {"memory.max": "max", "a/memory.max": 16 * MEBIBYTE, "a/b/memory.max": "max"}),
        ("0::/a:b\n", {"a:b/memory.max": 16 * MEBIBYTE}),
        ("0::/gone\n", {"memory/memory.limit_in_bytes": 16 * MEBIBYTE}),
        (
            "5:cpu,memory:/a\n4:pids:/a\n",
            {"memory/memory.limit_in_bytes": UNLIMITED, "memory/a/memory.limit_in_bytes": 16 * MEBIBYTE},
        ),
    ],
)
def test_the_lowest_limit_of_the_groups_holds(tmp_path, own, limits):
    assert limited(tmp_path, own, limits) == 16


@pytest.mark.parametrize("limits", [{}, {"memory.max": "max", "memory/memory.limit_in_bytes": UNLIMITED}])
def test_without_a_limit_it_is_the_memory_of_the_machine(tmp_path, limits):
    assert (
        limited(tmp_path, "0::/\n", limits) == memory_in_megabytes(tmp_path / "none", tmp_path / "none") > 64
    )


@pytest.mark.parametrize(
    ("machine", "expected"),
    [(64, LEAST_REPORT_MEMORY), (1024, 256), (24_000, MOST_REPORT_MEMORY)],
)
def test_reports_have_a_quarter_of_it_within_bounds(machine, expected):
    assert report_memory(machine) == expected
