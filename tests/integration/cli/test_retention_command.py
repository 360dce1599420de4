"""`footfall retention` says what would go, and does it when told to."""

from datetime import date, datetime, timedelta

import psycopg
import pytest

from footfall.domain.periods.instant_text import instant_text


@pytest.fixture
def site(answered):
    return str(answered("demo", "--days", "12")["siteId"])


def hits(url):
    with psycopg.connect(url) as connection:
        return connection.execute("select count(*), min(occurred_at)::text from hit").fetchone()


def test_without_apply_nothing_changes(answered, site, database_url):
    before = hits(database_url)

    [row] = answered("retention", "--site", site, "--days", "5")

    assert row["days"] == 5
    assert 0 < row["eventsToErase"] < before[0]
    assert hits(database_url) == before
    [unchanged] = answered("retention")
    assert (unchanged["days"], unchanged["eventsToErase"]) == (None, 0)


def test_with_apply_the_setting_is_kept_and_what_is_too_old_goes(answered, site, database_url):
    before = hits(database_url)

    [row] = answered("retention", "--site", site, "--days", "5", "--apply")

    # No service runs that would have projected the hits. A session that reaches over midnight is kept as a whole.
    left, day = hits(database_url), date.fromisoformat(row["keptSince"][:10])
    assert before[0] - row["eventsToErase"] <= left[0] < before[0] - row["eventsToErase"] + 100
    assert date.fromisoformat(left[1][:10]) >= day - timedelta(days=1)
    [again] = answered("retention")
    assert again["days"] == 5
    assert again["dataSince"] == instant_text(datetime.fromisoformat(left[1]))
    assert answered("history", f"site-{site}")[-1]["type"] == "retention-set"


def test_forever_removes_a_retention_setting(answered, site):
    answered("retention", "--site", site, "--days", "5", "--apply")

    answered("retention", "--site", site, "--forever", "--apply")

    assert answered("retention", "--site", site)[0]["days"] is None


@pytest.mark.parametrize(
    "arguments",
    [
        ("--days", "3"),
        ("--forever",),
        ("--site", "1", "--days", "3", "--forever"),
        ("--site", "1", "--days", "0"),
    ],
)
def test_wrong_usage_is_refused(footfall_without_store, arguments):
    assert footfall_without_store("retention", *arguments).exit_code == 2
