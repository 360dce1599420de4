"""The parts list: which adapter stands behind which port of a running installation."""

from collections.abc import Mapping
from pathlib import Path

from attrs import asdict, frozen

from footfall import __version__
from footfall.adapters.columns.queries import NodeTurns
from footfall.adapters.geoip.bot_addresses import PublishedBotAddresses
from footfall.adapters.geoip.database import MaxMindGeolocation, MaxMindNetworks
from footfall.adapters.http.wire.body_limits import Application
from footfall.adapters.languages.spoken import CatalogueLanguages
from footfall.adapters.mail.rendering import TemplateRenderer
from footfall.adapters.mail.smtp import SmtpTransport
from footfall.adapters.postgres.accounts.attempts import PostgresAttempts
from footfall.adapters.postgres.accounts.invitation_addresses import PostgresInvitationAddresses
from footfall.adapters.postgres.accounts.one_time_tokens import PostgresOneTimeTokens
from footfall.adapters.postgres.accounts.sign_in_uses import PostgresSignInUses
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.error_groups.source_maps import PostgresSourceMaps
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.notifications.alert_watches import PostgresAlertWatches
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.postgres.notifications.recipient_addresses import PostgresRecipientAddresses
from footfall.adapters.postgres.notifications.unsubscriptions import PostgresUnsubscriptions
from footfall.adapters.postgres.notifications.webhook_queue import (
    PostgresTargetAddresses,
    PostgresWebhookQueue,
)
from footfall.adapters.postgres.projections.freshness import PATIENCE_SECONDS
from footfall.adapters.prometheus.exposition import Exposition
from footfall.adapters.prometheus.metrics import SharedMetrics
from footfall.adapters.prometheus.regions import WorkerMetrics
from footfall.adapters.prometheus.sampler import Sampler
from footfall.adapters.regular_expressions import compile_expression, compile_patterns
from footfall.adapters.symbolication.process import symbolicator
from footfall.adapters.system import SystemClock
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.adapters.webhook.transport import HttpWebhooks
from footfall.application.alerts.activity import SiteActivity
from footfall.application.alerts.evaluation_rounds import AlertEvaluation
from footfall.application.alerts.sender import WebhookSender
from footfall.application.cells.intake import CellIntake
from footfall.application.journal.directory import Directory
from footfall.application.journal.event_codec import EventCodec
from footfall.application.maintenance.background_loop import repeat
from footfall.application.maintenance.housekeeping import Housekeeping
from footfall.application.maintenance.source_maps import SourceMapRetention
from footfall.application.notifications.report_queueing import DueReports
from footfall.application.notifications.sender import MailSender
from footfall.application.ports.system import Clock, Salts
from footfall.entrypoints.composition.application import Lifecycle, build_app
from footfall.entrypoints.composition.background import Background, Job
from footfall.entrypoints.composition.cells.served_cells import ServedCells
from footfall.entrypoints.composition.commands.command_stores import journal_ports
from footfall.entrypoints.composition.commands.salts import salts_of
from footfall.entrypoints.composition.commands.visitor_erasing import (
    VisitorErasing,
    data_of_visitors,
    erasures_of_visitors,
)
from footfall.entrypoints.composition.mail import mail_transport
from footfall.entrypoints.composition.ports import AlertPorts, Ports
from footfall.entrypoints.composition.reading.node_reader import reading_job, turns_of
from footfall.entrypoints.composition.reports import Reports
from footfall.entrypoints.composition.service import Service, catch_up, last_flush
from footfall.entrypoints.composition.traffic_store import TrafficStore
from footfall.entrypoints.settings import Settings

# Events of sites that recognize visitors for a time go on for a day while the store of the journal is away, and cells
# are there.
SALTS_SECONDS = 600.0


