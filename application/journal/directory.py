"""The directory: the fold of the whole journal that every worker holds in memory."""

import asyncio
import logging
from typing import Any

from attrs import define, evolve, field

from footfall.application.journal.directory_records import (
    ApiKeyRecord,
    FunnelRecord,
    GoalRecord,
    OrganizationRecord,
    SetAside,
    SiteRecord,
)
from footfall.application.journal.directory_state import DirectoryState, advance
from footfall.application.journal.stream_names import (
    alerts_stream,
    annotations_stream,
    error_groups_stream,
    firings_stream,
    funnel_stream,
    goal_stream,
    organization_stream,
)
from footfall.application.ports.journal import EventStore, StoreUnavailable, StreamSetAside
from footfall.domain.accounts.api_key import ApiKey
from footfall.domain.accounts.organization import Role
from footfall.domain.accounts.user import SignIn
from footfall.domain.alerts.firings import Firings
from footfall.domain.alerts.rules import SiteAlerts
from footfall.domain.annotations.annotations import Annotation, Annotations
from footfall.domain.cells.cell import Cell
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.exceptions import SiteNotFound, existing
from footfall.domain.periods.period import Period
from footfall.domain.sites.site import Site

PAGE = 5_000
POLL_SECONDS = 0.5

_log = logging.getLogger(__name__)


