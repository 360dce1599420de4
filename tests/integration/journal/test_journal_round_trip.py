"""Every command with extreme values: what it appends is read back, in the journal's own form, or it is refused."""

import asyncio
from datetime import UTC, datetime, timedelta
from inspect import iscoroutinefunction
from operator import attrgetter

import pytest
from attrs import fields
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.adapters.memory.accounts.former_proofs import MemoryFormerProofs
from footfall.adapters.memory.accounts.identities import MemoryIdentities
from footfall.adapters.memory.accounts.invitation_addresses import MemoryInvitationAddresses
from footfall.adapters.memory.accounts.people import MemoryPeople
from footfall.adapters.memory.accounts.sign_in_uses import MemorySignInUses
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.postgres.accounts.registrations import PostgresRegistrations
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.journal.identifiers import PostgresIdentifiers
from footfall.adapters.system import SystemRandomness
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.all_commands import Commands, UserPorts, build_commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.event_codec import EventCodec
from footfall.domain.accounts.organization import Role, SiteLimit
from footfall.domain.alerts.firings import OverReason
from footfall.domain.alerts.judged_windows import Bounds, Judged, Window
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.examples import NOON
from footfall.domain.exceptions import DomainError
from footfall.domain.funnels.funnel import GoalStep, funnel_plan
from footfall.domain.goals.goal import event_rule, path_rule
from footfall.domain.paths.page_groups import GroupRule
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites.configuration import ConfigChanges, ListSetting
from footfall.domain.sites.report_recipients import EndReason
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.sharing.shared_links import LinkTerms, SharedPanel
from footfall.domain.sites.visitor_erasures import VisitorErased
from tests.generated import examples
from tests.no_cells import NoCells

CONTEXT = CommandContext()
AWKWARD = [
    "",
    "\x00",
    "\ud800",
    "\\u0000",
    "ü" * 300,
    "a" * 9_000,
    "😀" * 8_192,
    '"\\',
    "*" * 30,
    "/a/*",
    "10.0.0.0/8",
    "DE",
]
TEXTS = st.sampled_from(AWKWARD) | st.text(st.characters(codec=None), max_size=30)
LANGUAGES = st.none() | st.sampled_from(["de", "pt-BR", "zh-Hant"]) | TEXTS
NUMBERS = st.sampled_from([0, -1, 2**53, 2**53 + 1, 2**63, 2**64, 10**30, 10**309, 10**400]) | st.integers()
DOUBLES = st.floats() | st.sampled_from([1e308, 5e-324, -0.0, 1e16, 0.1])
VALUES = TEXTS | NUMBERS | DOUBLES | st.booleans()
OPTIONAL = {
    name: st.none() | st.booleans() for name in ("public", "salt_user_ids", "block_bots", "web_vitals")
}
CHANGES = st.builds(
    ConfigChanges,
    **OPTIONAL,
    excluded_ips=st.none() | st.lists(TEXTS, max_size=3).map(tuple),
    excluded_countries=st.none() | st.lists(TEXTS, max_size=3).map(tuple),
    excluded_paths=st.none() | st.lists(TEXTS, max_size=3).map(tuple),
    excluded_hosts=st.none() | st.lists(TEXTS, max_size=3).map(tuple),
    excluded_user_agents=st.none() | st.lists(TEXTS, max_size=3).map(tuple),
)
# Made when they are called: a rule that breaks a rule refuses like a command.
RULES = st.tuples(st.just(path_rule), TEXTS) | st.tuples(st.just(event_rule), TEXTS, TEXTS, VALUES)
STEPS = RULES | st.tuples(st.just(GoalStep), st.integers(1, 3))


def funnel(name, steps, days):
    return funnel_plan(name, [make(*parts) for make, *parts in steps], days)