@frozen(kw_only=True)
class Adapters:
    """The adapters of one worker that hold connections, memory or tasks."""

    main: TrafficStore
    # Where none is configured, too: another machine may add one, and its sites are none of the main store.
    cells: ServedCells
    reading: Mapping[str, Job]
    salts: Salts
    listener: Listener
    user_agents: UaParserUserAgents
    geolocation: MaxMindGeolocation
    networks: MaxMindNetworks
    bot_addresses: PublishedBotAddresses
    metrics: SharedMetrics
    worker_metrics: WorkerMetrics
    mail_transport: SmtpTransport | None
    webhooks: HttpWebhooks
    clock: Clock
    languages: CatalogueLanguages
    source_map_days: int
    data_dir: Path

    @classmethod
    def of(
        cls,
        settings: Settings,
        *,
        url: str,
        worker_metrics: WorkerMetrics,
        turns: NodeTurns | None = None,
        clock: Clock | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> "Adapters":
        """Return the adapters of a worker, not opened yet; the reading process of the node, or `turns`, lends turns."""
        metrics, reader = SharedMetrics(worker_metrics.own), turns_of(settings)
        turns, clock = turns or reader, clock or SystemClock()
        main = TrafficStore.of(
            settings, url=url, metrics=metrics, turns=turns, clock=clock, patience_seconds=patience_seconds
        )
        return cls(
            main=main,
            cells=ServedCells(settings, main, metrics, turns),
            reading=reading_job(settings, reader, metrics),
            salts=salts_of(settings, main.connections),
            listener=Listener(url),
            user_agents=UaParserUserAgents(),
            geolocation=MaxMindGeolocation(settings.geoip_file),
            networks=MaxMindNetworks(settings.networks_file),
            bot_addresses=PublishedBotAddresses(settings.bots_file),
            metrics=metrics,
            worker_metrics=worker_metrics,
            mail_transport=mail_transport(settings),
            webhooks=HttpWebhooks(networks=settings.alert_networks, version=__version__),
            clock=main.clock,
            languages=CatalogueLanguages.of(settings.languages),
            source_map_days=settings.source_map_days,
            data_dir=settings.data_dir,
        )

    @property
    def url(self) -> str:
        """The URL of the store of the journal."""
        return self.main.url

    @property
    def connections(self) -> Connections:
        """The pool of the store of the journal."""
        return self.main.connections

    @property
    def reports(self) -> Reports:
        """The reports of all sites."""
        return self.cells.reports()

    def ports(self) -> Ports:
        """Return the adapter of each port; those of traffic lead to the cell of each site."""
        main, cells, connections = self.main, self.cells, self.connections
        event_store = self._event_store()
        of_journal = journal_ports(event_store, self._outbox(), connections, cells, self.clock)
        return Ports(
            **asdict(of_journal, recurse=False),
            unsubscriptions=PostgresUnsubscriptions(connections),
            recipient_addresses=PostgresRecipientAddresses(connections, event_store),
            alerts=self._alert_ports(),
            mail_renderer=TemplateRenderer(),
            languages=self.languages,
            intake=CellIntake(main.intake, cells.placements, cells.intake_of),
            newest_pageviews=cells.newest_pageviews(),
            outcome_ledger=main.outcome_ledger,
            cell_ledgers=cells,
            salts=self.salts,
            user_agents=self.user_agents,
            geolocation=self.geolocation,
            networks=self.networks,
            bot_addresses=self.bot_addresses,
            reports=self.reports.present,
            source_maps=PostgresSourceMaps(connections),
            symbolicator=symbolicator(),
            expressions=compile_expression,
            compile_patterns=compile_patterns,
            report_snapshots=self.reports.snapshots,
            all_sites_of=cells.all_sites_of,
            freshness=cells,
            readiness=cells.main_obstacles,
            metrics=self.metrics,
            render_metrics=self._exposition().render,
            columns_state=main.columns_state,
            visitor_data=data_of_visitors(cells.store_of),
            visitor_erasures=erasures_of_visitors(cells.store_of),
            cell_obstacles=cells.obstacles,
        )

    def jobs(self, service: Service) -> Mapping[str, Job]:
        """Return the background jobs of a worker."""
        directory, connections = service.journal.directory, self.connections
        housekeeping = Housekeeping(
            self.salts,
            PostgresSignInUses(connections),
            PostgresInvitationAddresses(connections),
            PostgresOneTimeTokens(connections),
            PostgresAttempts(connections),
            self._alert_ports().queue,
            directory,
            self.clock,
        )
        return {
            "listener": self.listener.run,
            "directory": directory.follow,
            **self.main.jobs(directory, self._visitors(service)),
            **self.reading,
            "outcomes": service.outcomes.run,
            "key uses": service.journal.api_keys.unwritten.run,
            "sign-in uses": service.sign_in_tracker.unwritten.run,
            "link uses": service.link_tracker.unwritten.run,
            "sampler": self._sampler().run,
            "housekeeping": housekeeping.run,
            "addresses outside": service.report_recipients.run,
            "source maps": self._source_map_retention(directory).run,
            **self._mail_jobs(service),
            **self._alert_jobs(service),
            **self._cell_jobs(service),
        }

    def _source_map_retention(self, directory: Directory) -> SourceMapRetention:
        return SourceMapRetention(
            PostgresSourceMaps(self.connections), directory, self.clock, self.source_map_days
        )

    def _mail_jobs(self, service: Service) -> Mapping[str, Job]:
        if self.mail_transport is None:
            return {}
        post = DueReports(
            directory=service.journal.directory,
            people=service.journal.people,
            addresses=service.report_recipients.addresses,
            outbox=PostgresOutbox(self.connections, self.url),
            mailer=service.mailer,
            reports=service.mail_reports,
            freshness=service.mail_reports.figures.freshness,
            lock=lambda: holding_lock(AdvisoryLock.REPORTS, self.url),
            clock=self.clock,
        )
        outbox, transport = self._outbox(), self.mail_transport
        sender = MailSender(outbox=outbox, transport=transport, clock=self.clock, metrics=self.metrics)
        return {"mail": sender.run, "mail reports": post.run}

    def _event_store(self) -> PostgresEventStore:
        return PostgresEventStore(self.connections, self.listener, EventCodec())

    def _alert_ports(self) -> AlertPorts:
        return AlertPorts(
            watches=PostgresAlertWatches(self.connections, self.url),
            windows=self.cells.windows(),
            addresses=PostgresTargetAddresses(self.connections, self._event_store()),
            queue=PostgresWebhookQueue(self.connections),
        )

    def _alert_jobs(self, service: Service) -> Mapping[str, Job]:
        ports = self._alert_ports()
        directory = service.journal.directory
        evaluation = AlertEvaluation(
            directory=directory,
            watches=ports.watches,
            follower=service.alerts.follower,
            activity=SiteActivity(directory=directory, reports_of=self.cells.all_sites_of),
            freshness=service.mail_reports.figures.freshness,
            clock=self.clock,
        )
        sender = WebhookSender(
            queue=ports.queue, transport=self.webhooks, clock=self.clock, sealing=service.sealing
        )
        return {"alerts": evaluation.run, "alert requests": sender.run}

    def _cell_jobs(self, service: Service) -> Mapping[str, Job]:
        enrichment = service.ingestion.pipeline.enrichment

        async def prepare_salts() -> None:
            await repeat(
                lambda: enrichment.prepare(self.clock.now()),
                seconds=SALTS_SECONDS,
                delayed="the next salts cannot be read yet",
            )

        return {**self.cells.jobs, **({"salts": prepare_salts} if self.cells.configured else {})}

    def _visitors(self, service: Service) -> VisitorErasing:
        return VisitorErasing(
            url=self.url,
            outbox=self._outbox(),
            history=service.journal.commands.visitor_erasures,
            secret=service.secret,
            data_dir=self.data_dir,
        )

    def _outbox(self) -> PostgresOutbox:
        return PostgresOutbox(self.connections, self.url)

    def lifecycle(self, service: Service) -> Lifecycle:
        """Return the steps that open the connections and start the jobs, and that end them without a loss."""
        main, cells, directory = self.main, self.cells, service.journal.directory
        background = Background(self.jobs(service))

        async def start() -> None:
            await main.open()
            cells.bind(directory, service.journal.commands.cells, self._visitors(service))
            background.start()
            await catch_up(directory)
            await cells.sync()

        async def stop() -> None:
            await main.intake.drain()
            await background.stop()
            await cells.drain()
            await main.reports.close()
            await main.report_connections.close()
            await last_flush(service)
            await cells.close()
            await main.connections.close()

        return Lifecycle(start, stop)

    def _sampler(self) -> Sampler:
        return Sampler(
            metrics=self.metrics,
            intake_waiting=lambda: sum(store.intake.waiting() for store in self._stores()),
            pools=lambda: {name: pool for store in self._stores() for name, pool in store.pools().items()},
            caches={
                "user_agent": self.user_agents.cache_counts,
                "geolocation": self.geolocation.cache_counts,
                "network": self.networks.cache_counts,
                "bot_addresses": self.bot_addresses.cache_counts,
            },
        )

    def _stores(self) -> list[TrafficStore]:
        return [self.main, *self.cells.stores.values()]

    def _exposition(self) -> Exposition:
        return Exposition(
            samples=self.worker_metrics.samples,
            refresh=self._sampler().sample,
            lag=self.main.freshness.lag,
            cell_lags=self.cells.lags,
            mail_status=self._outbox().status,
            now=self.clock.now,
            version=__version__,
        )


def preload() -> None:
    """Compile the rules of user agents before the fork, so that the workers share their memory."""
    UaParserUserAgents()


def build_worker(
    settings: Settings,
    worker_metrics: WorkerMetrics,
    *,
    url: str,
    secret: bytes,
    inherited: Directory | None = None,
) -> Application:
    """Return the application of one worker, over PostgreSQL; call it after the fork."""
    adapters = Adapters.of(settings, url=url, worker_metrics=worker_metrics)
    built = build_app(
        adapters.ports(), settings, secret=secret, inherited=inherited, lifecycle=adapters.lifecycle
    )
    return built.application