@define(eq=False)
class Directory:
    """Sites, goals, keys, organizations and sign-ins as of the last event that this process has read.

    A record in it is at most half a second old; whether a missing one exists is only known after a catch-up. A
    directory that begins with the state of another one continues from there.
    """

    _store: EventStore
    # The whole installation: commands have it, too, and none of it belongs into their repr.
    state: DirectoryState = field(factory=DirectoryState, repr=False)
    # How many events are read at a time, and how long a look waits for news.
    _page: int = field(default=PAGE, kw_only=True)
    _poll_seconds: float = field(default=POLL_SECONDS, kw_only=True)
    _pending: asyncio.Task[None] | None = field(default=None, init=False)
    _running: asyncio.Task[None] | None = field(default=None, init=False)

    @property
    def position(self) -> int:
        """The position of the last event that was read."""
        return self.state.position

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        """The streams with an event that cannot be read, the first one first."""
        return tuple(self.state.set_aside.values())

    def held(self) -> "Directory":
        """Return a directory with the present state, which keeps it when this one reads on."""
        return Directory(self._store, self.state)

    async def at_later(self, position: int) -> "Directory":
        """Return a directory as of a later position, for which the events between are read; this one stays as it is.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        state = self.state
        while state.position < position:
            page = await self._store.read_all(after=state.position, limit=self._page)
            events = [event for event in page if event.position <= position]
            state = advance(state, events) if events else evolve(state, position=position)
        return Directory(self._store, state)

    def require_readable(self, stream: str) -> None:
        """Raise StreamSetAside when the stream has an event that cannot be read."""
        if stream in self.state.set_aside:
            raise StreamSetAside(stream)

    async def catch_up(self) -> None:
        """Read everything that was appended before this call.

        Calls during a read share the next read.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        if self._pending is None:
            self._pending = asyncio.ensure_future(self._read_after(self._running))
            self._pending.add_done_callback(_retrieve)
        await asyncio.shield(self._pending)

    async def follow(self) -> None:
        """Keep the directory current until cancelled; an unreachable store is tried again."""
        reachable = True
        while True:
            try:
                await self._store.changed(within=self._poll_seconds)
                await self.catch_up()
                reachable = True
            except StoreUnavailable:
                if reachable:
                    _log.warning(
                        "journal unreachable, the directory stays as it is",
                        extra={"position": self.state.position},
                    )
                reachable = False
                await asyncio.sleep(self._poll_seconds)

    def site(self, reference: str) -> SiteRecord | None:
        """Return the site with this numeric or text id, unless it does not exist or is deleted."""
        sites = self.state.sites
        return sites.get(reference) or sites.get(self.state.public_ids.get(reference, ""))

    async def find_site(self, reference: str) -> SiteRecord | None:
        """Return the site, reading the journal before reporting it as missing.

        Raises:
            StoreUnavailable: it is not known here and the journal cannot be read.
            StreamSetAside: an event of the site cannot be read.

        """
        if record := self.site(reference):
            return record
        await self.catch_up()
        return self.readable_site(reference)

    def readable_site(self, reference: str) -> SiteRecord | None:
        """Return the site as `site` does, unless an event of it cannot be read.

        Raises:
            StreamSetAside: an event of the site cannot be read.

        """
        self.require_readable(f"site-{self.state.public_ids.get(reference, reference)}")
        return self.site(reference)

    async def present_site(self, site_id: int) -> SiteRecord:
        """Return a site as it is now, for a command.

        Raises:
            SiteNotFound: there is no such site.
            StreamSetAside: an event of the site cannot be read.
            StoreUnavailable: the journal cannot be read.

        """
        await self.catch_up()
        return existing(self.readable_site(str(site_id)), SiteNotFound)

    def cells(self) -> list[Cell]:
        """Return the cells by their names; the store of the journal is among them when it was ever closed."""
        return [self.state.cells[name] for name in sorted(self.state.cells)]

    def cell_of(self, site_id: int) -> str | None:
        """Return the cell of a site, also of a deleted one; None for the store of the journal."""
        return self.state.placements.get(site_id)

    def sites_of(self, organization_id: str) -> list[SiteRecord]:
        """Return the sites of an organization by their ids."""
        records = [
            record for record in self.state.sites.values() if record.site.organization_id == organization_id
        ]
        return sorted(records, key=lambda record: record.site.site_id)

    def sites(self) -> list[SiteRecord]:
        """Return all sites by their ids."""
        return sorted(self.state.sites.values(), key=lambda record: record.site.site_id)

    def annotations(self, site_id: int) -> Annotations:
        """Return the annotations of a site.

        Raises:
            StreamSetAside: one of them cannot be read.

        """
        self.require_readable(annotations_stream(site_id))
        return self.state.annotations.get(str(site_id), Annotations())

    def known_deploys(self, site_id: int, period: Period) -> list[Annotation]:
        """Return the marks of deploys of a period, by time.

        A site whose annotations cannot be read has none, so that a list of many sites does not fail because of one.
        """
        return self.state.annotations.get(str(site_id), Annotations()).deploys(period)

    def alerts(self, site_id: int) -> SiteAlerts:
        """Return the alert rules and targets of a site.

        Raises:
            StreamSetAside: an event of them cannot be read.

        """
        self.require_readable(alerts_stream(site_id))
        return self.state.alerts.get(str(site_id), SiteAlerts())

    def firings(self, site_id: int, rule: int) -> Firings:
        """Return the latest firings of an alert rule.

        Raises:
            StreamSetAside: an event of them cannot be read.

        """
        self.require_readable(firings_stream(site_id, rule))
        return self.state.firings.get(f"{site_id}-{rule}", Firings())

    def error_decisions(self, site_id: int) -> ErrorDecisions:
        """Return the decisions about the groups of errors of a site.

        Raises:
            StreamSetAside: one of them cannot be read.

        """
        self.require_readable(error_groups_stream(site_id))
        return self.state.error_decisions.get(str(site_id), ErrorDecisions())

    def goal(self, goal_id: int) -> GoalRecord | None:
        """Return the goal, unless it does not exist or is deleted; raise StreamSetAside when it cannot be read."""
        self.require_readable(goal_stream(goal_id))
        record = self.state.goals.get(str(goal_id))
        return None if record is None else self._in_site(record)

    def goals_of(self, site_id: int) -> list[GoalRecord]:
        """Return the goals of a site by their ids."""
        streams = self.state.goals_by_site.get(site_id, {})
        return [self._in_site(self.state.goals[streams[goal_id]]) for goal_id in sorted(streams)]

    def _in_site(self, record: GoalRecord) -> GoalRecord:
        site = self.state.sites.get(str(record.goal.site_id))
        return record if site is None else record.in_site(site.site)

    def funnel(self, funnel_id: int) -> FunnelRecord | None:
        """Return the funnel, unless it does not exist or is deleted; raise StreamSetAside when it cannot be read."""
        self.require_readable(funnel_stream(funnel_id))
        return self.state.funnels.get(str(funnel_id))

    def funnels_of(self, site_id: int) -> list[FunnelRecord]:
        """Return the funnels of a site by their ids."""
        streams = self.state.funnels_by_site.get(site_id, {})
        return [self.state.funnels[streams[funnel_id]] for funnel_id in sorted(streams)]

    def key(self, digest: str) -> ApiKey | None:
        """Return the key with this digest, unless it does not exist or is revoked."""
        key_id = self.state.keys_by_digest.get(digest)
        return None if key_id is None else self.state.keys[key_id].key

    async def find_key(self, digest: str) -> ApiKey | None:
        """Return the key, reading the journal before reporting it as missing.

        Raises:
            StoreUnavailable: it is not known here and the journal cannot be read.

        """
        if key := self.key(digest):
            return key
        await self.catch_up()
        return self.key(digest)

    def key_by_id(self, key_id: int) -> ApiKeyRecord | None:
        """Return the key with this number, unless it does not exist or is revoked."""
        return self.state.keys.get(str(key_id))

    def keys_of(self, user_id: str) -> list[ApiKeyRecord]:
        """Return the keys of a user by their ids, without revoked ones."""
        records = [record for record in self.state.keys.values() if record.key.user_id == user_id]
        return sorted(records, key=lambda record: record.key.key_id)

    def organization(self, organization_id: str) -> OrganizationRecord | None:
        """Return the organization with this id; raise StreamSetAside when it cannot be read."""
        self.require_readable(organization_stream(organization_id))
        return self.state.organizations.get(organization_id)

    def organization_name(self, organization_id: str) -> str:
        """Return the name of an organization, empty when there is none; raise StreamSetAside as `organization` does."""
        record = self.organization(organization_id)
        return "" if record is None else record.organization.name

    def organizations(self) -> list[OrganizationRecord]:
        """Return all organizations in the order of their registration."""
        return sorted(self.state.organizations.values(), key=lambda record: record.created_at)

    def organizations_of(self, user_id: str) -> list[OrganizationRecord]:
        """Return the organizations that a user is a member of, in the order of their registration."""
        return [record for record in self.organizations() if user_id in record.organization.roles]

    def role(self, user_id: str, organization_id: str) -> Role | None:
        """Return the role of a user in an organization; None when they are not a member.

        Raises:
            StreamSetAside: an event of the organization cannot be read.

        """
        record = self.organization(organization_id)
        return None if record is None else record.organization.roles.get(user_id)

    def role_on(self, user_id: str, site: Site) -> Role | None:
        """Return the role of a user on a site; None when they are not a member, or may not see this site.

        Raises:
            StreamSetAside: an event of the site's organization cannot be read.

        """
        record = self.organization(site.organization_id)
        return None if record is None else record.organization.role_on(user_id, site.site_id)

    def sites_for(self, user_id: str, organization_id: str) -> list[SiteRecord]:
        """Return the sites of an organization that a user may see, by their ids."""
        sites = self.sites_of(organization_id)
        return [record for record in sites if self.role_on(user_id, record.site) is not None]

    def knows_user(self, user_id: str) -> bool:
        """Whether the user was registered and not forgotten, is a member, or was one and still has a key."""
        user = self.state.users.get(user_id)
        if user is not None and (user.registered or user.forgotten):
            return not user.forgotten
        member = any(user_id in record.organization.roles for record in self.state.organizations.values())
        return member or any(record.key.user_id == user_id for record in self.state.keys.values())

    def users(self) -> list[str]:
        """Return the ids of all users that `knows_user` knows, in the order of their numbers."""
        members = {user for record in self.state.organizations.values() for user in record.organization.roles}
        keepers = {record.key.user_id for record in self.state.keys.values()}
        user_ids = members | keepers | set(self.state.users)
        return sorted(filter(self.knows_user, user_ids), key=lambda user_id: (len(user_id), user_id))

    def sign_ins_of(self, user_id: str) -> list[SignIn]:
        """Return the open sign-ins of a user, expired ones included, in the order of their beginning."""
        user = self.state.users.get(user_id)
        return [] if user is None else list(user.sign_ins.values())

    async def find_sign_in(self, user_id: str, sign_in_id: str) -> SignIn | None:
        """Return the open sign-in, reading the journal before reporting it as missing.

        Raises:
            StoreUnavailable: it is not known here and the journal cannot be read.

        """
        if sign_in := self._sign_in(user_id, sign_in_id):
            return sign_in
        await self.catch_up()
        return self._sign_in(user_id, sign_in_id)

    def _sign_in(self, user_id: str, sign_in_id: str) -> SignIn | None:
        user = self.state.users.get(user_id)
        return None if user is None else user.sign_ins.get(sign_in_id)

    async def _read_after(self, running: asyncio.Task[None] | None) -> None:
        if running is not None:
            await asyncio.wait([running])
        self._running, self._pending = self._pending, None
        while events := await self._store.read_all(after=self.state.position, limit=self._page):
            self.state = advance(self.state, events)
            if len(events) < self._page:
                return


def _retrieve(task: asyncio.Task[Any]) -> None:
    # asyncio reports a failure that no caller retrieved, and every caller may have been cancelled.
    if not task.cancelled():
        task.exception()
