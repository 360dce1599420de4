"""The composition root: which adapter stands behind which port."""

import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import orjson
from attrs import frozen

from footfall import __version__
from footfall.adapters.geoip import MaxMindGeolocation, UnknownGeolocation
from footfall.adapters.http.app import Services, create_app, create_express
from footfall.adapters.http.express import Front
from footfall.adapters.http.patience import Patience
from footfall.adapters.http.reading import Reading
from footfall.adapters.http.requests import ClientAddress
from footfall.adapters.postgres.breakdowns import PostgresBreakdowns
from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.erasures import PostgresErasures
from footfall.adapters.postgres.error_reports import PostgresErrorReports
from footfall.adapters.postgres.event_store import PostgresEventStore
from footfall.adapters.postgres.freshness import PostgresFreshness
from footfall.adapters.postgres.goal_reports import PostgresGoalReports
from footfall.adapters.postgres.goal_versions import GoalVersions
from footfall.adapters.postgres.idempotency import PostgresIdempotencyKeys
from footfall.adapters.postgres.identifiers import PostgresIdentifiers
from footfall.adapters.postgres.intake import PostgresIntake
from footfall.adapters.postgres.key_uses import PostgresKeyUses
from footfall.adapters.postgres.listener import Listener
from footfall.adapters.postgres.outcome_ledger import PostgresOutcomeLedger
from footfall.adapters.postgres.projection_status import ProjectionStatus, projection_status
from footfall.adapters.postgres.projector import Projector
from footfall.adapters.postgres.readiness import PostgresReadiness
from footfall.adapters.postgres.rebuild import Rebuild
from footfall.adapters.postgres.retained import PostgresRetained
from footfall.adapters.postgres.salts import PostgresSalts
from footfall.adapters.postgres.summaries import Summaries
from footfall.adapters.postgres.traffic_reports import PostgresTrafficReports
from footfall.adapters.prometheus import Exposition, Sampler, Share, SharedMeters
from footfall.adapters.system import SystemClock, SystemRandomness
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.adapters.web.app import Dashboard, add_dashboard
from footfall.adapters.web.panels import Reports
from footfall.application.access import Gatekeeper
from footfall.application.commands import Commands
from footfall.application.directory import Directory
from footfall.application.enrichment import Enrichment
from footfall.application.erasure import Eraser
from footfall.application.history import History
from footfall.application.housekeeping import Housekeeping
from footfall.application.ingestion import Ingestion
from footfall.application.journal import EventCodec
from footfall.application.judgement import Judge
from footfall.application.keyring import Keyring
from footfall.application.limits import KnownLimits
from footfall.application.outcomes import Outcomes
from footfall.application.ports import EventStore, StoreUnavailable
from footfall.application.retention import Retention
from footfall.entrypoints.background import Background
from footfall.entrypoints.settings import Settings

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class Journal:
    """What commands at the command line need: the journal and those who write it."""

    store: EventStore
    directory: Directory
    commands: Commands
    keyring: Keyring
    history: History


