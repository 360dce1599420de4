"""Erasures since a backup, which its restore does again."""

import json
import shutil

import psycopg
import pytest

from tests.histories import hit
from tests.integration.cli.backups.conftest import DAY, NOW, WITH_PHRASE, rows
from tests.integration.cli.test_visitor_command import store_hits


@pytest.fixture
def erased(answered, made, site, data_dir):
    """The list of erasures, after anna was erased since the backup."""
    assert made.exists()
    answered("visitor", "erase", site, "--user-id", "anna", "--yes")
    return data_dir / "erasures.log"


def test_an_older_backup_loses_again_what_was_erased_since(
    erased, made, restored, new_home, database_url, empty_database_url, site
):
    document = restored(made, "--erasures", erased)

    assert (document["visitorsErased"], document["sitesErased"]) == (1, 0)
    query = "select user_id from hit order by position"
    assert rows(empty_database_url, query) == rows(database_url, query) == [("bob",), (None,)]
    [erasure] = json.loads(new_home("visitor", "erasures", site, "--json").stdout)
    assert (erasure["step"], erasure["certificate"]["proven"]) == ("finished", True)
    assert new_home("projections", "rebuild", "--verify").exit_code == 0


@pytest.mark.slow
def test_a_site_that_was_deleted_since_goes_again(
    answered, running, database_url, restored, empty_database_url, data_dir, tmp_path
):
    other = answered("site", "create", "--organization", "1", "--name", "Old", "--domain", "old.example")[
        "siteId"
    ]
    store_hits(database_url, hit(NOW - DAY, site_id=other, pathname="/gone"))
    running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE)
    assert running("site", "delete", other, "--yes").exit_code == 0
    # The list is brought up to date by each backup, as by the service.
    assert running("backup", tmp_path / "later", "--with-secret", env=WITH_PHRASE).exit_code == 0

    document = restored(tmp_path / "backup", "--erasures", tmp_path / "later" / "erasures.log")

    assert document["sitesErased"] == 1
    assert rows(empty_database_url, f"select from hit where site_id = {other}") == []
    assert len(rows(empty_database_url, "select from hit")) == 4
    assert (tmp_path / "home" / "erasures.log").read_bytes() == (data_dir / "erasures.log").read_bytes()


@pytest.mark.slow
def test_a_later_event_of_an_erased_visitor_stays_in_a_later_backup(
    erased, footfall, database_url, site, restored, empty_database_url, tmp_path
):
    store_hits(database_url, hit(NOW, site_id=site, user_id="anna", pathname="/again"), source="another")
    footfall("backup", tmp_path / "later", "--with-secret", env=WITH_PHRASE)

    document = restored(tmp_path / "later", "--erasures", erased)

    assert document["visitorsErased"] == 0
    assert rows(empty_database_url, "select pathname from hit where user_id = 'anna'") == [("/again",)]


def again(new_home, empty_database_url, tmp_path, *arguments):
    """Back the new home up, and restore that to an emptied place."""
    result = new_home("backup", tmp_path / "again", "--with-secret", env=WITH_PHRASE)
    assert result.exit_code == 0, result.output
    shutil.rmtree(tmp_path / "home")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    result = new_home("restore", tmp_path / "again", *arguments, "--json", env=WITH_PHRASE)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.slow
def test_a_new_site_is_never_taken_for_one_that_was_deleted_in_another_past(
    answered, running, made, restored, new_home, empty_database_url, data_dir, tmp_path
):
    gone = answered("site", "create", "--organization", "1", "--name", "Gone", "--domain", "gone.example")
    assert running("site", "delete", gone["siteId"], "--yes").exit_code == 0
    assert running("backup", tmp_path / "later", "--with-secret", env=WITH_PHRASE).exit_code == 0
    assert restored(made, "--erasures", data_dir / "erasures.log")["sitesErased"] == 0
    new = ("site", "create", "--organization", "1", "--name", "New", "--domain", "new.example", "--json")
    site = json.loads(new_home(*new).stdout)["siteId"]
    shutil.copy(tmp_path / "home" / "erasures.log", tmp_path / "list")

    document = again(new_home, empty_database_url, tmp_path, "--erasures", tmp_path / "list")

    assert (site, document["sitesErased"]) == (gone["siteId"] + 1, 0)
    assert str(site) in new_home("site", "list", "--organization", "1").stdout


