"""All commands, by aggregate."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.commands.accounts.api_keys import ApiKeyCommands
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.accounts.invitations import InvitationCommands
from footfall.application.commands.accounts.organizations import OrganizationCommands
from footfall.application.commands.accounts.people import PeopleCommands
from footfall.application.commands.accounts.report_subscriptions import ReportSubscriptionCommands
from footfall.application.commands.accounts.sign_in import SignInCommands
from footfall.application.commands.alerts import AlertCommands
from footfall.application.commands.cells import CellCommands
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.commands.error_groups import ErrorGroupCommands
from footfall.application.commands.first_start import BeginningCommands
from footfall.application.commands.funnels import FunnelCommands
from footfall.application.commands.goals import GoalCommands
from footfall.application.commands.sites.aliases import AliasCommands
from footfall.application.commands.sites.annotations import AnnotationCommands
from footfall.application.commands.sites.exclusions import ExclusionCommands
from footfall.application.commands.sites.page_groups import PageGroupCommands
from footfall.application.commands.sites.report_recipients import ReportRecipientCommands
from footfall.application.commands.sites.segments import SegmentCommands
from footfall.application.commands.sites.shared_links import SharedLinkCommands
from footfall.application.commands.sites.sites import SiteCommands
from footfall.application.commands.sites.visitor_erasures import VisitorErasureCommands
from footfall.application.journal.directory import Directory
from footfall.application.ports.accounts.identity_providers import Identities
from footfall.application.ports.accounts.invitation_addresses import InvitationAddresses
from footfall.application.ports.accounts.people import People
from footfall.application.ports.accounts.registrations import Registrations
from footfall.application.ports.accounts.sign_in_ways import ForgetsUsers
from footfall.application.ports.cells import CellTraffic
from footfall.application.ports.journal import EventStore
from footfall.application.ports.system import Clock, Identifiers, Randomness


@frozen(kw_only=True)
class Commands:
    """The commands that change the journal.

    Every command raises ConcurrencyConflict after two lost races in a row, StoreUnavailable when the journal cannot be
    reached, and StreamSetAside when an event of its stream cannot be read, besides the refusals of the domain.
    """

    beginning: BeginningCommands
    people: PeopleCommands
    organizations: OrganizationCommands
    invitations: InvitationCommands
    sites: SiteCommands
    goals: GoalCommands
    funnels: FunnelCommands
    segments: SegmentCommands
    links: SharedLinkCommands
    exclusions: ExclusionCommands
    page_groups: PageGroupCommands
    aliases: AliasCommands
    visitor_erasures: VisitorErasureCommands
    error_groups: ErrorGroupCommands
    annotations: AnnotationCommands
    alerts: AlertCommands
    api_keys: ApiKeyCommands
    sign_in: SignInCommands
    cells: CellCommands
    report_subscriptions: ReportSubscriptionCommands
    report_recipients: ReportRecipientCommands


@frozen(kw_only=True)
class UserPorts:
    """The stores of users beside the journal; `traces` are erased with a person."""

    people: People
    registrations: Registrations
    identities: Identities
    invitation_addresses: InvitationAddresses
    traces: Sequence[ForgetsUsers]


def build_commands(
    *,
    store: EventStore,
    directory: Directory,
    identifiers: Identifiers,
    users: UserPorts,
    former_users: FormerUsers,
    randomness: Randomness,
    clock: Clock,
    cell_traffic: CellTraffic,
) -> Commands:
    """Return all commands over one journal."""
    streams = DecideAndAppend(store=store, directory=directory, clock=clock)
    api_keys = ApiKeyCommands(streams=streams, identifiers=identifiers, randomness=randomness)
    organizations = OrganizationCommands(
        streams=streams,
        identifiers=identifiers,
        people=users.people,
        addresses=users.invitation_addresses,
    )
    sites = SiteCommands(
        streams=streams, identifiers=identifiers, randomness=randomness, cell_traffic=cell_traffic
    )
    return Commands(
        beginning=BeginningCommands(
            registrations=users.registrations,
            identifiers=identifiers,
            randomness=randomness,
            clock=clock,
            sites=sites,
        ),
        people=PeopleCommands(
            streams=streams,
            identifiers=identifiers,
            people=users.people,
            organizations=organizations,
            identities=users.identities,
            former_users=former_users,
            traces=users.traces,
            api_keys=api_keys,
        ),
        organizations=organizations,
        invitations=InvitationCommands(
            streams=streams,
            organizations=organizations,
            addresses=users.invitation_addresses,
            former_users=former_users,
            randomness=randomness,
        ),
        sites=sites,
        segments=SegmentCommands(streams=streams),
        links=SharedLinkCommands(streams=streams),
        exclusions=ExclusionCommands(streams=streams),
        page_groups=PageGroupCommands(streams=streams),
        aliases=AliasCommands(streams=streams),
        visitor_erasures=VisitorErasureCommands(streams=streams),
        goals=GoalCommands(streams=streams, identifiers=identifiers),
        funnels=FunnelCommands(streams=streams, identifiers=identifiers),
        error_groups=ErrorGroupCommands(streams=streams, randomness=randomness),
        annotations=AnnotationCommands(streams=streams, randomness=randomness),
        alerts=AlertCommands(streams=streams),
        api_keys=api_keys,
        sign_in=SignInCommands(streams=streams, randomness=randomness),
        cells=CellCommands(streams),
        report_subscriptions=ReportSubscriptionCommands(streams=streams),
        report_recipients=ReportRecipientCommands(streams=streams),
    )
