"""Explanations of differences: the parts add up, and PostgreSQL has those of the oracle over both logs."""

from datetime import timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.application.access.readers import Reader
from footfall.application.citations.answer_states import Answers
from footfall.application.citations.changes import Changes
from footfall.application.journal.directory import Directory
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import (
    annotations_stream,
    error_groups_stream,
    goal_stream,
    site_stream,
)
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.application.reports.catalogue.breakdowns import (
    BreakdownInquiry,
    PagesInquiry,
    WebVitalsInquiry,
    movers_inquiry,
)
from footfall.application.reports.catalogue.error_groups import ErrorGroupsInquiry, error_costs_inquiry
from footfall.application.reports.catalogue.errors import ErrorNamesInquiry
from footfall.application.reports.catalogue.funnels import FunnelInquiry
from footfall.application.reports.catalogue.goals import GoalsInquiry
from footfall.application.reports.catalogue.inquiry import figures_of
from footfall.application.reports.catalogue.journeys import JourneysInquiry
from footfall.application.reports.catalogue.traffic import OverviewInquiry
from footfall.application.reports.error_costs import unchanged_goal
from footfall.domain.annotations.annotations import AnnotationAdded
from footfall.domain.citations.positions import Positions
from footfall.domain.error_tracking.decisions import ErrorDecisions, apply, merge
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails
from footfall.domain.event_stream import fold
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import GoalDefined, GoalDeleted, GoalRedefined, PathRule
from footfall.domain.journeys.journey import JourneyQuery
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.sites import site
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions
from tests.conditions import RULES
from tests.contract.reports.test_arrivals import arrived, store
from tests.contract.reports.test_past_reports import ANY_LOG, ANY_PERIOD, UTC
from tests.generated import examples
from tests.histories import MESSAGES, NAMES, SITE, START, STEPS
from tests.stores.stored import METADATA

ASKER = Asker.of("1", belongs=True)
READER = Reader(SITE, belongs=True)

# What is decided about a goal, in its place among the hits: defined, given another rule, or deleted.
_DECISIONS = st.lists(st.none() | RULES, max_size=4)
GROUPS = sorted({fingerprint(name, ErrorDetails(message=message)) for name in NAMES for message in MESSAGES})
# The times of deploys, and which groups of errors become part of which.
_ABOUT_COSTS = st.lists(
    st.sampled_from(STEPS)
    | st.tuples(st.sampled_from(GROUPS), st.lists(st.sampled_from(GROUPS), min_size=1, max_size=2)),
    max_size=3,
)
REPORTS = (
    *(
        "overview",
        "goals",
        "breakdown",
        "movers",
        "lens",
        "pages",
        "vitals",
        "errors",
        "groups",
        "funnel",
        "journeys",
    ),
)


@examples(60)
@given(
    log=ANY_LOG,
    cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
    decisions=_DECISIONS,
    known=st.integers(0, 4),
    seed=st.integers(),
    period=ANY_PERIOD,
    filters=st.lists(conditions.any_filters(), max_size=1),
    report=st.sampled_from(REPORTS),
)
async def test_an_explanation_is_that_of_the_oracle_and_adds_up(
    stored, log, cuts, decisions, known, seed, period, filters, report
):
    await stored.empty()
    log, imported = arrived(log, seed)
    journal = PostgresEventStore(stored.connections, Listener(stored.url), EventCodec())
    for one in (journal, stored.journal):
        await _decide(one, decisions)
    await store(stored, log, imported, seed)
    since, until = [log[min(int(cut * len(log)), len(log) - 1)].position for cut in cuts]
    last = len(stored.journal.events)
    ends = [
        Positions(SITE, START, min(2 + known, last), since),
        Positions(SITE, START, last, until),
    ]
    inquire = _inquirer(report, ReportQuery(period, filters))
    oracle = await _answers(MemoryReportSnapshots(stored.log, stored.journal), stored.journal, stored.log)

    found = await Changes(await _answers(stored.snapshots(), journal, stored.log), ASKER).explain(
        *ends, inquire
    )

    assert found == await Changes(oracle, ASKER).explain(*ends, inquire)
    await _expect_sums(found, oracle, ends, inquire)