@pytest.mark.slow
def test_events_that_came_after_a_restore_are_no_part_of_an_erasure_before_it(
    answered, running, site, restored, new_home, database_url, empty_database_url, data_dir, tmp_path
):
    assert running("backup", tmp_path / "before", "--with-secret", env=WITH_PHRASE).exit_code == 0
    store_hits(database_url, hit(NOW, site_id=site, user_id="zoe"), source="another")
    answered("visitor", "erase", site, "--user-id", "zoe", "--yes")
    assert restored(tmp_path / "before", "--erasures", data_dir / "erasures.log")["visitorsErased"] == 0
    store_hits(empty_database_url, hit(NOW, site_id=site, user_id="zoe", pathname="/again"), source="another")
    shutil.copy(tmp_path / "home" / "erasures.log", tmp_path / "list")

    document = again(new_home, empty_database_url, tmp_path, "--erasures", tmp_path / "list")

    assert document["visitorsErased"] == 0
    assert rows(empty_database_url, "select pathname from hit where user_id = 'zoe'") == [("/again",)]


@pytest.mark.slow
def test_a_list_that_does_not_fit_is_refused(erased, made, refused, footfall, tmp_path):
    assert "what was erased since the backup would come back" in refused(made)
    assert "No such file" in refused(made, "--erasures", tmp_path / "none")
    (tmp_path / "damaged").write_text("x\n")
    assert "is no list of erasures, or damaged" in refused(made, "--erasures", tmp_path / "damaged")
    (tmp_path / "another").write_text('{"secret": "of another server"}\n')
    assert "does not go on from the list of the backup" in refused(made, "--erasures", tmp_path / "another")
    footfall("backup", tmp_path / "later", "--with-secret", env=WITH_PHRASE)
    assert "does not go on" in refused(tmp_path / "later", "--erasures", made / "erasures.log")
    kept = erased.read_text()
    (tmp_path / "keyed").write_text(
        kept.splitlines()[0] + '\n{"secret": "a later one"}\n' + kept.splitlines()[1] + "\n"
    )
    assert "made with another secret" in refused(made, "--erasures", tmp_path / "keyed")


def test_a_site_goes_again_also_without_the_secret(
    answered, running, new_home, empty_database_url, tmp_path, after_dump
):
    site = answered("site", "create", "--organization", "1", "--name", "Old", "--domain", "old.example")[
        "siteId"
    ]

    def delete():
        assert running("site", "delete", site, "--yes").exit_code == 0
        # As the service does, before the first event of the site goes.
        assert running("visitor", "erase", "1", "--user-id", "bob", "--yes").exit_code == 0

    after_dump(delete)
    assert running("backup", tmp_path / "backup").exit_code == 0

    result = new_home("restore", tmp_path / "backup", "--without-erasures", "--without-secret", "--json")

    assert json.loads(result.stdout)["sitesErased"] == 1
    assert rows(empty_database_url, "select from erasure") != []


def test_an_erasure_that_was_under_way_at_the_backup_is_ended(
    running, site, restored, database_url, empty_database_url, data_dir, tmp_path
):
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "insert into visitor_erasure (erasure, site_id, requested_at, users, visitors, not_found)"
            " values (gen_random_uuid(), %s, %s, '{anna}', '{}', '{}')",
            (site, NOW),
        )
    assert running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE).exit_code == 0

    document = restored(tmp_path / "backup", "--erasures", data_dir / "erasures.log")

    assert document["visitorsErased"] == 1
    assert rows(empty_database_url, "select from hit where user_id = 'anna'") == []
    assert rows(empty_database_url, "select step from visitor_erasure") == [("finished",)]


def test_a_list_in_which_a_line_was_begun_is_backed_up_to_its_last_whole_line(
    running, restored, data_dir, tmp_path, after_dump
):
    def begin_a_line():
        with (data_dir / "erasures.log").open("ab") as file:
            file.write(b'{"visitor": "')

    after_dump(begin_a_line)
    assert running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE).exit_code == 0

    restored(tmp_path / "backup", "--without-erasures")
