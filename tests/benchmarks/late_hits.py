"""The projector's work for hits that arrive in the order of their times, and with some of them late."""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.postgres.database.migration import migrate
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.application.journal.event_codec import EventCodec

HITS = 400_000
SLICE = 20_000
SMALL = 400
LATE = (0, 5)
ROUNDS = 3

# Sessions of nine hits or so in ten days; a late hit arrives up to six hours after its time.
_FILL = """
    insert into hit (
        site_id, visitor_id, occurred_at, received_at, type, hostname, pathname, channel, browser, device_type, country
    )
    select
        1 + number %% 3, hashint8extended(number %% %(visitors)s, 7), at, at + delay, 'pageview', 'example.com',
        '/articles/' || number %% 977, 'Direct', 'Firefox', 'desktop', 'DE'
    from (
        select
            number, hit,
            '2026-03-01Z'::timestamptz + number * interval '10 days' / %(sessions)s + hit * interval '97 seconds' as at,
            case when hashint8extended(number * 64 + hit, 1) & 1023 < %(late)s * 1024 / 100
                then interval '6 hours' * (hashint8extended(number * 64 + hit, 2) & 1023) / 1024
                else interval '0'
            end as delay
        from generate_series(1, %(sessions)s) as number
        cross join lateral generate_series(1, 1 + (hashint8extended(number, 3) & 15)::integer) as hit
    ) as visit
    order by at + delay
"""
_MONTHS = """
    select hit_partition('2026-02-01'), hit_partition('2026-03-01'), hit_partition('2026-04-01')
"""
_FORGET = """
    truncate session, traffic_bucket, conversion, conversion_bucket, conversion_day, error_message, error_bucket,
        error_span, error_session, error_occurrence, error_sighting, day_position, quarter_position, column_day,
        column_change;
    update projection_checkpoint set position = 0
"""


async def project(url: str, size: int, hits: int) -> tuple[float, float]:
    """Return the seconds that it took to project so many hits, and those of processors, in slices of a size."""
    projector = Projector(url, GoalVersions(EventCodec()), size=size)
    began, worked, position = time.perf_counter(), time.process_time(), 0
    try:
        while position < hits:
            position = min(position + size, hits)
            await projector.catch_up(up_to=position)
        server = processor_seconds(projector._connection.info.backend_pid)
    finally:
        await projector.close()
    return time.perf_counter() - began, time.process_time() - worked + server


def processor_seconds(pid: int) -> float:
    """Return for how long a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure, and print one line for each kind of arrival."""
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else HITS
    with (
        tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        migrate(server.url)
        for late in LATE:
            with psycopg.connect(server.url, autocommit=True) as connection:
                connection.execute("set footfall.erasing = 'on'")
                connection.execute(_FORGET)
                connection.execute("delete from hit")
                connection.execute(_MONTHS)
                connection.execute("select setval('hit_position', 1, false)")
                connection.execute(_FILL, {"sessions": hits * 2 // 17, "visitors": hits // 40, "late": late})
                connection.execute("vacuum analyze hit")
                [[stored]] = connection.execute("select max(position) from hit").fetchall()
            for size in (SLICE, SMALL):
                limit = stored if size == SLICE else min(stored, 40_000)
                found = []
                for _ in range(ROUNDS):
                    with psycopg.connect(server.url, autocommit=True) as connection:
                        connection.execute(_FORGET)
                    found.append(asyncio.run(project(server.url, size, limit)))
                seconds, worked = map(min, zip(*found, strict=True))
                print(
                    f"{late} % late, slices of {size:,}: {seconds:.2f} s for {limit:,} hits,"
                    f" {worked:.2f} s of processors",
                    flush=True,
                )


if __name__ == "__main__":
    os.environ.setdefault("TZ", "UTC")
    main()