@examples(60)
@given(
    log=ANY_LOG,
    cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
    rule=RULES,
    decisions=_ABOUT_COSTS,
    seed=st.integers(),
    period=ANY_PERIOD,
    filters=st.lists(conditions.filters(), max_size=1),
    group=st.none() | st.sampled_from(GROUPS),
)
async def test_an_explanation_of_costs_of_errors_is_that_of_the_oracle_and_adds_up(
    stored, log, cuts, rule, decisions, seed, period, filters, group
):
    await stored.empty()
    log, imported = arrived(log, seed)
    journal = PostgresEventStore(stored.connections, Listener(stored.url), EventCodec())
    for one in (journal, stored.journal):
        await _decide(one, [rule])
        await _decide_on_errors(one, decisions)
    await store(stored, log, imported, seed)
    since, until = [log[min(int(cut * len(log)), len(log) - 1)].position for cut in cuts]
    last = len(stored.journal.events)
    ends = [Positions(SITE, START, min(3 + seed % 4, last), since), Positions(SITE, START, last, until)]
    oracle = await _answers(MemoryReportSnapshots(stored.log, stored.journal), stored.journal, stored.log)

    def inquire(directory):
        query = ReportQuery(period, filters)
        goal = unchanged_goal(directory, oracle.directory, SITE, 1)
        return error_costs_inquiry(query, goal, directory, READER, START, group)

    found = await Changes(await _answers(stored.snapshots(), journal, stored.log), ASKER).explain(
        *ends, inquire
    )

    assert found == await Changes(oracle, ASKER).explain(*ends, inquire)
    await _expect_sums(found, oracle, ends, inquire)


async def _expect_sums(found, oracle, ends, inquire):
    """Expect the parts to add up to the differences of the answers at both ends."""
    before, after = [await _figures(oracle, end, inquire) for end in ends]
    explained = {row.key: row for row in found.rows}
    for key in before.keys() | after.keys():
        difference = _difference(before.get(key, {}), after.get(key, {}))
        # A state in between may have figures that neither answer has, whose parts add up to nothing.
        sums = _sums(explained[key]) if key in explained else {}
        assert {name: number for name, number in sums.items() if number} == {
            name: number for name, number in difference.items() if number
        }


async def _decide(journal, decisions):
    """Register a site with settings, and let a goal live through some decisions, each with a rule or its end."""
    registered = site.register(
        SITE, public_id="a", organization_id="1", name="A", domain="example.com", created_by="1"
    )
    configured = site.SiteConfigured(ConfigChanges(block_bots=False))
    await journal.append(site_stream(SITE), [*registered, configured], expected=0, metadata=METADATA)
    number, version = 1, 0
    for rule in decisions:
        if rule is None:
            event = GoalDeleted()
        elif version == 0:
            event = GoalDefined(number, SITE, "Goal", rule)
        else:
            event = GoalRedefined("Goal", rule)
        if version or rule is not None:
            await journal.append(goal_stream(number), [event], expected=version, metadata=METADATA)
            version += 1
        if rule is None:
            number, version = number + 1, 0


async def _decide_on_errors(journal, decisions):
    """Merge groups of errors, and mark deploys."""
    merged = None
    for number, decision in enumerate(decisions):
        if isinstance(decision, timedelta):
            events, stream = (
                [AnnotationAdded(f"{number}", START + decision, "", "1.0", None)],
                annotations_stream(SITE),
            )
        else:
            events, stream = merge(merged, *decision), error_groups_stream(SITE)
            merged = fold(apply, events, merged)
        version = len(await journal.load(stream))
        await journal.append(stream, events, expected=version, metadata=METADATA)


def _inquirer(report, query):
    def inquire(directory):
        goals = directory.goals_of(SITE)
        return {
            "overview": OverviewInquiry(query),
            "goals": GoalsInquiry(query, goals),
            "breakdown": BreakdownInquiry(query, "country", visitors=True),
            "movers": movers_inquiry(_window(query.period), query.filters, "country"),
            "lens": BreakdownInquiry(query, "pathname", goal=goals[0].query if goals else None),
            "pages": PagesInquiry(query),
            "vitals": WebVitalsInquiry(query),
            "errors": ErrorNamesInquiry(query, ErrorDecisions(), START),
            "groups": ErrorGroupsInquiry(query, ErrorDecisions(), START, READER),
            "journeys": JourneysInquiry(query, JourneyQuery(rule=goals[0].goal.rule if goals else None)),
            "funnel": FunnelInquiry(
                query, FunnelSteps((PathRule("/*"), goals[0].goal.rule if goals else PathRule("/blog*")))
            ),
        }[report]

    return inquire


def _window(period):
    return ReportPeriod(period, period.just_before(), UTC)


async def _answers(snapshots, journal, log):
    directory = Directory(journal)
    await directory.catch_up()
    return Answers(snapshots=snapshots, freshness=MemoryReports(log), directory=directory, events=journal)


async def _figures(answers, positions, inquire):
    inquiry = inquire(await answers.directory_at(positions))
    question = PastQuestion(positions=positions, span=inquiry.query.period)
    async with answers.past(question, asker=ASKER) as answer:
        return figures_of(inquiry.table(await inquiry.ask(answer.reports, SITE)), inquiry.keys)


def _difference(before, after):
    return {name: _exact(after.get(name)) - _exact(before.get(name)) for name in before.keys() | after.keys()}


def _sums(row):
    return {name: sum((_exact(part[name]) for part in row.parts), Decimal(0)) for name in row.after}


def _exact(number):
    return Decimal(str(number or 0))
