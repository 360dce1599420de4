"""The commands of the page about clusters run, with real Patroni and etcd processes on three addresses."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import psycopg
import pytest
from attrs import define, field

from footfall.adapters.embedded.account import SystemAccount, account_for
from footfall.adapters.embedded.programs import installation
from tests.e2e.repeated import send_until
from tests.e2e.service import COMMAND, running
from tests.processes import signal_all
from tests.snippets import ROOT, snippets_of
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(540)]

PAGE = ROOT / "docs" / "internals" / "servers" / "cluster.md"
# Addresses of the loopback interface stand for the three machines of the page.
NETWORK = "127.77.0."
PORTS = (2379, 2380, 5432, 8008)
MACHINES = (1, 2, 3)
LONG = 180.0


def block(first: str) -> str:
    """Return the block of the page that begins with these words."""
    [found] = [one.code for one in snippets_of(PAGE) if one.code.startswith(first)]
    return found


@define(eq=False)
class Cluster:
    """Three machines below one folder."""

    folder: Path
    account: SystemAccount
    processes: dict[int, list[subprocess.Popen]] = field(factory=dict)

    def here(self, text: str, machine: int = 1) -> str:
        """Return text of the page with the places of this test."""
        places = {
            "10.0.0.0/24": "127.0.0.0/8",
            "10.0.0.": NETWORK,
            "/opt/patroni": str(self.folder / "patroni"),
            "/etc/patroni.yml": str(self.folder / f"patroni{machine}.yml"),
            "/var/lib/etcd/footfall": str(self.folder / f"etcd{machine}"),
            "/var/lib/postgresql/": str(self.folder / f"postgresql{machine}-"),
            "/usr/lib/postgresql/17/bin": str(installation() / "bin"),
        }
        for there, here in places.items():
            text = text.replace(there, here)
        return text

    def of_machine(self, text: str, machine: int) -> str:
        """Return a configuration of the first machine as another one has it: only its own name and address differ."""
        lines = [
            line
            if line.startswith("ETCD_INITIAL_CLUSTER=") or "hosts:" in line
            else line.replace("node1", f"node{machine}").replace("10.0.0.1", f"10.0.0.{machine}")
            for line in text.splitlines()
        ]
        return self.here("\n".join(lines) + "\n", machine)

    def start(self, machine: int) -> None:
        """Start etcd and Patroni of a machine."""
        lines = self.of_machine(block("ETCD_NAME"), machine).splitlines()
        etcd = dict(line.split("=", 1) for line in lines)
        configuration = self.folder / f"patroni{machine}.yml"
        # PostgreSQL's Unix socket has one place on a machine.
        socketless = "  parameters:\n    unix_socket_directories: ''\n  pgpass:"
        configuration.write_text(self.of_machine(block("scope:"), machine).replace("  pgpass:", socketless))
        patroni = self.here(block("/opt/patroni/bin/patroni "), machine).split()
        self.processes[machine] = [
            self.spawn(["etcd"], f"etcd{machine}", etcd),
            self.spawn(patroni, f"patroni{machine}", {}),
        ]

    def spawn(self, command: list[str], name: str, environment: dict[str, str]) -> subprocess.Popen:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", **environment},
                start_new_session=True,
                **self.account.launch_options(),
            )

    def lose(self, machine: int) -> None:
        """Kill everything that runs on a machine at once."""
        found = [psutil.Process(one.pid) for one in self.processes.get(machine, []) if one.poll() is None]
        postmaster = self.folder / f"postgresql{machine}-footfall" / "postmaster.pid"
        with contextlib.suppress(FileNotFoundError, psutil.NoSuchProcess):
            found.append(psutil.Process(int(postmaster.read_text().splitlines()[0])))
        family = [child for one in found for child in one.children(recursive=True)]
        signal_all([*found, *family], signal.SIGKILL)
        for process in self.processes.pop(machine, []):
            process.wait()

    def run(self, *blocks: str, status: int = 0) -> str:
        """Run blocks of the page in one shell and return what they print."""
        program = f'footfall() {{ {" ".join(COMMAND)} "$@"; }}\nset -e\n'
        program += "".join(self.here(block(first)) for first in blocks)
        done = subprocess.run(
            ["bash", "-c", program],
            capture_output=True,
            text=True,
            check=False,
            timeout=LONG,
            env={
                **os.environ,
                "PATH": f"{installation() / 'bin'}:{os.environ['PATH']}",
                "FOOTFALL_DATA_DIR": str(self.folder / "data"),
            },
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def members(self) -> str:
        with contextlib.suppress(AssertionError):
            return self.run("/opt/patroni/bin/patronictl -c /etc/patroni.yml list")
        return ""

    def leader(self) -> int:
        """Return the number of the machine whose server is the primary; 0 while none is."""
        for line in self.members().splitlines():
            if "Leader" in line and "running" in line:
                return int(line.split("node")[1][0])
        return 0

    def replicates(self) -> bool:
        return bool(self.leader()) and "Sync Standby" in self.members()


@pytest.fixture
def cluster():
    missing = [program for program in ("etcd", "etcdctl") if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} ({block('apt-get').strip()})")
    for machine in MACHINES:
        for port in PORTS:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((f"{NETWORK}{machine}", port))
                except OSError as reason:
                    pytest.skip(f"{NETWORK}{machine}:{port} cannot be used: {reason}")
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="footfall-cluster-"))
    account = account_for(folder)
    shutil.chown(folder, account.uid, account.gid)
    cluster = Cluster(folder, account)
    try:
        install_patroni(cluster)
        yield cluster
    finally:
        for machine in MACHINES:
            cluster.lose(machine)
        shutil.rmtree(folder, ignore_errors=True)


def install_patroni(cluster: Cluster) -> None:
    installing = cluster.here(block("python3 -m venv")).replace("python3", sys.executable)
    done = subprocess.run(
        ["bash", "-ec", installing], capture_output=True, text=True, check=False, timeout=LONG
    )
    if done.returncode:
        pytest.skip(f"Patroni cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    for path in [cluster.folder / "patroni", *(cluster.folder / "patroni").rglob("*")]:
        path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))
    try:
        cluster.spawn(
            [str(cluster.folder / "patroni" / "bin" / "patroni"), "--version"], "patroni", {}
        ).wait()
    except PermissionError:
        # That of a version manager in the home directory of root, for example.
        pytest.skip("the account that runs PostgreSQL may not run this Python")


def test_the_cluster_of_the_page_keeps_every_acknowledged_event_when_its_primary_dies(cluster, data_dir):
    for machine in MACHINES:
        cluster.start(machine)
    healthy = wait_until(lambda: answers(cluster), seconds=LONG)
    wait_until(cluster.replicates, seconds=LONG)
    address = "export FOOTFALL_DATABASE_URL"
    cluster.run("export PGPASSWORD")
    cluster.run(address, "footfall migrate")
    doctor = cluster.run(address, "footfall doctor", status=1)
    url = cluster.here(block(address)).split("'")[1]
    pauses, over = {}, threading.Event()

    def fail():
        try:
            time.sleep(3)
            lost = cluster.leader()
            cluster.lose(lost)
            began = time.monotonic()
            wait_until(lambda: service.get("/readyz")[0] == 503)
            wait_until(lambda: service.get("/readyz")[0] == 200, seconds=LONG)
            pauses["ready"] = time.monotonic() - began
            wait_until(lambda: cluster.leader() not in {0, lost}, seconds=LONG)
            time.sleep(3)
            # The machine comes back, and its server rejoins as a standby.
            cluster.start(lost)
            wait_until(lambda: cluster.members().count("streaming") == 2, seconds=LONG)
            wait_until(cluster.replicates, seconds=LONG)
            before = cluster.leader()
            cluster.run("/opt/patroni/bin/patronictl -c /etc/patroni.yml switchover")
            wait_until(lambda: cluster.leader() not in {0, before}, seconds=LONG)
            wait_until(lambda: service.get("/readyz")[0] == 200)
            time.sleep(2)
        finally:
            over.set()

    with running(
        data_dir, environment={"FOOTFALL_DATABASE_URL": url, "FOOTFALL_RATE_LIMIT": "off"}
    ) as service:
        key = service.first_key()
        with ThreadPoolExecutor() as pool:
            failing = pool.submit(fail)
            sent = asyncio.run(send_until(over, service, key))
            failing.result()
        wait_until(lambda: len(stored(url)) >= len(sent.acknowledged))
        found = stored(url)
        service.stop()

    assert healthy.count("is healthy") == 3
    # The servers of the page have no certificates yet.
    assert doctor.count("FAULT") == doctor.count("FAULT encryption") == 1
    assert "a primary" in doctor
    assert "acknowledged events are also on the disk" in doctor
    assert set(sent.statuses) <= {200, 503}
    assert len(sent.acknowledged) > 100
    assert {*sent.acknowledged} == {*found}
    assert len(found) == len(set(found))
    assert pauses["ready"] < 60, pauses


def answers(cluster: Cluster) -> str:
    with contextlib.suppress(AssertionError):
        return cluster.run("export ETCDCTL_API")
    return ""


def stored(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [name for (name,) in connection.execute("select user_id from hit")]
