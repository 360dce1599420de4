"""Databases of Matomo: which are opened and for whom, and what an import stores of one."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from footfall.adapters.sources.matomo.source import open_database
from footfall.application.ports.imports import LeftOut, UnreadableSource
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.report_query import ReportQuery
from tests.commands import commands
from tests.integration.sources.matomo_store import (
    IS_PAGE,
    OF_OTHER,
    OF_SITE,
    SCHEMA,
    WITH_NAMES,
    read,
    statements_of,
)
from tests.servers.mail_server import make_certificate
from tests.snippets import ROOT, snippets_of

pytestmark = pytest.mark.needs("mariadbd")

PASSWORD = "geheim"


@pytest.fixture
def footfall(database_url, tmp_path):
    run = commands({"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / "data")})
    run("init", "--organization", "O", "--site", "Shop", "--domain", "shop.example")
    return run


def test_a_site_is_chosen_by_its_number(server, database, change):
    with pytest.raises(UnreadableSource, match=r"has 2 sites.*--source-site: 1 \(Shop & Co\), 2 \(Blog\)"):
        open_database(server.url(database), None)
    with pytest.raises(UnreadableSource, match="at localhost has no site 9"):
        open_database(server.url(database), "9")
    with pytest.raises(UnreadableSource, match="a site of the source is named by its number"):
        open_database(server.url(database), "Shop")
    assert open_database(server.url(database), "2").total() == OF_OTHER
    change("delete from site where idsite = 2")
    assert open_database(server.url(database), None).total() == OF_SITE


def test_sites_of_one_number_are_told_apart_by_when_they_were_made(server, database, change):
    key = open_database(server.url(database), "1").key
    change("update site set ts_created = '2017-05-05 10:00:00' where idsite = 1")
    other = open_database(server.url(database), "1").key
    change("update site set ts_created = null where idsite = 1")

    assert len({key, other, open_database(server.url(database), "1").key}) == 3


def test_the_prefix_of_the_tables_is_found_or_named(server, database, change):
    tables = [name for (name,) in change("show tables")]
    change(*(f"rename table {name} to `odd``%_{name}`" for name in tables))
    url = server.url(database)

    assert open_database(url, "1").total() == OF_SITE
    assert len(read(open_database(url + "&prefix=odd%60%25_", "1"))) == OF_SITE
    change(*statements_of(SCHEMA.replace("create table ", "create table b_")))
    with pytest.raises(
        UnreadableSource, match="the tables of 2 installations: name one in the URL, prefix=b_"
    ):
        open_database(url, "1")
    with pytest.raises(UnreadableSource, match="has no table c_log_link_visit_action, or its user may not"):
        open_database(url + "&prefix=c_", "1")
    with pytest.raises(UnreadableSource, match="the source has no site"):
        open_database(url + "&prefix=b_", None)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "alter table log_link_visit_action change pageview_position interaction_position smallint unsigned",
            "is of a version before Matomo 4: update Matomo first",
        ),
        (
            "alter table log_visit drop visit_first_action_time",
            "log_visit of .* has no column visit_first_action_time",
        ),
        ("drop table log_action", "has no table log_action, or its user may not read it"),
        (
            "drop table log_link_visit_action",
            "has no table log_link_visit_action, or its user may not read it",
        ),
    ],
)
def test_another_schema_is_refused_by_what_it_lacks(server, database, change, statement, message):
    change(statement)

    with pytest.raises(UnreadableSource, match=message):
        open_database(server.url(database), "1")


def test_the_user_of_the_documentation_may_read_all_that_is_read(server, change, footfall, monkeypatch):
    tables = [name for (name,) in change("show tables")]
    change("drop database if exists matomo", "create database matomo")
    change(*(f"create table matomo.matomo_{name} as select * from {name}" for name in tables))
    page = ROOT / "docs/track/imports/matomo.md"
    [grants] = [snippet.code for snippet in snippets_of(page) if snippet.language == "sql"]
    server.run(*statements_of(grants))
    monkeypatch.setenv("MYSQL_PWD", "PASSWORD")

    url = f"mysql://footfall_import@127.0.0.1:{server.port}/matomo"
    done = footfall("import", "1", url, "--source-site", "1", "--json")

    assert done["read"] == OF_SITE


def test_users_are_refused_by_what_they_lack(server, database):
    tables = ("goal", "site", "log_action", "log_conversion", "log_link_visit_action", "log_visit")
    server.run(
        f"create user {database}_reader identified by '{PASSWORD}'",
        f"grant select on {database}.log_visit to {database}_reader",
    )
    url = f"mysql://{database}_reader:{PASSWORD}@127.0.0.1:{server.port}/{database}"

    with pytest.raises(UnreadableSource, match="no table log_link_visit_action, or its user may not") as few:
        open_database(url, "1")
    server.run(*(f"grant select on {database}.{table} to {database}_reader" for table in tables))
    assert len(read(open_database(url, "1"))) == OF_SITE
    with pytest.raises(
        UnreadableSource, match="cannot be read: it refuses the user or the password"
    ) as wrong:
        open_database(url.replace(PASSWORD, "falsch"), "1")
    with pytest.raises(
        UnreadableSource, match="cannot be read: its user may not read this database"
    ) as other:
        open_database(url.removesuffix(database) + "mysql", "1")
    with pytest.raises(UnreadableSource, match="cannot be read: it has no database of this name"):
        open_database(server.url("nowhere"), "1")
    assert not {PASSWORD, "falsch", f"{database}_reader"} & set(
        f"{few.value} {wrong.value} {other.value}".replace("'", " ").split()
    )


def test_a_certificate_is_checked_where_its_authority_is_named(server, database, tmp_path):
    server.run("create or replace user encrypted require ssl", "grant select on *.* to encrypted")
    other, _ = make_certificate(tmp_path)
    url = f"mysql://encrypted@localhost:{server.port}/{database}"

    assert open_database(url, "1").total() == OF_SITE
    assert open_database(f"{url}?ssl_ca={server.certificate}", "1").total() == OF_SITE
    with pytest.raises(
        UnreadableSource, match="cannot be read: the server has no certificate of this authority and name"
    ):
        open_database(f"{url}?ssl_ca={other}", "1")
    (tmp_path / "empty.pem").touch()
    for name in ("none.pem", "empty.pem", "."):
        with pytest.raises(UnreadableSource, match="cannot be read: ssl_ca names no file with certificates"):
            open_database(f"{url}?ssl_ca={tmp_path / name}", "1")


def test_the_command_imports_a_database_once_and_verifies_it(server, database, footfall):
    arguments = ("import", "1", server.url(database), "--source-site", "1")

    first = footfall(*arguments, "--json")
    again = footfall(*arguments, "--json")
    verified = footfall(*arguments, "--verify", "--json")

    assert (first["read"], again["read"]) == (OF_SITE, 0)
    assert {(row["leftOut"], row["type"]) for row in first["ledger"] if row["leftOut"]} == {
        (LeftOut.NO_NAME, "custom_event"),
        (LeftOut.NOT_CARRIED, "content"),
        (LeftOut.NOT_CARRIED, "conversion"),
    }
    assert {line["difference"] for line in verified["pageviews"]} == {0}
    assert verified["notImported"] == []


def test_a_refusal_is_one_line_without_the_password(server, footfall):
    url = f"mysql://nobody:{PASSWORD}@127.0.0.1:{server.port}/matomo"

    text = footfall("import", "1", url, status=1)

    assert text.count("\n") == 1
    assert "it refuses the user or the password" in text
    assert PASSWORD not in text


async def test_reports_count_what_matomo_holds(server, database, footfall, stored):
    await asyncio.to_thread(footfall, "import", "1", server.url(database), "--source-site", "1")
    while await stored.projector.catch_up():
        continue
    start = datetime(2019, 12, 30, tzinfo=UTC)
    period = Period(start, start + timedelta(days=7))

    traffic = await stored.traffic.overview(1, ReportQuery(period))
    countries = await stored.reports.breakdowns.break_down(
        1, "country", ReportQuery(period), Page(1, 10), visitors=True
    )

    [held] = server.run(
        f"select count(if({IS_PAGE}, 1, null)), count(distinct coalesce(v.idvisitor, a.idvisitor))"
        f" from log_link_visit_action as a left join log_visit as v using (idvisit) {WITH_NAMES}"
        " where a.idsite = 1 and idaction_content_name is null",
        database=database,
    )
    assert (traffic.pageviews, traffic.visitors) == held
    of_countries = server.run(
        "select upper(location_country), count(distinct v.idvisitor) from log_visit v"
        " join log_link_visit_action a using (idvisit) where a.idsite = 1 and idaction_content_name is null"
        " and location_country in ('de', 'us') group by 1 order by 1",
        database=database,
    )
    found = {row.value: row.visitors for row in countries.rows}
    assert [(code, found[code]) for code, _ in of_countries] == of_countries