PLANS = st.tuples(st.just(funnel), TEXTS, st.lists(STEPS, max_size=4), st.none() | NUMBERS)
TERMS = st.builds(
    LinkTerms,
    name=TEXTS,
    panels=st.lists(st.sampled_from([*SharedPanel, "visits"])).map(tuple),
    segment=st.none() | st.integers(1, 3),
    ends_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    embed=st.booleans(),
)
CONDITIONS = st.lists(st.builds(Condition, TEXTS, TEXTS, st.lists(TEXTS, max_size=2).map(tuple)), max_size=2)
ALERT_PLANS = st.tuples(
    st.just(lambda known: alert_plan(**known)),
    st.fixed_dictionaries(
        {
            "name": TEXTS,
            "metric": st.sampled_from(AlertMetric),
            "window": st.sampled_from(AlertWindow),
            "condition": st.none() | st.sampled_from(AlertCondition),
            "value": st.none() | NUMBERS.filter(lambda number: abs(number) < 10**300) | DOUBLES,
            "goal_id": st.none() | st.just(1) | st.integers(1, 3),
            "filters": CONDITIONS,
            "targets": st.lists(st.integers(1, 3), max_size=2),
        }
    ),
)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def judged(draw):
    """Draw a window that was judged: its values come from reports."""
    start = datetime.fromtimestamp(draw(st.integers(0, 4_000_000_000)), UTC)
    window = Window(Period(start, start + timedelta(hours=1)), start.replace(tzinfo=None))
    return Judged(window, draw(FINITE), Bounds(draw(st.none() | FINITE), draw(st.none() | FINITE)))


