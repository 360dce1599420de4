"""The ports that the service is built from, one adapter for each."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.http.resources.health import CellObstacles, ColumnsState, Readiness
from footfall.adapters.http.resources.metrics import Render
from footfall.application.ingestion.outcomes import CellLedgers
from footfall.application.languages.language import Languages
from footfall.application.ports.accounts.former_proofs import FormerProofs
from footfall.application.ports.accounts.identity_providers import Identities
from footfall.application.ports.accounts.invitation_addresses import InvitationAddresses
from footfall.application.ports.accounts.passkeys import Passkeys
from footfall.application.ports.accounts.people import People
from footfall.application.ports.accounts.registrations import Registrations
from footfall.application.ports.accounts.sign_in_uses import SignInUses
from footfall.application.ports.accounts.sign_in_ways import Attempts, ForgetsUsers, OneTimeTokens
from footfall.application.ports.alerts.watches import AlertWatches
from footfall.application.ports.alerts.webhooks import TargetAddresses, WebhookQueue
from footfall.application.ports.alerts.window_reports import WindowReports
from footfall.application.ports.cells import CellTraffic
from footfall.application.ports.enrichment import BotAddresses, Geolocation, Networks, UserAgents
from footfall.application.ports.errors.source_maps import SourceMaps, Symbolicator
from footfall.application.ports.journal import EventStore, KeyUses, LinkUses
from footfall.application.ports.mail import MailRenderer, Outbox, Unsubscriptions
from footfall.application.ports.metrics import Metrics
from footfall.application.ports.report_recipients import RecipientAddresses
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.reports.snapshots import ReportSet, ReportSnapshots
from footfall.application.ports.system import Clock, Identifiers, Randomness, Salts
from footfall.application.ports.traffic_log import Intake, NewestPageviews, OutcomeLedger
from footfall.application.ports.visitor_data import VisitorData
from footfall.application.ports.visitor_erasures import VisitorErasures
from footfall.application.reports.all_sites import ReportsOfCell
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.traffic.filters import ExpressionCompiler


@frozen(kw_only=True)
class SignInPorts:
    """The ports of the ways to sign in."""

    tokens: OneTimeTokens
    attempts: Attempts
    passkeys: Passkeys
    identities: Identities

    @property
    def of_users(self) -> Sequence[ForgetsUsers]:
        """The ports that keep something about users, which is erased with a person."""
        return (self.tokens, self.passkeys, self.identities)


@frozen(kw_only=True)
class AlertPorts:
    """The ports of alerts."""

    watches: AlertWatches
    windows: WindowReports
    addresses: TargetAddresses
    queue: WebhookQueue


@frozen(kw_only=True)
class JournalPorts:
    """The ports of the commands: the journal, uses of keys, persons, ways to sign in, mail, ids and the clock."""

    event_store: EventStore
    identifiers: Identifiers
    key_uses: KeyUses
    link_uses: LinkUses
    people: People
    registrations: Registrations
    sign_in_uses: SignInUses
    invitation_addresses: InvitationAddresses
    sign_in: SignInPorts
    former_proofs: FormerProofs
    names_in_journal: ForgetsUsers
    outbox: Outbox
    randomness: Randomness
    clock: Clock
    cell_traffic: CellTraffic


@frozen(kw_only=True)
class Ports(JournalPorts):
    """All ports of the service."""

    intake: Intake
    newest_pageviews: NewestPageviews
    outcome_ledger: OutcomeLedger
    cell_ledgers: CellLedgers | None = None
    salts: Salts
    user_agents: UserAgents
    geolocation: Geolocation
    networks: Networks
    bot_addresses: BotAddresses
    reports: ReportSet
    source_maps: SourceMaps
    # None where its library is not installed: stacks are shown as they were sent.
    symbolicator: Symbolicator | None
    expressions: ExpressionCompiler
    compile_patterns: PatternCompiler
    report_snapshots: ReportSnapshots
    all_sites_of: ReportsOfCell
    freshness: Freshness
    readiness: Readiness
    metrics: Metrics
    render_metrics: Render
    columns_state: ColumnsState
    cell_obstacles: CellObstacles
    unsubscriptions: Unsubscriptions
    recipient_addresses: RecipientAddresses
    visitor_data: VisitorData
    visitor_erasures: VisitorErasures
    alerts: AlertPorts
    mail_renderer: MailRenderer
    languages: Languages
