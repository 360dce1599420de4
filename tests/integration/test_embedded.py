import logging
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.embedded import DataDirectoryInUse, EmbeddedPostgres, EmbeddedPostgresError, ServeLock
from footfall.adapters.embedded.account import account_for
from footfall.adapters.embedded.postmaster import wait_until

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")

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

USE_UNTIL_KILLED = """
import sys, time
from pathlib import Path
from footfall.adapters.embedded import EmbeddedPostgres
EmbeddedPostgres(Path(sys.argv[1])).start()
print("started", flush=True)
time.sleep(60)
"""

SERVE_WITH_A_WORKER = """
import os, sys, time
from pathlib import Path
from footfall.adapters.embedded import ServeLock
ServeLock(Path(sys.argv[1])).acquire()
worker = os.fork()
if worker:
    print(worker, flush=True)
time.sleep(60)
"""


def python(script, *arguments):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def query(postgres, statement):
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def remember(postgres, word):
    query(postgres, "create table if not exists memory (word text)")
    query(postgres, f"insert into memory values ('{word}')")


def remembered(postgres):
    return [word for (word,) in query(postgres, "select word from memory")]


def socket_directory(postgres):
    return Path(conninfo_to_dict(postgres.url)["host"])


def processes_in(directory):
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()).is_relative_to(directory):
                found.append(process)
        except psutil.Error:
            continue
    return found


def kill(pid):
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == "zombie", 5)


