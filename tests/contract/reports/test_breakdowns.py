"""Breakdowns: what fresh rows answer is what the functions of the domain say of the same log."""

from datetime import timedelta

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import DIMENSIONS, OUTBOUND
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.generated import examples
from tests.histories import KEYED, SITE, START
from tests.stores.stored import catch_up

unhurried = examples(60)
filters = st.lists(conditions.filters(), max_size=1)
pages = st.builds(Page, st.integers(1, 3), st.integers(1, 5))
# Texts of the histories and parts of them, in other letters too.
TEXTS = ["", "/", "DE", "de", "ORG/1", "mail", "HOME", "Home", "/blog", "/BLOG/1", "desktop", "%", "_", "'"]
choices = st.builds(RowChoice, containing=st.sampled_from(TEXTS)) | st.builds(
    RowChoice, among=st.lists(st.sampled_from(TEXTS), max_size=4).map(tuple)
)
kinds = st.fixed_dictionaries({"visitors": st.booleans(), "choice": choices})

REFERRERS = ["https://WWW.a.org/x?y#z", "https://", "://://a", "www.", "a://www.w?#/", "/a", "x" * 2048]


@unhurried
@given(
    log=histories.histories(max_size=40),
    by=st.sampled_from([*DIMENSIONS, OUTBOUND, *KEYED]),
    period=histories.periods(),
    page=pages,
    filters=filters,
    kind=kinds,
)
async def test_a_breakdown_is_that_of_the_domain(stored, log, by, period, page, filters, kind):
    await _store(stored, [_clicking(one) for one in log])
    asked = (SITE, by, ReportQuery(period, filters), page)

    found = await stored.reports.breakdowns.break_down(*asked, **kind)

    assert found == await MemoryBreakdowns(stored.log).break_down(*asked, **kind)


@unhurried
@given(
    log=histories.histories(max_size=40),
    period=histories.periods(),
    page=pages,
    filters=filters,
    containing=st.sampled_from(TEXTS),
)
async def test_web_vitals_are_those_of_the_domain(stored, log, period, page, filters, containing):
    await _store(stored, [_measured(one) for one in log])
    asked, choice = (SITE, ReportQuery(period, filters), page), RowChoice(containing=containing)

    found = await stored.reports.breakdowns.web_vitals(*asked, choice=choice)

    assert found == await MemoryBreakdowns(stored.log).web_vitals(*asked, choice=choice)


@unhurried
@given(
    log=histories.histories(max_size=40),
    period=histories.periods(),
    page=pages,
    filters=filters,
    containing=st.sampled_from(TEXTS),
)
async def test_pages_are_those_of_the_domain(stored, log, period, page, filters, containing):
    await _store(stored, log)
    asked, choice = (SITE, ReportQuery(period, filters), page), RowChoice(containing=containing)

    found = await stored.reports.breakdowns.pages(*asked, choice=choice)

    assert found == await MemoryBreakdowns(stored.log).pages(*asked, choice=choice)


@unhurried
@given(st.lists(st.text("aW.w:/?#@ÜK[]\u0130", max_size=24) | st.sampled_from(REFERRERS), max_size=6))
async def test_hosts_of_referrers_are_those_of_the_domain(stored, referrers):
    hits = [histories.hit(visitor_id=place, referrer=one) for place, one in enumerate(referrers)]
    log = histories.record(*hits)
    await _store(stored, log)
    asked = (SITE, "referrer_host", ReportQuery(Period(START, START + timedelta(days=2))), Page(1, 9))

    found = await stored.reports.breakdowns.break_down(*asked)

    assert found == await MemoryBreakdowns(stored.log).break_down(*asked)


async def _store(stored, log):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)


def _clicking(recorded):
    if recorded.hit.type is not HitType.OUTBOUND:
        return recorded
    url = f"https://example.org/{recorded.position % 3}"
    return evolve(recorded, hit=evolve(recorded.hit, properties={"url": url}))


def _measured(recorded):
    """Give most hits some measures: that they are of another type must not matter to who asks for vitals."""
    number = recorded.position * 37 % 11
    kind = HitType.PERFORMANCE if number % 3 else recorded.hit.type
    measures = {"lcp": number * 100.5, "cls": number / 10 if number % 2 else None, "inp": 0.0}
    return evolve(recorded, hit=evolve(recorded.hit, type=kind, **measures))
