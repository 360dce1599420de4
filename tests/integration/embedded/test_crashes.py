import logging
import signal
import socket
import time

import psutil
import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres, EmbeddedPostgresError
from footfall.adapters.embedded.postmaster import is_alive
from tests.integration.embedded.actions import (
    USE_UNTIL_KILLED,
    kill,
    processes_in,
    python,
    query,
    remember,
    remembered,
)
from tests.processes import signal_all
from tests.waiting import wait_until


def test_committed_rows_survive_the_kill_of_the_main_process(postgres):
    remember(postgres, "kept")
    kill(postgres.pid)

    with EmbeddedPostgres(postgres.data_directory.parents[1]) as again:
        assert remembered(again) == ["kept"]


def test_committed_rows_survive_the_kill_of_every_process(postgres, data_dir):
    remember(postgres, "kept")
    signal_all(processes_in(data_dir), signal.SIGKILL)

    with EmbeddedPostgres(data_dir) as again:
        assert remembered(again) == ["kept"]


def test_a_session_that_works_on_without_its_server_does_not_keep_the_next_one_from_starting(
    postgres, data_dir
):
    remember(postgres, "kept")
    busy = psycopg.connect(postgres.url, autocommit=True)
    busy.pgconn.send_query(b"do $$ begin loop perform 1; end loop; end $$")
    orphan = psutil.Process(busy.info.backend_pid)
    state = f"select state from pg_stat_activity where pid = {orphan.pid}"
    wait_until(lambda: query(postgres, state) == [("active",)])
    kill(postgres.pid)
    # A waiting process would notice within this time.
    time.sleep(0.2)
    assert is_alive(orphan)

    with EmbeddedPostgres(data_dir) as again:
        assert remembered(again) == ["kept"]

    busy.close()


def test_a_process_id_that_was_given_to_another_process_does_not_keep_the_server_from_starting(
    data_dir, stranger
):
    with EmbeddedPostgres(data_dir) as postgres:
        remember(postgres, "kept")
        named = postgres.data_directory / "postmaster.pid"
        lines = named.read_text().split("\n")
        kill(postgres.pid)
    named.write_text("\n".join([str(stranger.pid), *lines[1:]]))

    with EmbeddedPostgres(data_dir) as again:
        words = remembered(again)

    assert words == ["kept"]
    assert stranger.poll() is None


def test_a_server_whose_id_file_is_lost_is_replaced(postgres, data_dir):
    remember(postgres, "kept")
    lost = postgres.pid
    (postgres.data_directory / "postmaster.pid").unlink()

    with EmbeddedPostgres(data_dir) as again:
        words = remembered(again)

    assert words == ["kept"]
    assert lost not in [process.pid for process in processes_in(data_dir)]


def test_no_second_server_is_started_beside_one_whose_process_is_hidden(data_dir):
    with socket.socket(socket.AF_UNIX) as unseen:
        unseen.bind(str(data_dir / "postgres" / "socket" / ".s.PGSQL.5432"))
        unseen.listen()

        with pytest.raises(EmbeddedPostgresError, match=r"^A process out of sight answers at "):
            EmbeddedPostgres(data_dir).start()

    assert processes_in(data_dir) == []


def test_a_server_that_a_killed_process_left_behind_is_taken_over(data_dir):
    with python(USE_UNTIL_KILLED, data_dir) as user:
        assert user.stdout.readline() == "started\n"
        user.kill()
    left = EmbeddedPostgres(data_dir)
    pid = left.pid

    with left:
        taken_over = left.pid

    assert pid
    assert taken_over == pid
    assert left.pid is None


def test_a_first_start_that_was_killed_is_begun_again(base):
    directory = base / "interrupted"
    with python(USE_UNTIL_KILLED, directory) as user:
        wait_until(lambda: any(directory.glob("postgres/unfinished-*/PG_VERSION")))
        user.kill()

    with EmbeddedPostgres(directory) as postgres:
        remember(postgres, "works")

        assert remembered(postgres) == ["works"]


def test_supervision_restarts_the_server_and_logs_one_line(postgres, caplog):
    remember(postgres, "kept")
    before = postgres.pid
    postgres.supervise()

    with caplog.at_level(logging.WARNING):
        kill(before)
        wait_until(lambda: postgres.is_running)

    assert postgres.pid != before
    assert remembered(postgres) == ["kept"]
    assert [record.getMessage() for record in caplog.records] == [
        "The embedded PostgreSQL ended unexpectedly; starting it again"
    ]
