"""The state of a filled store in which reports are measured: days that are over are in files."""

import time

FILES_SECONDS = 1800
# A directory of a million hits is made in some seconds, and as long a rest follows.
BETWEEN_SECONDS = 40


def wait_for_files(data_dir):
    """Wait until no files have been made for a while, and say how large they are."""
    began, seen, since = time.monotonic(), -1, time.monotonic()
    while time.monotonic() - since < BETWEEN_SECONDS or seen <= 0:
        found = list((data_dir / "columns" / "main").rglob("*.parquet"))
        if len(found) != seen:
            seen, since = len(found), time.monotonic()
        if time.monotonic() - began > FILES_SECONDS:
            raise SystemExit("the files are not made")
        time.sleep(1)
    size = sum(path.stat().st_size for path in found)
    print(f"{seen // 2} pairs of files, {size:,} bytes, made in about {since - began:.0f} s", flush=True)