def build_app(
    settings: Settings,
    *,
    url: str,
    secret: bytes,
    share: Share | None = None,
    known: Directory | None = None,
) -> Front:
    """Return the application of one worker; nothing is opened before the server's lifespan begins.

    The worker counts in its share of the numbers of all workers; without one it counts for itself alone. It begins with
    what is `known` of the journal and reads only what came later.
    """
    share = share or Share.alone()
    meters = SharedMeters(share.own)
    connections, listener, clock = Connections(url), Listener(url), SystemClock()
    journal = _journal(connections, listener, known)
    salts = PostgresSalts(connections, SystemRandomness())
    intake = PostgresIntake(url, meters=meters)
    outcomes = Outcomes(PostgresOutcomeLedger(connections), meters=meters)
    user_agents, geolocation = UaParserUserAgents(), _geolocation(settings)
    enrichment = Enrichment(secret=secret, salts=salts, user_agents=user_agents, geolocation=geolocation)
    ingestion = Ingestion(
        directory=journal.directory,
        keyring=journal.keyring,
        judge=Judge(enrichment),
        intake=intake,
        outcomes=outcomes,
        limits=KnownLimits(settings.rate_limit),
        clock=clock,
        decode_json=orjson.loads,
    )
    gatekeeper = Gatekeeper(journal.directory, journal.keyring, clock)
    # Reports may take long; what others need a connection for must not wait for them.
    report_connections, projector = Connections(url), _projector(url)
    reading = Reading(
        gatekeeper=gatekeeper,
        directory=journal.directory,
        goals=PostgresGoalReports(report_connections),
        traffic=PostgresTrafficReports(report_connections),
        breakdowns=PostgresBreakdowns(report_connections),
        errors=PostgresErrorReports(report_connections),
        freshness=PostgresFreshness(connections, clock, projector.wake),
        clock=clock,
    )
    sampler = Sampler(
        meters=meters,
        intake_waiting=intake.waiting,
        pools={"main": connections.figures, "reports": report_connections.figures},
        caches={"user_agent": user_agents.cache_counts, "geolocation": geolocation.cache_counts},
    )
    exposition = Exposition(
        samples=share.samples, refresh=sampler.sample, lag=reading.freshness.lag, version=__version__
    )
    background = Background(
        {
            "listener": listener.run,
            "directory": journal.directory.follow,
            "intake": intake.run,
            "projector": projector.run,
            "summaries": Summaries(connections, url).run,
            "outcomes": outcomes.run,
            "key uses": journal.keyring.run,
            "sampler": sampler.run,
            "eraser": Eraser(PostgresErasures(connections, url), clock).run,
            "retention": Retention(PostgresRetained(connections, url), journal.directory, clock).run,
            "housekeeping": Housekeeping(salts, PostgresIdempotencyKeys(connections), clock).run,
        }
    )

    async def start() -> None:
        await connections.open()
        await report_connections.open()
        background.start()
        try:
            await journal.directory.catch_up()
        except StoreUnavailable:
            # Serving starts all the same: requests are answered with 503 until the store is back.
            _log.warning("the store is not there yet")

    async def stop() -> None:
        await intake.drain()
        await background.stop()
        await report_connections.close()
        await _last_flush(outcomes, journal.keyring)
        await connections.close()

    services = Services(
        ingestion=ingestion,
        gatekeeper=gatekeeper,
        directory=journal.directory,
        commands=journal.commands,
        keyring=journal.keyring,
        history=journal.history,
        reading=reading,
        outcomes=outcomes,
        clock=clock,
        rate_limit=settings.rate_limit,
        client_address=ClientAddress(settings.trusted_proxies),
        readiness=PostgresReadiness(connections).obstacles,
        meters=meters,
        metrics=exposition.render,
        start=start,
        stop=stop,
    )
    app = create_app(services)
    add_dashboard(
        app,
        Dashboard(
            gatekeeper=services.gatekeeper,
            directory=journal.directory,
            commands=journal.commands,
            history=journal.history,
            reports=Reports(
                traffic=reading.traffic,
                goals=reading.goals,
                breakdowns=reading.breakdowns,
                errors=reading.errors,
                freshness=reading.freshness,
            ),
            outcomes=outcomes,
            clock=clock,
            client_address=services.client_address.of,
            secret=secret,
        ),
    )
    return Front(Patience(app), create_express(services))


async def _last_flush(outcomes: Outcomes, keyring: Keyring) -> None:
    try:
        await outcomes.flush()
        await keyring.flush()
    except StoreUnavailable:
        _log.warning("the last seconds of refused events and of uses of keys could not be written down")


@asynccontextmanager
async def open_journal(url: str) -> AsyncIterator[Journal]:
    """Lend the journal to one command, with the directory caught up.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    connections, listener = Connections(url, most=2), Listener(url)
    await connections.open()
    try:
        journal = _journal(connections, listener)
        await journal.directory.catch_up()
        yield journal
    finally:
        await connections.close()


async def read_projection_status(url: str) -> ProjectionStatus:
    """Return how the projections are.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    connections = Connections(url, most=2)
    await connections.open()
    try:
        freshness = PostgresFreshness(connections, SystemClock(), lambda: None)
        return await projection_status(connections, freshness)
    finally:
        await connections.close()


def rebuilding(url: str, **options: int) -> AbstractAsyncContextManager[Rebuild]:
    """Lend a second set of projections that can be filled, compared and exchanged."""
    return Rebuild.begun(url, lambda schema: _projector(url, schema), **options)


def _projector(url: str, schema: str | None = None) -> Projector:
    return Projector(url, GoalVersions(EventCodec()), schema=schema)


def _journal(connections: Connections, listener: Listener, known: Directory | None = None) -> Journal:
    store = PostgresEventStore(connections, listener, EventCodec())
    directory = Directory(store, known=known)
    commands = Commands(
        store=store,
        directory=directory,
        identifiers=PostgresIdentifiers(connections),
        randomness=SystemRandomness(),
        clock=SystemClock(),
    )
    return Journal(
        store=store,
        directory=directory,
        commands=commands,
        keyring=Keyring(directory, PostgresKeyUses(connections)),
        history=History(store),
    )


def _geolocation(settings: Settings) -> MaxMindGeolocation | UnknownGeolocation:
    if settings.geoip_database is None:
        return UnknownGeolocation()
    return MaxMindGeolocation(settings.geoip_database)
