"""The application services, built over ports."""

import logging
from collections.abc import Callable

import orjson
from attrs import asdict, field, frozen

from footfall.adapters.sealing import SecretSealing
from footfall.adapters.zone_countries import countries_of_zones
from footfall.application.access.authorization import Gatekeeper
from footfall.application.access.key_lookup import ApiKeys
from footfall.application.access.language_choice import LanguageChoice
from footfall.application.access.link_uses import LinkTracker
from footfall.application.access.own_visits import OwnVisits
from footfall.application.access.sign_in_uses import SignInTracker
from footfall.application.alerts.backtest import Backtests
from footfall.application.alerts.measured_windows import AlertMeasures
from footfall.application.alerts.metric_values import MetricValues
from footfall.application.alerts.notifier import AlertNotifier
from footfall.application.alerts.rule_follower import AlertFollower
from footfall.application.alerts.services import AlertServices
from footfall.application.alerts.targets import AlertTargets
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.accounts.registration import RegistrationCommands
from footfall.application.commands.all_commands import Commands, UserPorts, build_commands
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.commands.sites.link_keys import LinkKeys
from footfall.application.commands.sites.user_secrets import UserSecretIssuing
from footfall.application.commands.source_map_uploads import SourceMapUploads
from footfall.application.ingestion.enrichment import Enrichment
from footfall.application.ingestion.event_checks import Pipeline
from footfall.application.ingestion.ingestion import Ingestion
from footfall.application.ingestion.limit_cache import LimitCache
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.invitations.invitations import Invitations
from footfall.application.journal.directory import Directory
from footfall.application.journal.history import History
from footfall.application.notifications.mail_reports import MailReports
from footfall.application.notifications.mailer import Mailer
from footfall.application.notifications.report_figures import ReportFigures
from footfall.application.notifications.unsubscribing import Unsubscribing
from footfall.application.ports.accounts.people import People
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.system import Sealing
from footfall.application.report_recipients.recipients import ReportRecipients
from footfall.application.reports.all_sites import AllSitesReader
from footfall.application.reports.source_stacks import SourceStacks
from footfall.application.services import SharedServices
from footfall.application.sign_in.ways import SignInWays
from footfall.application.visitors.giving import Giving
from footfall.application.visitors.subjects import Subjects
from footfall.application.visitors.visitors import Visitors
from footfall.domain.tracking.rate_limit import RateLimit
from footfall.entrypoints.composition.ports import JournalPorts, Ports
from footfall.entrypoints.composition.sign_in_ways import build_sign_in_ways
from footfall.entrypoints.settings import Settings

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class Journal:
    """The services that read and write the journal and persons; commands at the command line need no others."""

    directory: Directory
    commands: Commands
    api_keys: ApiKeys
    history: History
    people: People


@frozen(kw_only=True)
class Service(SharedServices):
    """All application services of one process."""

    journal: Journal
    mailer: Mailer
    mail_reports: MailReports
    report_recipients: ReportRecipients
    sealing: Sealing
    sign_in_ways: SignInWays
    ingestion: Ingestion
    # That of the server, for what is built beside the services.
    secret: bytes = field(repr=False)


def build_journal(
    ports: JournalPorts, secret: Callable[[], bytes], inherited: Directory | None = None
) -> Journal:
    """Return the journal's services; they begin with the directory `inherited` and read only later events.

    `secret` returns that of the server, and is called by the commands that need it.
    """
    directory = (
        Directory(ports.event_store) if inherited is None else Directory(ports.event_store, inherited.state)
    )
    commands = build_commands(
        store=ports.event_store,
        directory=directory,
        identifiers=ports.identifiers,
        users=UserPorts(
            people=ports.people,
            registrations=ports.registrations,
            identities=ports.sign_in.identities,
            invitation_addresses=ports.invitation_addresses,
            traces=(ports.sign_in_uses, *ports.sign_in.of_users, ports.outbox, ports.names_in_journal),
        ),
        former_users=FormerUsers(proofs=ports.former_proofs, secret=secret),
        randomness=ports.randomness,
        clock=ports.clock,
        cell_traffic=ports.cell_traffic,
    )
    return Journal(
        directory=directory,
        commands=commands,
        api_keys=ApiKeys(directory, ports.key_uses),
        history=History(ports.event_store),
        people=ports.people,
    )