def as_user(name, action):
    """Run an action in a forked process of another user and return its exit status, 0 if it did not raise."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    try:
        entry = pwd.getpwnam(name)
        os.setgroups([])
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)
        action()
        status = 0
    finally:
        os._exit(status)


@pytest.fixture(scope="module")
def base():
    # Not pytest's own directory: it is closed again for everybody else whenever pytest starts.
    directory = Path(tempfile.mkdtemp(dir="/tmp", prefix="footfall-embedded-")).resolve()
    yield directory
    for process in processes_in(directory):
        process.kill()
    shutil.rmtree(directory)


@pytest.fixture(scope="module")
def template(base):
    with EmbeddedPostgres(base / "template"):
        pass
    return base / "template"


@pytest.fixture
def data_dir(base, template):
    directory = Path(tempfile.mkdtemp(dir=base))
    subprocess.run(["cp", "-a", f"{template}/.", directory], check=True)
    yield directory
    for process in processes_in(directory):
        process.kill()


@pytest.fixture
def stranger(data_dir):
    """A process of the account that runs PostgreSQL, which is none."""
    options = account_for(data_dir).launch_options()
    with subprocess.Popen(["sleep", "60"], cwd="/", **options) as process:
        yield process
        process.kill()


@pytest.fixture
def postgres(data_dir):
    with EmbeddedPostgres(data_dir) as running:
        yield running


def test_the_first_start_makes_a_database_that_sorts_by_code_point_and_listens_to_no_network(base):
    with EmbeddedPostgres(base / "first") as postgres:
        remember(postgres, "b")
        remember(postgres, "a")
        remember(postgres, "Z")
        remember(postgres, "ä")

        words = query(postgres, "select word from memory order by word")
        settings = dict(query(postgres, "select name, setting from pg_settings"))

    assert [word for (word,) in words] == sorted("baZä")
    assert settings["listen_addresses"] == ""
    assert (settings["fsync"], settings["synchronous_commit"], settings["jit"]) == ("on", "on", "off")
    assert settings["TimeZone"] == "UTC"


def test_the_service_is_no_superuser_and_owns_its_database(postgres):
    answer = query(
        postgres,
        "select rolsuper, datdba = pg_roles.oid from pg_roles, pg_database "
        "where rolname = current_user and datname = current_database()",
    )

    assert answer == [(False, True)]


def test_what_is_stored_survives_a_stop_and_a_start(data_dir):
    with EmbeddedPostgres(data_dir) as postgres:
        remember(postgres, "kept")
    stopped = not postgres.is_running and postgres.pid is None

    postgres.start()

    assert stopped
    assert remembered(postgres) == ["kept"]
    postgres.stop()


def test_a_warm_start_takes_less_than_half_a_second(data_dir):
    durations = []
    for _ in range(3):
        began = time.monotonic()
        with EmbeddedPostgres(data_dir):
            durations.append(time.monotonic() - began)

    assert min(durations) < 0.5


def test_what_is_committed_survives_the_kill_of_the_main_process(postgres):
    remember(postgres, "kept")
    kill(postgres.pid)

    with EmbeddedPostgres(postgres.data_directory.parents[1]) as again:
        assert remembered(again) == ["kept"]


def test_what_is_committed_survives_the_kill_of_every_process(postgres, data_dir):
    remember(postgres, "kept")
    for process in processes_in(data_dir):
        process.kill()

    with EmbeddedPostgres(data_dir) as again:
        assert remembered(again) == ["kept"]


def test_a_session_that_works_on_without_its_server_does_not_keep_the_next_one_from_starting(
    postgres, data_dir
):
    remember(postgres, "kept")
    busy = psycopg.connect(postgres.url, autocommit=True)
    busy.pgconn.send_query(b"do $$ begin loop perform 1; end loop; end $$")
    orphan = psutil.Process(busy.info.backend_pid)
    time.sleep(0.2)
    kill(postgres.pid)
    time.sleep(0.2)
    assert orphan.status() == psutil.STATUS_RUNNING

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


def test_the_last_user_stops_it(data_dir):
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


def test_a_first_start_that_was_killed_is_begun_again(base):
    directory = base / "interrupted"
    with python(USE_UNTIL_KILLED, directory) as user:
        assert wait_until(lambda: any(directory.glob("postgres/unfinished-*/PG_VERSION")), 10)
        user.kill()

    with EmbeddedPostgres(directory) as postgres:
        remember(postgres, "works")

        assert remembered(postgres) == ["works"]


def test_supervision_starts_it_again_and_says_so_in_one_line(postgres, caplog):
    remember(postgres, "kept")
    before = postgres.pid
    postgres.supervise()

    with caplog.at_level(logging.WARNING):
        kill(before)
        back = wait_until(lambda: postgres.is_running, 10)

    assert back
    assert postgres.pid != before
    assert remembered(postgres) == ["kept"]
    assert [record.getMessage() for record in caplog.records] == [
        "The embedded PostgreSQL ended unexpectedly; starting it again"
    ]


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
        assert wait_until(lambda: master.poll() is not None, 5)

        with ServeLock(directory):
            worker_lives = psutil.pid_exists(worker)

        os.kill(worker, signal.SIGKILL)

    assert worker_lives


def test_a_data_directory_with_a_very_long_path_works(base):
    directory = base / ("long" * 20) / ("longer" * 20)

    with EmbeddedPostgres(directory) as postgres:
        remember(postgres, "kept")
        words = remembered(postgres)
        sockets = socket_directory(postgres)
        mode = sockets.stat().st_mode & 0o777

    assert words == ["kept"]
    assert mode == 0o700
    assert not sockets.is_relative_to(directory)
    sockets.rmdir()


def test_a_socket_directory_that_others_may_enter_is_refused(base):
    directory = base / ("long" * 20) / ("foreign" * 20)
    sockets = socket_directory(EmbeddedPostgres(directory))
    sockets.mkdir()
    sockets.chmod(0o777)

    with pytest.raises(EmbeddedPostgresError, match=f"^{sockets} must be a directory of "):
        EmbeddedPostgres(directory).start()

    sockets.rmdir()


def test_nobody_else_may_enter_what_holds_data_or_connects(postgres):
    home = postgres.data_directory.parent

    modes = {name: (home / name).stat().st_mode & 0o777 for name in ("data", "log", "socket")}

    assert modes == {"data": 0o700, "log": 0o700, "socket": 0o700}


@as_root
def test_another_user_of_the_machine_cannot_reach_the_socket(postgres):
    path = str(postgres.data_directory.parent / "socket" / ".s.PGSQL.5432")

    def connect():
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.connect(path)

    assert connect() is None
    assert as_user("nobody", connect) == 1


@as_root
def test_another_user_who_reaches_the_socket_is_not_let_in(postgres):
    sockets = postgres.data_directory.parent / "socket"
    sockets.chmod(0o755)
    (sockets / ".s.PGSQL.5432").chmod(0o777)

    def connect():
        with pytest.raises(psycopg.OperationalError, match="Peer authentication failed"):
            psycopg.connect(postgres.url)

    assert as_user("nobody", connect) == 0


@as_root
def test_root_in_the_data_directory_of_another_user_leaves_everything_to_that_user(base):
    directory = base / "of-nobody"
    directory.mkdir()
    shutil.chown(directory, "nobody")
    with EmbeddedPostgres(directory) as postgres:
        remember(postgres, "by root")
        runs_as = psutil.Process(postgres.pid).username()

    def use():
        with EmbeddedPostgres(directory) as again:
            assert remembered(again) == ["by root"]

    assert runs_as == "nobody"
    assert as_user("nobody", use) == 0


@as_root
def test_an_ordinary_user_can_run_it(base, template):
    assert template.exists()
    directory = base / "ordinary"
    directory.mkdir(mode=0o700)
    shutil.chown(directory, "nobody")

    def use():
        with EmbeddedPostgres(directory) as postgres:
            remember(postgres, "kept")
            assert remembered(postgres) == ["kept"]

    assert as_user("nobody", use) == 0


@as_root
def test_a_system_user_with_a_new_id_gets_the_files_of_the_old_one(data_dir):
    for path in (data_dir / "postgres").rglob("*"):
        if path.stat().st_uid:
            os.chown(path, 54321, 54321)

    with EmbeddedPostgres(data_dir) as postgres:
        remember(postgres, "kept")

        assert remembered(postgres) == ["kept"]


def test_the_log_holds_nothing_of_what_was_asked(data_dir):
    with EmbeddedPostgres(data_dir) as postgres:
        with pytest.raises(psycopg.DataError):
            query(postgres, "select 'from 192.0.2.7'::int")
        logs = postgres.log_directory

    written = "".join(path.read_text() for path in logs.iterdir())

    assert "database system is ready" in written
    assert "192.0.2.7" not in written


def test_a_server_that_does_not_start_is_one_line_that_names_the_logs(data_dir):
    shutil.rmtree(data_dir / "postgres" / "data" / "global")

    with pytest.raises(EmbeddedPostgresError) as refusal:
        EmbeddedPostgres(data_dir).start()

    text = str(refusal.value)
    assert text.startswith("The embedded PostgreSQL did not start (could not find the database system")
    assert text.endswith(f"look into the logs in {data_dir / 'postgres' / 'log'}")
    assert "\n" not in text


def test_data_of_another_version_is_refused_and_left_alone(data_dir):
    version = data_dir / "postgres" / "data" / "PG_VERSION"
    version.write_text("17\n")

    with pytest.raises(
        EmbeddedPostgresError, match="was written by PostgreSQL 17 and this Footfall brings 18"
    ):
        EmbeddedPostgres(data_dir).start()

    assert version.read_text() == "17\n"


def test_a_data_directory_that_cannot_be_made_is_refused_in_one_line(base):
    (base / "file").write_text("in the way")

    with pytest.raises(EmbeddedPostgresError, match=r"^Cannot run the embedded PostgreSQL in "):
        EmbeddedPostgres(base / "file" / "below").start()


def test_a_log_from_the_week_before_is_forgotten(data_dir):
    old = data_dir / "postgres" / "log" / "postgres-Old.log"
    old.write_text("long ago")
    os.utime(old, (0, 0))

    with EmbeddedPostgres(data_dir):
        assert not old.exists()
