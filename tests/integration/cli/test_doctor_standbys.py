"""`footfall doctor` says which server answers, and which standbys confirm its commits."""

import pytest

from footfall.adapters.postgres.database.migration import migrate
from footfall.entrypoints.cli.maintenance.doctor import diagnose
from tests.servers.replication import replicating
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def pair():
    with replicating() as pair:
        migrate(pair.primary.url)
        yield pair


def findings(url, tmp_path):
    found = diagnose({"FOOTFALL_DATABASE_URL": url, "FOOTFALL_DATA_DIR": str(tmp_path)})
    return {one.subject: (one.healthy, one.detail) for one in found if one.subject in {"server", "standbys"}}


def test_of_several_hosts_the_primary_is_named_and_the_standby_that_confirms(pair, tmp_path):
    found = findings(pair.url, tmp_path)

    assert found["server"] == (True, f"127.0.0.1:{pair.primary.port}, a primary")
    assert found["standbys"] == (True, "acknowledged events are also on the disk of 1 of standby (on)")


def test_a_standby_alone_is_a_fault(pair, tmp_path):
    healthy, detail = findings(pair.standby.url, tmp_path)["server"]

    assert not healthy
    assert f"127.0.0.1:{pair.standby.port} is a standby" in detail


def test_a_role_without_the_right_to_see_standbys_is_told_which_right(pair, tmp_path):
    pair.primary.execute("create role guest login")

    healthy, detail = findings(pair.url.replace("postgres@", "guest@"), tmp_path)["standbys"]

    assert healthy
    assert "grant pg_read_all_stats" in detail


def test_a_standby_that_only_receives_is_not_said_to_have_it_on_its_disk(pair, tmp_path):
    pair.primary.execute("alter role postgres set synchronous_commit = 'remote_write'")

    healthy, detail = findings(pair.url, tmp_path)["standbys"]

    pair.primary.execute("alter role postgres reset synchronous_commit")
    assert healthy
    assert detail == "acknowledged events are also in the memory of 1 of standby (remote_write)"


def test_missing_standbys_are_a_fault(pair, tmp_path):
    asked_for = "FIRST 2 (standby, another)"
    pair.primary.execute(f"alter system set synchronous_standby_names = '{asked_for}'")
    pair.primary.execute("select pg_reload_conf()")
    wait_until(lambda: pair.primary.execute("show synchronous_standby_names") == [(asked_for,)])

    healthy, detail = findings(pair.url, tmp_path)["standbys"]

    assert not healthy
    assert "1 of 2 attached: events are answered with 503" in detail


def test_without_synchronous_standbys_the_one_disk_is_named(pair, tmp_path):
    pair.primary.execute("alter system set synchronous_standby_names = ''")
    pair.primary.execute("select pg_reload_conf()")
    wait_until(lambda: pair.primary.execute("show synchronous_standby_names") == [("",)])

    found = findings(pair.url, tmp_path)["standbys"]

    assert found == (True, "1 attached, none confirms commits: acknowledged events are on one disk")
