import os
import signal

import psutil
import pytest

from footfall.adapters.embedded import DataDirectoryInUse, EmbeddedPostgres, ServeLock
from tests.integration.embedded.actions import python, query

USE_ONCE = """
import sys
from pathlib import Path
import psycopg
from footfall.adapters.embedded import EmbeddedPostgres
for _ in range(int(sys.argv[2])):
    with EmbeddedPostgres(Path(sys.argv[1])) as postgres, psycopg.connect(postgres.url) as connection:
        connection.execute("select pg_advisory_xact_lock(1)")
        connection.execute("create table if not exists visit (pid int)")
        connection.execute("insert into visit values (%s)", [postgres.pid])
"""

SERVE_WITH_A_WORKER = """
import os, sys, time
from pathlib import Path
from footfall.adapters.embedded import ServeLock
ServeLock(Path(sys.argv[1])).acquire()
worker = os.fork()
if worker:
    print(worker, flush=True)
time.sleep(600)
"""


def test_the_last_user_stops_the_server(data_dir):
    first, second = EmbeddedPostgres(data_dir), EmbeddedPostgres(data_dir)
    first.start()
    second.start()

    first.stop()
    after_the_first = second.is_running
    second.stop()

    assert after_the_first
    assert not second.is_running


def test_a_forked_process_that_ends_does_not_stop_it(postgres):
    child = os.fork()
    if not child:
        postgres.stop()
        os._exit(0)

    os.waitpid(child, 0)

    assert postgres.is_running


def test_several_processes_at_once_make_one_cluster_and_share_one_server(base):
    directory = base / "crowd"
    crowd = [python(USE_ONCE, directory, 1) for _ in range(3)]

    complaints = [user.communicate()[1] for user in crowd]

    assert complaints == ["", "", ""]
    with EmbeddedPostgres(directory) as postgres:
        assert query(postgres, "select count(*) from visit") == [(3,)]


def test_users_that_come_and_go_at_once_never_find_it_stopped_under_them(data_dir):
    crowd = [python(USE_ONCE, data_dir, 8) for _ in range(3)]

    complaints = [user.communicate()[1] for user in crowd]

    assert complaints == ["", "", ""]
    with EmbeddedPostgres(data_dir) as postgres:
        assert query(postgres, "select count(*) from visit") == [(24,)]


def test_a_second_service_on_the_data_directory_is_refused_by_name_and_process(base):
    directory = base / "served"
    with python(SERVE_WITH_A_WORKER, directory) as master:
        worker = int(master.stdout.readline())

        with pytest.raises(
            DataDirectoryInUse, match=f"^{directory} is served by process {master.pid} already; "
        ):
            ServeLock(directory).acquire()

        master.kill()
        os.kill(worker, signal.SIGKILL)


def test_a_killed_service_gives_way_at_once_even_while_its_workers_live(base):
    directory = base / "killed"
    with python(SERVE_WITH_A_WORKER, directory) as master:
        worker = int(master.stdout.readline())
        master.kill()
        master.wait()

        with ServeLock(directory):
            worker_lives = psutil.pid_exists(worker)

        os.kill(worker, signal.SIGKILL)

    assert worker_lives
