"""Many times the events need no more memory, on the way out and on the way in."""

import os
import sys

import psycopg
import pytest

from tests.benchmarks.upkeep.transfer import fill
from tests.commands import commands
from tests.generated import at_length
from tests.peak import peak_of

# A command has its buffers when it has moved the few.
FEW, MANY = 20_000, at_length(slow=60_000, thorough=200_000)
# What the allocator keeps of one piece more; all of the further events would be twenty, or ninety. It is less than 60
# bytes of each further event.
SLACK_KIB = 10 * 1024 * (MANY - FEW) // 180_000


@pytest.fixture
def environment(database_url, tmp_path):
    return {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path)}


@pytest.fixture
def new_site(environment):
    words = ["init", "--organization", "A", "--site", "A", "--domain", "a.example", "--json"]
    return lambda: str(commands(environment)(*words)["siteId"])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how much memory a process had")
def test_many_times_the_events_need_no_more_memory(database_url, environment, new_site, tmp_path):
    site, peaks = new_site(), {}
    with psycopg.connect(database_url, autocommit=True) as store:
        for hits in (FEW, MANY):
            fill(store, hits - len(peaks) * FEW)
            file = str(tmp_path / f"{hits}.jsonl.gz")
            out = peak_of("export", site, file, environment=os.environ | environment)
            back = peak_of("import", new_site(), file, environment=os.environ | environment)
            peaks[hits] = {"export": out, "import": back}

    grown = {command: peaks[MANY][command] - peaks[FEW][command] for command in ("export", "import")}
    assert {command: kib for command, kib in grown.items() if kib > SLACK_KIB} == {}
