"""The services that the HTTP interface and the dashboard have in common."""

from attrs import frozen

from footfall.application.access.authorization import Gatekeeper
from footfall.application.access.key_lookup import ApiKeys
from footfall.application.access.link_uses import LinkTracker
from footfall.application.access.own_visits import OwnVisits
from footfall.application.access.sign_in_uses import SignInTracker
from footfall.application.alerts.services import AlertServices
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.sites.link_keys import LinkKeys
from footfall.application.commands.sites.user_secrets import UserSecretIssuing
from footfall.application.commands.source_map_uploads import SourceMapUploads
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.invitations.invitations import Invitations
from footfall.application.journal.directory import Directory
from footfall.application.journal.history import History
from footfall.application.ports.accounts.people import People
from footfall.application.ports.enrichment import Locates
from footfall.application.ports.errors.source_maps import SourceMaps
from footfall.application.ports.system import Clock
from footfall.application.reports.all_sites import AllSitesReader
from footfall.application.reports.source_stacks import SourceStacks
from footfall.application.visitors.visitors import Visitors


@frozen(kw_only=True)
class SharedServices:
    """What members, programs and browsers ask of a process, whichever way they come in."""

    gatekeeper: Gatekeeper
    directory: Directory
    commands: Commands
    people: People
    invitations: Invitations
    link_keys: LinkKeys
    user_secrets: UserSecretIssuing
    api_keys: ApiKeys
    sign_in_tracker: SignInTracker
    link_tracker: LinkTracker
    history: History
    alerts: AlertServices
    visitors: Visitors
    all_sites: AllSitesReader
    source_maps: SourceMaps
    source_map_uploads: SourceMapUploads
    source_stacks: SourceStacks
    outcomes: OutcomeCounter
    locates: Locates
    own_visits: OwnVisits
    clock: Clock