def build_service(
    ports: Ports, settings: Settings, *, secret: bytes, inherited: Directory | None = None
) -> Service:
    """Return all services; `secret` is the key of visitor hashes."""
    journal = build_journal(ports, lambda: secret, inherited)
    mailer = build_mailer(ports, journal.directory, settings, secret)
    registrations = _registrations(ports, journal)
    ways = build_sign_in_ways(ports, settings, journal.commands, registrations, mailer, secret=secret)
    sealing, links = SecretSealing(secret), LinkTracker(ports.link_uses)
    outcomes = OutcomeCounter(ports.outcome_ledger, metrics=ports.metrics, cells=ports.cell_ledgers)
    return Service(
        **asdict(journal, recurse=False),
        secret=secret,
        clock=ports.clock,
        locates=ports.geolocation.locates,
        source_maps=ports.source_maps,
        source_map_uploads=SourceMapUploads(ports.source_maps, ports.clock),
        source_stacks=SourceStacks(ports.source_maps, ports.symbolicator, ports.clock),
        all_sites=AllSitesReader(
            directory=journal.directory,
            freshness=ports.freshness,
            reports_of=ports.all_sites_of,
            clock=ports.clock,
            expressions=ports.expressions,
        ),
        visitors=_visitors(ports, secret),
        journal=journal,
        own_visits=OwnVisits(secret),
        gatekeeper=Gatekeeper(journal.directory, journal.api_keys, links, ports.clock),
        link_tracker=links,
        mailer=mailer,
        mail_reports=_mail_reports(ports, journal, settings.public_origin),
        report_recipients=ReportRecipients(
            commands=journal.commands.report_recipients,
            directory=journal.directory,
            addresses=ports.recipient_addresses,
            people=ports.people,
            mailer=mailer,
            attempts=ways.attempts,
            randomness=ports.randomness,
            clock=ports.clock,
            origin=settings.public_origin,
        ),
        invitations=Invitations(
            commands=journal.commands,
            registrations=registrations,
            directory=journal.directory,
            addresses=ports.invitation_addresses,
            mailer=mailer,
            attempts=ways.attempts,
            clock=ports.clock,
            origin=settings.public_origin,
        ),
        link_keys=LinkKeys(journal.commands.sites, ports.randomness, sealing, journal.commands.links),
        user_secrets=UserSecretIssuing(journal.commands.sites, secret),
        sealing=sealing,
        sign_in_ways=ways,
        sign_in_tracker=SignInTracker(ports.sign_in_uses, ports.user_agents),
        outcomes=outcomes,
        ingestion=_ingestion(ports, journal, outcomes, rate_limit=settings.rate_limit, secret=secret),
        alerts=_alerts(ports, journal, outcomes, mailer, settings, sealing=sealing),
    )


def _mail_reports(ports: Ports, journal: Journal, origin: str) -> MailReports:
    figures = ReportFigures(
        directory=journal.directory,
        reports=ports.reports,
        freshness=ports.freshness,
        expressions=ports.expressions,
    )
    return MailReports(directory=journal.directory, figures=figures, origin=origin)


