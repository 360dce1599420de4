"""Which program of PostgreSQL makes and restores a backup, and what it is told."""

from pathlib import Path

import pytest

from footfall.adapters.backup.programs import Program, Target, to_dump, to_restore
from footfall.adapters.backup.refusal import BackupRefused


def programs(*majors):
    return [Program(Path(f"/bin/{major}"), major) for major in majors]


@pytest.mark.parametrize(
    ("there", "server", "chosen"), [((18, 15), 15, 15), ((18, 16), 15, 16), ((18,), 17, 18)]
)
def test_the_program_nearest_to_the_server_dumps(there, server, chosen):
    assert to_dump(programs(*there), server).major == chosen


@pytest.mark.parametrize(
    ("there", "server", "dumped_by", "chosen"),
    [((18, 15), 15, 15, 15), ((18, 15), 18, 15, 18), ((18, 17), 17, 15, 17), ((15, 16, 17), 15, 16, 16)],
)
def test_a_program_restores_that_both_the_dump_and_the_server_take(there, server, dumped_by, chosen):
    assert to_restore(programs(*there), server, dumped_by).major == chosen


@pytest.mark.parametrize(
    ("there", "server", "dumped_by", "reason"),
    [
        ((), 18, 18, "takes pg_restore 18 or later on the PATH: none is installed"),
        ((15,), 18, 15, "takes pg_restore 18 or later on the PATH: /bin/15 is version 15"),
        ((18,), 15, 15, "takes pg_restore 15 to 16 on the PATH"),
        ((15, 18), 15, 18, "which PostgreSQL 15 does not take: restore it to PostgreSQL 17 or later"),
    ],
)
def test_what_cannot_be_restored_is_refused_with_what_helps(there, server, dumped_by, reason):
    with pytest.raises(BackupRefused, match=reason):
        to_restore(programs(*there), server, dumped_by)


def test_programs_go_to_the_host_of_the_snapshot_with_all_that_the_url_says():
    url = (
        "postgresql://app:pass%20word@one:1,two:2/store?target_session_attrs=read-write&hostaddr=10.0.0.1,10.0.0.2"
        "&sslmode=verify-full&options=-c%20search_path%3Down&keepalives_idle=9"
    )

    target = Target.of(url, host="two", port=2, database="store")

    told = {name: target.environment.get(name) for name in ("PGHOST", "PGPORT", "PGUSER", "PGPASSWORD")}
    assert told == {"PGHOST": "two", "PGPORT": "2", "PGUSER": "app", "PGPASSWORD": "pass word"}
    assert (target.environment["PGSSLMODE"], target.environment["PGOPTIONS"]) == (
        "verify-full",
        "-c search_path=own",
    )
    assert "PGHOSTADDR" not in target.environment
    assert target.database == "dbname=store keepalives_idle=9"
    assert "pass word" not in repr(target)


def test_a_secret_that_no_variable_takes_is_refused_without_being_quoted():
    with pytest.raises(BackupRefused, match="cannot be given sslpassword") as refused:
        Target.of("postgresql://app@one/store?sslpassword=hidden", host="one", port=1, database="store")

    assert "hidden" not in str(refused.value)