# Operators name cells at the command line, which knows no NUL.
CELLS = st.sampled_from(["west", "main", "", "West", "../x", "é" * 40])
READERS = st.sampled_from([None, "1", "2"])
GROUPS = st.sampled_from(["1-0123456789abcdef", "1-ffffffffffffffff"]) | TEXTS
TIMES = st.none() | st.integers(0, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


def command(method, /, *arguments, **named):
    return st.tuples(st.just(method), st.tuples(*arguments), st.fixed_dictionaries(named))


COMMANDS = st.one_of(
    command(
        "beginning.begin",
        organization_name=TEXTS,
        site_name=TEXTS,
        domain=TEXTS | st.just("example.com"),
        name=st.none() | TEXTS,
        address=st.none() | TEXTS,
        key=st.none() | TEXTS | st.just(f"ff_{'k' * 40}"),
    ),
    command("people.register", name=st.none() | TEXTS, address=st.none() | TEXTS),
    command("people.change", st.just("2"), name=st.none() | TEXTS, address=st.none() | TEXTS),
    command("people.choose_language", st.just("2"), LANGUAGES),
    command("people.verify_address", st.just("2"), TEXTS),
    command("people.forget", st.just("2")),
    command("organizations.register", name=TEXTS, owner=st.just("1")),
    command("organizations.rename", st.just("1"), TEXTS),
    command("organizations.choose_language", st.just("1"), LANGUAGES),
    command("organizations.add_member", st.just("1"), TEXTS, st.sampled_from(Role)),
    command(
        "organizations.change_member",
        st.just("1"),
        st.just("2"),
        role=st.none() | st.sampled_from(Role),
        limit=st.none() | st.builds(SiteLimit, st.none() | st.lists(st.integers(1, 3)).map(tuple)),
    ),
    command(
        "invitations.invite",
        st.just("1"),
        address=TEXTS | st.just("ann@example.com"),
        role=st.sampled_from(Role),
        site_ids=st.none() | st.lists(st.integers(1, 3)),
    ),
    command("invitations.revoke", st.just("1"), NUMBERS),
    command("invitations.accept", st.just("1"), TEXTS, st.just("3")),
    command("organizations.leave", st.just("1"), st.just("2")),
    command("organizations.remove_member", st.just("1"), st.just("2")),
    command(
        "sites.register",
        st.just("1"),
        name=TEXTS,
        domain=TEXTS | st.just("example.com"),
        created_by=st.just("1"),
    ),
    command("sites.configure", st.just(1), CHANGES),
    command("sites.add_entries", st.just(1), st.sampled_from(ListSetting), st.lists(TEXTS, max_size=3)),
    command("sites.remove_entry", st.just(1), st.sampled_from(ListSetting), TEXTS),
    command("sites.rename", st.just(1), name=st.none() | TEXTS, domain=st.none() | TEXTS),
    command("sites.limit_pageviews", st.just(1), st.none() | NUMBERS),
    command("sites.retain", st.just(1), st.none() | NUMBERS),
    command("sites.generate_private_link", st.just(1), digest=TEXTS, sealed=TEXTS),
    command("sites.revoke_private_link", st.just(1)),
    command("sites.issue_user_secret", st.just(1)),
    command("sites.revoke_user_secret", st.just(1)),
    command("aliases.add", st.just(1), TEXTS | st.sampled_from(["Shop.example", "7"])),
    command("aliases.remove", st.just(1), TEXTS | st.sampled_from(["Shop.example", "7"])),
    command("sites.set_currency", st.just(1), TEXTS, TEXTS, st.none() | st.just("EUR") | TEXTS),
    command("annotations.add", st.just(1), at=TIMES, text=st.none() | TEXTS, release=st.none() | TEXTS),
    command(
        "annotations.change", st.just(1), TEXTS, at=TIMES, text=st.none() | TEXTS, release=st.none() | TEXTS
    ),
    command("annotations.remove", st.just(1), TEXTS),
    command("error_groups.merge", st.just(1), GROUPS, st.lists(GROUPS, max_size=3)),
    command("error_groups.separate", st.just(1), GROUPS, st.lists(GROUPS, max_size=3)),
    command("error_groups.resolve", st.just(1), GROUPS),
    command("error_groups.mute", st.just(1), GROUPS, until=TIMES, occurrences=st.none() | NUMBERS),
    command("error_groups.reopen", st.just(1), GROUPS),
    command("error_groups.assign", st.just(1), GROUPS, st.none() | st.just("1") | TEXTS),
    command("error_groups.comment", st.just(1), GROUPS, TEXTS),
    command("error_groups.remove_comment", st.just(1), GROUPS, TEXTS),
    command("cells.add", CELLS, TEXTS),
    command("cells.move", CELLS, TEXTS, TEXTS),
    command("cells.close", CELLS),
    command("cells.reopen", CELLS),
    command("alerts.define", st.just(1), ALERT_PLANS),
    command("alerts.redefine", st.just(1), st.just(1), ALERT_PLANS),
    command("alerts.delete", st.just(1), st.integers(2, 9)),
    command(
        "alerts.add_target", st.just(1), st.sampled_from(TargetKind), TEXTS, st.none() | st.just("1") | TEXTS
    ),
    command("alerts.remove_target", st.just(1), st.integers(2, 9)),
    command("alerts.fire", st.just(1), st.just(1), judged(), targets=st.lists(st.integers(1, 3), max_size=2)),
    command("alerts.end", st.just(1), st.just(1), judged(), st.sampled_from(OverReason)),
    command("alerts.acknowledge", st.just(1), st.just(1), st.integers(1, 3)),
    command("funnels.define", st.just(1), plan=PLANS),
    command("funnels.redefine", st.just(1), st.just(1), plan=PLANS),
    command("funnels.delete", st.just(1), st.integers(1, 9)),
    command("segments.define", st.just(1), name=TEXTS, owner=READERS, conditions=CONDITIONS),
    command("segments.redefine", st.just(1), st.just(1), name=TEXTS, conditions=CONDITIONS),
    command("segments.delete", st.just(1), st.integers(1, 9)),
    command("page_groups.arrange", st.just(1), st.lists(st.builds(GroupRule, TEXTS, TEXTS), max_size=3)),
    command("exclusions.define", st.just(1), name=TEXTS, conditions=CONDITIONS),
    command(
        "exclusions.change",
        st.just(1),
        st.just(1),
        name=st.none() | TEXTS,
        conditions=st.none() | CONDITIONS,
        enabled=st.none() | st.booleans(),
    ),
    command("links.make", st.just(1), TERMS, digest=TEXTS, sealed=TEXTS),
    command("links.change", st.just(1), st.just(1), TERMS.map(lambda terms: lambda _: terms)),
    command("links.revoke", st.just(1), st.integers(2, 9)),
    command("exclusions.remove", st.just(1), st.integers(2, 9)),
    command("goals.define", st.just(1), name=st.none() | TEXTS, rule=RULES),
    command("goals.redefine", st.just(1), st.just(1), name=st.none() | TEXTS, rule=RULES),
    command("goals.delete", st.just(1), st.integers(2, 9)),
    command("api_keys.issue", st.just("1"), name=TEXTS, expires_in_days=st.none() | NUMBERS),
    command("api_keys.revoke", st.just("1"), st.just(1)),
    command("sign_in.issue_link", st.just("1")),
    command("sign_in.by_link", st.just("1"), TEXTS),
    command("sign_in.proven", st.just("1")),
    command("sign_in.register_passkey", st.just("1"), st.just("a1"), TEXTS),
    command("sign_in.remove_passkey", st.just("1"), st.just("a1")),
    command("sign_in.link_identity", st.just("1"), st.just("a1")),
    command("sign_in.unlink_identity", st.just("1"), st.just("a1")),
    command("sign_in.end", st.just("1"), TEXTS),
    command("sign_in.sign_out", st.just("1"), TEXTS),
    command("sign_in.sign_out_everywhere", st.just("1")),
    command(
        "report_subscriptions.subscribe",
        st.just("1"),
        st.none() | NUMBERS,
        st.sampled_from(Interval),
        st.none() | TEXTS | st.just("Europe/Berlin"),
    ),
    command("report_subscriptions.unsubscribe", st.just("1"), st.none() | NUMBERS, st.sampled_from(Interval)),
    command("report_recipients.add", st.just(1), st.sampled_from(Interval), st.just("token") | TEXTS),
    command("report_recipients.confirm", st.just(1), st.just("token") | TEXTS),
    command("report_recipients.end", st.just(1), st.integers(1, 9), st.sampled_from(EndReason)),
    command("report_recipients.expire", st.just(1)),
    command(
        "visitor_erasures.tell",
        st.just(1),
        st.builds(VisitorErased, TEXTS, st.integers(0), st.integers(0), st.integers(0)),
    ),
    command("sites.delete", st.just(2)),
)


def made(value):
    """Make a rule or a plan of its parts."""
    if not isinstance(value, tuple) or not value or not callable(value[0]):
        return value
    make, *parts = value
    return make(*parts)


async def carry_out(commands, method, arguments, named):
    named = {name: made(value) for name, value in named.items()}
    arguments = [made(value) for value in arguments]
    await attrgetter(method)(commands)(*arguments, **named, context=CONTEXT)


async def populate(commands):
    await commands.organizations.register(name="Acme", owner="1", context=CONTEXT)
    await commands.organizations.add_member("1", "2", Role.MEMBER, CONTEXT)
    for name in ("One", "Two"):
        await commands.sites.register("1", name=name, domain="example.com", created_by="1", context=CONTEXT)
    await commands.goals.define(1, name="g", rule=path_rule("/"), context=CONTEXT)
    await commands.api_keys.issue("1", name="k", context=CONTEXT)


@pytest.mark.hypothesis
def test_every_command_either_refuses_or_is_read_back(database_url):
    with asyncio.Runner() as runner:
        connections = Connections(database_url)
        runner.run(connections.open())
        store = PostgresEventStore(connections, Listener(database_url), EventCodec())
        directory = Directory(store)
        commands = build_commands(
            store=store,
            directory=directory,
            identifiers=PostgresIdentifiers(connections),
            users=UserPorts(
                people=MemoryPeople(),
                registrations=PostgresRegistrations(connections, store),
                identities=MemoryIdentities(),
                invitation_addresses=MemoryInvitationAddresses(),
                traces=(MemorySignInUses(),),
            ),
            former_users=FormerUsers(proofs=MemoryFormerProofs(), secret=lambda: b"secret"),
            cell_traffic=NoCells(),
            randomness=SystemRandomness(),
            clock=ManualClock(NOON),
        )
        runner.run(populate(commands))

        @examples(400)
        @given(COMMANDS)
        def every_command(one):
            try:
                runner.run(carry_out(commands, *one))
            except DomainError:
                return
            finally:
                runner.run(directory.catch_up())
                assert directory.set_aside == ()

        try:
            every_command()
        finally:
            runner.run(connections.close())


def test_every_command_is_among_those_that_are_tried():
    tried = set()

    @settings(max_examples=1_500)
    @given(COMMANDS)
    def collect(one):
        tried.add(one[0])

    collect()

    public = {
        f"{aggregate.name}.{name}"
        for aggregate in fields(Commands)
        for name, member in vars(aggregate.type).items()
        if iscoroutinefunction(member) and not name.startswith("_")
    }
    assert public - tried == {
        "alerts.check",
        "invitations.forget_accepted",
        "people.of",
        "organizations.require_sites",
        "sign_in.by_key",
        "sites.decide_new",
        "visitor_erasures.require",
    }
