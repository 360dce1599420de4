"""A PostgreSQL of the reader, as the page on the configuration sets one up."""

import subprocess

import pytest

from tests.e2e.service import COMMAND, Service, running
from tests.servers.replication import single
from tests.snippets import ROOT, snippets_of
from tests.waiting import LONG

KEY = f"ff_{'k' * 40}"
PAGE = ROOT / "docs" / "operate" / "configuration.md"
# Colons and backslashes are escaped in the file of passwords.
PASSWORD, IN_FILE = "a/b:c @d", r"a/b\:c @d"


@pytest.fixture
def server():
    """A server with the role and the database of the page, which asks the role for its password."""
    [statements] = [one.code for one in snippets_of(PAGE) if one.language == "sql"]
    with single("own") as server:
        for statement in filter(str.strip, statements.split(";")):
            server.execute(statement.replace("'secret'", f"'{PASSWORD}'"))
        access = server.directory / "pg_hba.conf"
        access.write_text(f"host footfall footfall 127.0.0.1/32 scram-sha-256\n{access.read_text()}")
        server.execute("select pg_reload_conf()")
        yield server


@pytest.mark.slow
def test_the_role_of_the_page_suffices_and_its_password_is_in_a_file(server, data_dir, tmp_path):
    passwords = tmp_path / "passwords"
    passwords.write_text(f"127.0.0.1:{server.port}:footfall:footfall:{IN_FILE}\n")
    passwords.chmod(0o600)
    environment = {
        "FOOTFALL_DATABASE_URL": f"postgresql://footfall@127.0.0.1:{server.port}/footfall",
        "FOOTFALL_FIRST_API_KEY": KEY,
    }
    command = [*COMMAND, "migrate"]
    own = Service(data_dir, environment=environment).process_environment
    refused = subprocess.run(command, env=own, capture_output=True, text=True, check=False, timeout=LONG)

    environment["PGPASSFILE"] = str(passwords)
    Service(data_dir, environment=environment).run("migrate")
    with running(data_dir, environment=environment, is_forked=False) as service:
        tracked = service.send("POST", "/api/track", {"site_id": "1", "hostname": "localhost"}, key=KEY)
        report = service.get("/api/sites/1/overview", key=KEY)
        findings = {one["subject"]: one["healthy"] for one in service.administer("doctor")}
        output = service.output()

    assert refused.returncode == 1
    assert tracked == (200, {"success": True})
    assert report[0] == 200
    assert [findings[name] for name in ("store", "rights", "schema")] == [True, True, True]
    assert PASSWORD not in output + refused.stderr
