"""The commands of docs/internals/servers/citus.md run, with TLS, certificates of both sides and a limited role."""

import os
import subprocess

import pytest

from footfall.adapters.postgres.database.migration import migrate
from tests.e2e.failures.cell_traffic import event
from tests.e2e.failures.failing_cells import verify
from tests.e2e.service import COMMAND, running
from tests.servers.citus import AUTHORITIES, CLIENTS, block, here, started
from tests.servers.replication import single
from tests.waiting import wait_until

pytestmark = [pytest.mark.citus, pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(600)]

CELLS = ("east", "west")
FOOTFALL = f'set -e\nfootfall() {{ {" ".join(COMMAND)} "$@"; }}\n'


class Page:
    """Runs blocks of the page; 10.0.5.2 and 10.0.5.3 are the workers in this order."""

    def __init__(self, cluster):
        self.cluster, self.workers = cluster, cluster.workers
        self.folder = cluster.coordinator.directory.parent

    def here(self, text):
        for number, node in enumerate((self.cluster.coordinator, *self.workers), 1):
            for form in ("10.0.5.{}:{}", "'10.0.5.{}', {}"):
                text = text.replace(form.format(number, 5432), form.format(number, node.port))
            text = text.replace(f"10.0.5.{number}", "127.0.0.1")
        return here(text, self.folder)

    def sudo(self, node):
        """Return the function of the shell by which `sudo -u postgres psql` is the superuser at a node."""
        settings = {
            "PATH": f"{node.programs}:$PATH",
            "PGHOST": "127.0.0.1",
            "PGPORT": node.port,
            "PGUSER": "postgres",
            "PGSSLMODE": "verify-full",
            "PGSSLROOTCERT": self.folder / AUTHORITIES,
            "PGSSLCERT": self.folder / CLIENTS / "certificate.pem",
            "PGSSLKEY": self.folder / CLIENTS / "key.pem",
        }
        assigned = " ".join(f"{name}={value}" for name, value in settings.items())
        return f'sudo() {{ shift 2; {assigned} "$@"; }}\n'

    def run(self, *blocks, at=None, environment=os.environ, then=""):
        """Run blocks in one shell, at the coordinator unless a node is given; return what they print."""
        program = FOOTFALL + self.sudo(at or self.cluster.coordinator)
        done = subprocess.run(
            ["bash", "-c", program + "".join(self.here(block(first)) for first in blocks) + then],
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
            env={**environment},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def test_the_page_leads_from_nothing_to_two_moved_cells_that_keep_their_events(data_dir):
    with single("journal") as journal, started(secured=True) as cluster:
        page = Page(cluster)
        for node in cluster.nodes:
            page.run('sudo -u postgres psql -c "create database', at=node)
        page.run("sudo -u postgres psql -d footfall <<SQL")
        migrate(journal.url)
        environment = {
            "FOOTFALL_DATABASE_URL": journal.url,
            "FOOTFALL_CELLS": page.run("export CITUS", then='printf %s "$FOOTFALL_CELLS"'),
        }
        with running(data_dir, environment=environment) as service:
            its = service.process_environment
            page.run("footfall cell add", environment=its)
            homes = page.workers = tuple(cluster.home_of(f"cell_{cell}") for cell in CELLS)
            sites = {cell: site_in(service, cell) for cell in CELLS}
            send(service, sites, "before")
            page.run("footfall cell move", environment=its)
            page.run('sudo -u postgres psql -d footfall -c "select citus_rebalance_start')
            send(service, sites, "after")

            counted = {site: pageviews_of(service, site) for site in sites.values()}
            verified = [verify(service, cell) for cell in CELLS]
        moved = tuple(cluster.home_of(f"cell_{cell}") for cell in CELLS)
        superusers = cluster.coordinator.run("select rolname from pg_roles where rolsuper")
    assert moved == homes[::-1] != homes
    assert counted == dict.fromkeys(sites.values(), 2)
    assert verified == [(0, "the projections are verified\n")] * len(CELLS)
    assert superusers == [("postgres",)]


def site_in(service, cell):
    """Make a site in a cell, and return it when the workers serve it."""
    about = ("--organization", "1", "--name", cell, "--domain", "localhost", "--cell", cell)
    site = str(service.administer("site", "create", *about)["siteId"])
    wait_until(lambda: overview(service, site)[0] == 200)
    return site


def send(service, sites, name):
    """Send one event to each site, once: not one may be refused."""
    for site in sites.values():
        answer = service.send("POST", "/api/track", event(site, name), key=service.first_key())
        assert answer[0] == 200, answer


def pageviews_of(service, site):
    status, found = overview(service, site)
    assert status == 200, found
    return found["data"]["pageviews"]


def overview(service, site):
    return service.get(
        f"/api/sites/{site}/overview?past_minutes_start=60&past_minutes_end=0", key=service.first_key()
    )
