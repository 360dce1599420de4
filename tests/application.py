"""The whole application under test: built by `build_app` over memory adapters, or over PostgreSQL."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field, frozen

from footfall.adapters.languages.spoken import CatalogueLanguages
from footfall.adapters.mail.rendering import TemplateRenderer
from footfall.adapters.memory.accounts.former_proofs import MemoryFormerProofs
from footfall.adapters.memory.accounts.identities import MemoryIdentities
from footfall.adapters.memory.accounts.invitation_addresses import MemoryInvitationAddresses
from footfall.adapters.memory.accounts.names_in_journal import MemoryNamesInJournal
from footfall.adapters.memory.accounts.passkeys import MemoryPasskeys
from footfall.adapters.memory.accounts.people import MemoryPeople
from footfall.adapters.memory.accounts.registrations import MemoryRegistrations
from footfall.adapters.memory.accounts.sign_in_uses import MemorySignInUses
from footfall.adapters.memory.accounts.sign_in_ways import MemoryAttempts, MemoryOneTimeTokens
from footfall.adapters.memory.alerts import MemoryAlertWatches, MemoryWebhooks, MemoryWindowReports
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.identifiers import MemoryIdentifiers
from footfall.adapters.memory.mail import MemoryOutbox, MemoryRecipientAddresses, MemoryUnsubscriptions
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.memory.reports.reports import MemoryAllSites
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots, memory_reports
from footfall.adapters.memory.salts import MemorySalts
from footfall.adapters.memory.source_maps import MemorySourceMaps
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.memory.uses import MemoryKeyUses, MemoryLinkUses
from footfall.adapters.memory.visitor_data import MemoryVisitorData
from footfall.adapters.memory.visitor_erasures import MemoryVisitorErasures
from footfall.adapters.postgres.projections.projector import Projector
from footfall.adapters.regular_expressions import compile_expression, compile_patterns
from footfall.adapters.symbolication.process import ProcessSymbolicator
from footfall.adapters.system import SystemRandomness
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.directory import Directory
from footfall.application.languages.language import Languages
from footfall.application.ports.enrichment import Location, LocationSource
from footfall.application.ports.reports.reports import Lag
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.ports.traffic_log import Intake
from footfall.domain.examples import NOON
from footfall.domain.tracking.hit import BotVerification
from footfall.domain.tracking.networks.network import KeptNetwork, kept_network
from footfall.domain.tracking.rate_limit import RateLimit
from footfall.entrypoints.composition.application import FootfallApp, Lifecycle, build_app
from footfall.entrypoints.composition.background import Background
from footfall.entrypoints.composition.ports import AlertPorts, Ports, SignInPorts
from footfall.entrypoints.composition.service import build_journal
from footfall.entrypoints.settings import Settings, read_settings
from tests.no_cells import NoCells
from tests.shared_router import SharedRouter
from tests.stores.reading import EngineTurns, adapters_of, shared_engine
from tests.stores.traffic_log import PostgresTrafficLog

# For tests of what is stored and read back; the others need no database.
# With cells the answers are the same: see the mark `cells`.
STORES = ["memory", "postgres", "cells"]
on_both_stores = pytest.mark.parametrize("adapter", STORES, indirect=True)
# For refusals that no store has a part in, where the other tests of a module are of both.
in_memory = pytest.mark.parametrize("adapter", ["memory"])

RATE_LIMIT = RateLimit(500, 600)
SECRET = b"a secret of the tests"
HETZNER = 24940


@define
class OneCountry:
    """Knows where 198.51.100.0/24 is, and that 203.0.113.0/24 are servers; `there` says whether it has a database."""

    there: bool = True
    database: LocationSource | None = None

    def locates(self) -> bool:
        """Whether there is a location database."""
        return self.there

    def locate(self, address: str) -> Location:
        """Return Berlin or nowhere."""
        if not address.startswith("198.51.100."):
            return Location()
        return Location(country="DE", region="BE", city="Berlin", latitude=52.5, longitude=13.4)

    def network(self, address: str) -> KeptNetwork:
        """Return the network of servers, or none."""
        return kept_network(HETZNER if address.startswith("203.0.113.") else 64496)

    def verify(self, bot: str, address: str) -> BotVerification | None:
        """Return whether 203.0.113.0/24 sends, where GPTBot comes from; nothing is known of others."""
        if bot != "GPTBot":
            return None
        known = address.startswith("203.0.113.")
        return BotVerification.VERIFIED if known else BotVerification.UNVERIFIED

    def source(self) -> LocationSource | None:
        """Return the database that pages credit."""
        return self.database


@define
class Projection:
    """Tells how many events the reports in memory lack: none, unless a test says otherwise.

    Before the next report is read, `meanwhile` happens, once.
    """

    behind: int = 0
    meanwhile: Callable[[], Awaitable[Any]] | None = None

    async def catch_up(self, _site_id: int) -> int:
        """Return at once, or when what happens meanwhile is over."""
        if (meanwhile := self.meanwhile) is not None:
            self.meanwhile = None
            await meanwhile()
        return self.behind

    async def lag(self, _site_id: int | None = None) -> Lag:
        """Return no lag."""
        return Lag(0, 0.0)


@frozen(kw_only=True)
class Surroundings:
    """The surroundings of the application that a test changes or reads, for any store."""

    user_agents: UaParserUserAgents
    clock: ManualClock = field(factory=lambda: ManualClock(NOON))
    located: OneCountry = field(factory=OneCountry)
    obstacles: list[str] = field(factory=list)
    metrics: MemoryMetrics = field(factory=MemoryMetrics)
    projection: Projection = field(factory=Projection)
    # What stands in memory in the place of the usual reports, and of the way into the log.
    reports: Callable[[MemoryTrafficLog, MemoryEventStore], ReportSet] = memory_reports
    intake: Intake | None = None
    languages: Languages = field(factory=CatalogueLanguages.of)

    async def readiness(self) -> list[str]:
        """Return the obstacles that the test has put in the way."""
        return self.obstacles

    async def render_metrics(self, _accept: str) -> tuple[bytes, str]:
        """Return an empty page."""
        return b"", "text/plain"


@frozen(kw_only=True, repr=False)
class Stores:
    """The ports of an application, and the traffic log behind them."""

    ports: Ports
    log: Any
    # Told of the directory of the application that is built over the ports.
    begin: Callable[[Directory], Awaitable[None]] = field(default=lambda _: _nothing())


@cache
def settings_of(rate_limit: RateLimit | None = RATE_LIMIT) -> Settings:
    """The settings of an installation that nothing was configured for, apart from the rate limit."""
    return evolve(read_settings({}), data_dir=Path("/nonexistent"), rate_limit=rate_limit)


def build(ports: Ports, rate_limit: RateLimit | None = RATE_LIMIT, **configured: Any) -> FootfallApp:
    """Build the application, with these settings besides; nothing runs in its background."""
    settings = evolve(settings_of(rate_limit), **configured)
    return build_app(
        ports,
        settings,
        secret=SECRET,
        lifecycle=lambda _: Lifecycle(_nothing, _nothing),
        router=SharedRouter(),
    )


def commands_elsewhere(ports: Ports) -> Commands:
    """Return the commands of another worker: an application learns what they decide when it reads the journal."""
    return build_journal(ports, lambda: SECRET).commands


def memory_stores(around: Surroundings) -> Stores:
    """Return stores in memory."""
    event_store, log = MemoryEventStore(), MemoryTrafficLog()
    people, identities, passkeys = MemoryPeople(), MemoryIdentities(), MemoryPasskeys()
    webhooks, reports = MemoryWebhooks(event_store), around.reports(log, event_store)
    outbox = MemoryOutbox()
    ports = Ports(
        event_store=event_store,
        identifiers=MemoryIdentifiers(),
        key_uses=MemoryKeyUses(),
        link_uses=MemoryLinkUses(),
        people=people,
        registrations=MemoryRegistrations(event_store, people, identities, passkeys),
        sign_in_uses=MemorySignInUses(),
        invitation_addresses=MemoryInvitationAddresses(),
        former_proofs=MemoryFormerProofs(),
        names_in_journal=MemoryNamesInJournal(event_store),
        sign_in=SignInPorts(
            tokens=MemoryOneTimeTokens(),
            attempts=MemoryAttempts(),
            passkeys=passkeys,
            identities=identities,
        ),
        randomness=SystemRandomness(),
        clock=around.clock,
        intake=around.intake or log,
        newest_pageviews=log,
        outcome_ledger=log,
        salts=MemorySalts(SystemRandomness()),
        user_agents=around.user_agents,
        geolocation=around.located,
        networks=around.located,
        bot_addresses=around.located,
        reports=reports,
        source_maps=MemorySourceMaps(),
        symbolicator=ProcessSymbolicator(seconds=60.0),
        expressions=compile_expression,
        compile_patterns=compile_patterns,
        report_snapshots=MemoryReportSnapshots(log, event_store, around.reports),
        all_sites_of=lambda _: MemoryAllSites(log),
        freshness=around.projection,
        readiness=around.readiness,
        metrics=around.metrics,
        render_metrics=around.render_metrics,
        outbox=outbox,
        recipient_addresses=MemoryRecipientAddresses(event_store, outbox),
        unsubscriptions=MemoryUnsubscriptions(),
        alerts=AlertPorts(
            watches=MemoryAlertWatches(),
            windows=MemoryWindowReports(log),
            addresses=webhooks,
            queue=webhooks,
        ),
        mail_renderer=TemplateRenderer(),
        languages=around.languages,
        visitor_data=MemoryVisitorData(log),
        visitor_erasures=MemoryVisitorErasures(log),
        columns_state=lambda: "off",
        cell_traffic=NoCells(),
        cell_obstacles=NoCells().obstacles,
    )
    return Stores(ports=ports, log=log)


@asynccontextmanager
async def postgres_stores(url: str, around: Surroundings) -> AsyncIterator[Stores]:
    """Lend the adapters of an installation over the database at this URL, with the tests' clock and locations."""
    turns = EngineTurns(shared_engine())
    adapters = adapters_of(settings_of(), url, turns)
    background = Background({"intake": adapters.main.intake.run})
    await adapters.main.open()
    background.start()
    ports = evolve(
        adapters.ports(),
        clock=around.clock,
        user_agents=around.user_agents,
        geolocation=around.located,
        networks=around.located,
        bot_addresses=around.located,
        freshness=AtOnce(adapters.main.projector),
        readiness=around.readiness,
        metrics=around.metrics,
        render_metrics=around.render_metrics,
    )
    yield Stores(ports=ports, log=Log(adapters.main.intake, PostgresTrafficLog(adapters.connections)))
    await background.stop()
    await turns.end()
    await adapters.main.projector.close()
    await adapters.main.reports.close()
    await adapters.main.report_connections.close()
    await adapters.connections.close()


class Log:
    """The way into the traffic log, and the log."""

    def __init__(self, intake: Any, log: PostgresTrafficLog) -> None:
        self.submit = intake.submit
        self.high_water_mark, self.read = log.high_water_mark, log.read


@frozen
class AtOnce:
    """Projects everything that is stored before a report is read."""

    projector: Projector

    async def catch_up(self, _site_id: int) -> int:
        """Return when everything is projected."""
        while await self.projector.catch_up():
            pass
        return 0

    async def lag(self, _site_id: int | None = None) -> Lag:
        """Return that nothing waits."""
        return Lag(0, 0.0)


async def _nothing() -> None:
    """Start or stop nothing."""
