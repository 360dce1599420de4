"""Makes the dump of a release: a small installation with an event of every kind, and what it answers.

`python -m tests.released.making` writes both beside this file, once for each release.
"""

import asyncio
import gzip
import json
import subprocess
import sys
import tempfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import footfall
from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.embedded.programs import program
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.application.journal.event_codec import EVENT_TYPES, EventCodec
from footfall.application.ports.journal import Actor, Metadata
from tests.e2e.service import running
from tests.released.dumps import SETTINGS, answers_to

# Of the last whole days that the demonstration fills.
DAYS = 2
REPORTS = {
    "overview": {"compare_with": "previous"},
    "timeseries": {"bucket": "day"},
    "goals": {},
    "pages": {},
    "breakdown": {"by": "country", "visitors": "true"},
    "movers": {"by": "pathname"},
    "outbound": {},
    "properties": {"event": "order"},
    "errors": {},
    "error-names": {},
    "web-vitals": {},
    "funnels/1": {},
    "journeys": {},
    "bots": {},
}
# Streams by the modules of their events; those of all others belong to sites.
STREAMS = {"organization", "user", "api_key", "goal", "funnel", "cell"}


def examples() -> dict[str, Any]:
    """Return an event of each kind, with values that its fields allow."""
    st.register_type_strategy(str, st.text("abcdef", min_size=1, max_size=8))
    st.register_type_strategy(int, st.integers(1, 9))
    st.register_type_strategy(float, st.floats(0, 9))
    times = st.integers(1_767_225_600, 1_788_220_800).map(lambda one: datetime.fromtimestamp(one, UTC))
    st.register_type_strategy(datetime, times)
    found: dict[str, Any] = {}
    kinds = st.one_of([st.tuples(st.just(name), st.from_type(kind)) for name, kind in EVENT_TYPES.items()])

    @settings(max_examples=5_000, derandomize=True, database=None, phases=[Phase.generate], deadline=None)
    @given(kinds)
    def keep(example: tuple[str, Any]) -> None:
        found.setdefault(*example)

    keep()
    assert found.keys() == EVENT_TYPES.keys()
    return found


async def append(url: str, events: dict[str, Any]) -> None:
    """Append each event to a stream of its own, of an aggregate that no other event is about."""
    connections = Connections(url)
    await connections.open()
    store = PostgresEventStore(connections, Listener(url), EventCodec())
    for number, event in enumerate(events.values(), 9_001):
        module = type(event).__module__.rpartition(".")[2]
        stream = f"{module.replace('_', '') if module in STREAMS else 'site'}-{number}"
        metadata = Metadata(Actor("1"), datetime(2026, 9, 1, tzinfo=UTC), "example")
        await store.append(stream, [event], expected=0, metadata=metadata)
    await connections.close()


def addresses(last: date) -> list[str]:
    """Return the addresses of reports on the days of the demonstration."""
    days = {"start_date": f"{last - timedelta(days=DAYS - 1)}", "end_date": f"{last}", "time_zone": "UTC"}
    return [f"/api/sites/1/{report}?{urlencode(more | days)}" for report, more in REPORTS.items()]


def main() -> None:
    """Write the dump and the answers of this version."""
    # Not a folder of this user alone: as root, PostgreSQL runs as another one.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        data_dir = Path(folder) / "data"
        with running(data_dir, environment=SETTINGS) as service:
            service.administer("demo", "--site", "1", "--days", str(DAYS + 1))
            key = service.first_key()
        with EmbeddedPostgres(data_dir) as server:
            asyncio.run(append(server.url, examples()))
        with running(data_dir, environment=SETTINGS) as service:
            service.settle()
            answers = answers_to(service, key, addresses(datetime.now(UTC).date() - timedelta(days=1)))
        with EmbeddedPostgres(data_dir) as server:
            command = [
                program("pg_dump"),
                "--inserts",
                "--rows-per-insert=500",
                "--no-owner",
                "--no-privileges",
                server.url,
            ]
            script = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    # Without what servers before PostgreSQL 17 do not know, and what `psql` alone does.
    lines = [one for one in script.splitlines() if not one.startswith(("SET transaction_timeout", "\\"))]
    dump = gzip.compress("\n".join(lines).encode(), mtime=0)
    here = Path(__file__).parent
    (here / f"{footfall.__version__}.sql.gz").write_bytes(dump)
    told = gzip.compress(json.dumps({"key": key, "answers": answers}).encode(), mtime=0)
    (here / f"{footfall.__version__}.json.gz").write_bytes(told)
    sys.stdout.write(f"{len(dump):,} bytes, {len(answers)} answers\n")


if __name__ == "__main__":
    main()