def _alerts(
    ports: Ports,
    journal: Journal,
    outcomes: OutcomeCounter,
    mailer: Mailer,
    settings: Settings,
    *,
    sealing: Sealing,
) -> AlertServices:
    values = MetricValues(
        directory=journal.directory,
        reports=ports.reports,
        windows=ports.alerts.windows,
        outcomes=outcomes,
    )
    measures = AlertMeasures(
        directory=journal.directory,
        traffic=ports.reports.traffic,
        values=values,
        expressions=ports.expressions,
    )
    notifier = AlertNotifier(
        directory=journal.directory,
        people=ports.people,
        mailer=mailer,
        queue=ports.alerts.queue,
        clock=ports.clock,
        origin=settings.public_origin,
    )
    targets = AlertTargets(
        commands=journal.commands.alerts,
        addresses=ports.alerts.addresses,
        queue=ports.alerts.queue,
        notifier=notifier,
        randomness=ports.randomness,
        sealing=sealing,
        networks=settings.alert_networks,
    )
    follower = AlertFollower(
        directory=journal.directory, measures=measures, commands=journal.commands.alerts, notifier=notifier
    )
    return AlertServices(
        measures=measures,
        follower=follower,
        backtests=Backtests(measures=measures, freshness=ports.freshness, clock=ports.clock),
        targets=targets,
        watches=ports.alerts.watches,
    )


def _registrations(ports: Ports, journal: Journal) -> RegistrationCommands:
    streams = DecideAndAppend(store=ports.event_store, directory=journal.directory, clock=ports.clock)
    return RegistrationCommands(
        streams=streams,
        registrations=ports.registrations,
        identifiers=ports.identifiers,
        randomness=ports.randomness,
    )


def build_mailer(ports: Ports, directory: Directory, settings: Settings, secret: bytes) -> Mailer:
    """Return the mailer; without a configured mail server it queues nothing."""
    return Mailer(
        enabled=settings.smtp_url is not None,
        outbox=ports.outbox,
        renderer=ports.mail_renderer,
        languages=LanguageChoice(ports.languages, directory),
        unsubscribing=Unsubscribing(ports.unsubscriptions, ports.clock, secret, settings.public_origin),
        randomness=ports.randomness,
        clock=ports.clock,
    )


def _ingestion(
    ports: Ports, journal: Journal, outcomes: OutcomeCounter, *, rate_limit: RateLimit | None, secret: bytes
) -> Ingestion:
    limits = LimitCache(rate_limit)
    pipeline = Pipeline(
        directory=journal.directory,
        api_keys=journal.api_keys,
        limits=limits,
        user_agents=ports.user_agents,
        geolocation=ports.geolocation,
        networks=ports.networks,
        bot_addresses=ports.bot_addresses,
        countries_of_zones=countries_of_zones(),
        enrichment=Enrichment(secret=secret, salts=ports.salts, pageviews=ports.newest_pageviews),
        intake=ports.intake,
        compile_patterns=ports.compile_patterns,
        secret=secret,
        decode_json=orjson.loads,
    )
    return Ingestion(
        pipeline=pipeline, directory=journal.directory, limits=limits, outcomes=outcomes, clock=ports.clock
    )


async def catch_up(directory: Directory) -> None:
    """Read the journal before the first request, if the store answers."""
    try:
        await directory.catch_up()
    except StoreUnavailable:
        # Serving starts all the same: requests are answered with 503 until the store is back.
        _log.warning("the store is unavailable at start; requests answer 503 until it is back")


async def last_flush(service: Service) -> None:
    """Store what is kept in memory for some seconds, at the end of a worker, if the store answers."""
    try:
        await service.journal.api_keys.unwritten.flush()
        await service.sign_in_tracker.unwritten.flush()
        await service.link_tracker.unwritten.flush()
        await service.outcomes.flush()
    except StoreUnavailable:
        _log.warning(
            "the store is unavailable: the last seconds of dropped events and of uses of keys are not recorded"
        )


def _visitors(ports: Ports, secret: bytes) -> Visitors:
    data = ports.visitor_data
    return Visitors(
        giving=Giving(subjects=Subjects(data=data, salts=ports.salts, secret=secret), data=data),
        clock=ports.clock,
        erasures=ports.visitor_erasures,
        freshness=ports.freshness,
    )
