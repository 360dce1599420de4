"""The directory: the fold of the whole journal that every worker holds in memory."""

import asyncio
import logging
from collections.abc import Callable
from copy import copy
from datetime import datetime
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from footfall.application.ports import EventStore, RecordedEvent, StoreUnavailable
from footfall.application.streams import category
from footfall.domain import api_key, goal, organization, site, user
from footfall.domain.api_key import ApiKey
from footfall.domain.exclusion import ExcludedIPs, compile_excluded_ips
from footfall.domain.goal import Goal
from footfall.domain.organization import Organization, Role
from footfall.domain.site import ErrorResolved, Site
from footfall.domain.stream import Erased, FromNewer
from footfall.domain.user import SignIn, User

PAGE = 5_000
POLL_SECONDS = 0.5

_KNOWLEDGE = (
    "_position",
    "_organizations",
    "_sites",
    "_public_ids",
    "_goals",
    "_goals_by_site",
    "_keys",
    "_keys_by_digest",
    "_users",
)

_log = logging.getLogger(__name__)


@frozen
class ListedSite:
    """A site with when it came into being and changed, and its exclusions, made ready when they are first asked."""

    site: Site
    created_at: datetime
    updated_at: datetime

    @cached_property
    def excluded_ips(self) -> ExcludedIPs:
        """The addresses that are not counted."""
        return compile_excluded_ips(self.site.config.excluded_ips)

    @cached_property
    def excluded_countries(self) -> frozenset[str]:
        """The countries that are not counted."""
        return frozenset(self.site.config.excluded_countries)


@frozen
class ListedGoal:
    """A goal with when it was defined, and the position of the event that gave it its present rule."""

    goal: Goal
    created_at: datetime
    defined_at_position: int


@frozen
class ListedKey:
    """An API key with when it was issued."""

    key: ApiKey
    created_at: datetime


@frozen
class ListedOrganization:
    """An organization with when it was registered."""

    organization: Organization
    created_at: datetime


class Directory:
    """Sites, goals, keys and organizations as of the last event that this process has read.

    What is there can be trusted for half a second; what is not there is only believed after a catch-up. With `known` it
    begins with what another directory over the same journal has read, and goes on from there on its own.
    """

    def __init__(self, store: EventStore, *, known: "Directory | None" = None) -> None:
        self._store = store
        self._position = 0
        self._pending: asyncio.Task[None] | None = None
        self._running: asyncio.Task[None] | None = None
        self._organizations: dict[str, ListedOrganization] = {}
        self._sites: dict[str, ListedSite] = {}
        self._public_ids: dict[str, str] = {}
        self._goals: dict[str, ListedGoal] = {}
        self._goals_by_site: dict[int, dict[int, str]] = {}
        self._keys: dict[str, ListedKey] = {}
        self._keys_by_digest: dict[str, str] = {}
        self._users: dict[str, User] = {}
        self._appliers: dict[str, Callable[[RecordedEvent], None]] = {
            "organization": self._apply_organization,
            "site": self._apply_site,
            "goal": self._apply_goal,
            "apikey": self._apply_key,
            "user": self._apply_user,
        }

        if known is not None:
            # Copies, one level deep: what is in the dicts is replaced when it changes, never changed.
            for name in _KNOWLEDGE:
                setattr(self, name, copy(getattr(known, name)))

    @property
    def position(self) -> int:
        """The position of the last event that was read."""
        return self._position

    async def catch_up(self) -> None:
        """Read everything that was appended before this call.

        Callers that come while a reading is under way share the next one.

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
                await self._store.changed(within=POLL_SECONDS)
                await self.catch_up()
                reachable = True
            except StoreUnavailable:
                if reachable:
                    _log.warning(
                        "journal unreachable, the directory stays as it is",
                        extra={"position": self._position},
                    )
                reachable = False
                await asyncio.sleep(POLL_SECONDS)

    def site(self, reference: str) -> ListedSite | None:
        """Return the site with this numeric or text id, unless it does not exist or is deleted."""
        return self._sites.get(reference) or self._sites.get(self._public_ids.get(reference, ""))

    async def find_site(self, reference: str) -> ListedSite | None:
        """Return the site, looking into the journal before a missing one is believed.

        Raises:
            StoreUnavailable: it is not known here and the journal cannot be read.

        """
        if found := self.site(reference):
            return found
        await self.catch_up()
        return self.site(reference)

    def sites_of(self, organization_id: str) -> list[ListedSite]:
        """Return the sites of an organization by their ids."""
        its = [listed for listed in self._sites.values() if listed.site.organization_id == organization_id]
        return sorted(its, key=lambda listed: listed.site.site_id)

    def sites(self) -> list[ListedSite]:
        """Return all sites by their ids."""
        return sorted(self._sites.values(), key=lambda listed: listed.site.site_id)

    def goal(self, goal_id: int) -> ListedGoal | None:
        """Return the goal, unless it does not exist or is deleted."""
        return self._goals.get(str(goal_id))

    def goals_of(self, site_id: int) -> list[ListedGoal]:
        """Return the goals of a site by their ids."""
        streams = self._goals_by_site.get(site_id, {})
        return [self._goals[streams[goal_id]] for goal_id in sorted(streams)]

    def key(self, digest: str) -> ApiKey | None:
        """Return the key with this digest, unless it does not exist or is revoked."""
        key_id = self._keys_by_digest.get(digest)
        return None if key_id is None else self._keys[key_id].key

    async def find_key(self, digest: str) -> ApiKey | None:
        """Return the key, looking into the journal before a missing one is believed.

        Raises:
            StoreUnavailable: it is not known here and the journal cannot be read.

        """
        if found := self.key(digest):
            return found
        await self.catch_up()
        return self.key(digest)

    def key_by_id(self, key_id: int) -> ListedKey | None:
        """Return the key with this number, unless it does not exist or is revoked."""
        return self._keys.get(str(key_id))

    def keys_of(self, user_id: str) -> list[ListedKey]:
        """Return the keys of a user by their ids, without revoked ones."""
        mine = [listed for listed in self._keys.values() if listed.key.user_id == user_id]
        return sorted(mine, key=lambda listed: listed.key.key_id)

    def organization(self, organization_id: str) -> ListedOrganization | None:
        """Return the organization with this id."""
        return self._organizations.get(organization_id)

    def organizations(self) -> list[ListedOrganization]:
        """Return all organizations in the order of their registration."""
        return sorted(self._organizations.values(), key=lambda listed: listed.created_at)

    def organizations_of(self, user_id: str) -> list[ListedOrganization]:
        """Return the organizations that a user is a member of, in the order of their registration."""
        return [listed for listed in self.organizations() if user_id in listed.organization.roles]

    def role(self, user_id: str, organization_id: str) -> Role | None:
        """Return the role of a user in an organization; None when they are not a member."""
        listed = self._organizations.get(organization_id)
        return None if listed is None else listed.organization.roles.get(user_id)

    def knows_user(self, user_id: str) -> bool:
        """Whether the user is a member of any organization, or was one and still has a key."""
        member = any(user_id in listed.organization.roles for listed in self._organizations.values())
        return member or any(listed.key.user_id == user_id for listed in self._keys.values())

    def sign_ins_of(self, user_id: str) -> list[SignIn]:
        """Return the open sign-ins of a user, expired ones included, in the order of their beginning."""
        return list(self._users.get(user_id, User()).sign_ins.values())

    async def find_sign_in(self, user_id: str, sign_in_id: str) -> SignIn | None:
        """Return the open sign-in, looking into the journal before a missing one is believed.

        Raises:
            StoreUnavailable: it is not known here and the journal cannot be read.

        """
        if sign_in_id not in self._users.get(user_id, User()).sign_ins:
            await self.catch_up()
        return self._users.get(user_id, User()).sign_ins.get(sign_in_id)

    async def _read_after(self, running: asyncio.Task[None] | None) -> None:
        if running is not None:
            await asyncio.wait([running])
        self._running, self._pending = self._pending, None
        while events := await self._store.read_all(after=self._position, limit=PAGE):
            for recorded in events:
                self._apply(recorded)
            self._position = events[-1].position
            if len(events) < PAGE:
                return

    def _apply(self, recorded: RecordedEvent) -> None:
        if isinstance(recorded.event, FromNewer):
            # A rolling update is under way: to stand still would keep this worker from everything that comes later.
            _log.warning(
                "a newer version has written an event that this one does not know",
                extra={"type": recorded.event.type, "stream": recorded.stream},
            )
        elif not isinstance(recorded.event, Erased):
            self._appliers[category(recorded.stream)](recorded)

    def _apply_organization(self, recorded: RecordedEvent) -> None:
        identifier = recorded.stream.partition("-")[2]
        listed = self._organizations.get(identifier) or ListedOrganization(
            Organization(), recorded.metadata.recorded_at
        )
        state = organization.apply(listed.organization, recorded.event)
        self._organizations[identifier] = evolve(listed, organization=state)

    def _apply_site(self, recorded: RecordedEvent) -> None:
        identifier = recorded.stream.partition("-")[2]
        before = self._sites.get(identifier)
        if before and isinstance(recorded.event, ErrorResolved):
            return  # it changes nothing that the site is
        state = site.apply(before.site if before else Site(), recorded.event)
        if not state.exists:
            self._forget_site(identifier, state)
            return
        self._public_ids[state.public_id] = identifier
        at = recorded.metadata.recorded_at
        self._sites[identifier] = ListedSite(state, before.created_at if before else at, at)

    def _forget_site(self, identifier: str, state: Site) -> None:
        self._sites.pop(identifier, None)
        self._public_ids.pop(state.public_id, None)
        for stream in self._goals_by_site.pop(state.site_id, {}).values():
            self._goals.pop(stream, None)

    def _apply_goal(self, recorded: RecordedEvent) -> None:
        identifier = recorded.stream.partition("-")[2]
        before = self._goals.get(identifier)
        state = goal.apply(before.goal if before else Goal(), recorded.event)
        if not state.exists or str(state.site_id) not in self._sites:
            self._goals.pop(identifier, None)
            its = self._goals_by_site.get(state.site_id, {})
            self._goals_by_site[state.site_id] = {
                goal_id: stream for goal_id, stream in its.items() if goal_id != state.goal_id
            }
            return
        created_at = before.created_at if before else recorded.metadata.recorded_at
        changed = before is None or before.goal.rule is not state.rule
        position = recorded.position if before is None or changed else before.defined_at_position
        self._goals[identifier] = ListedGoal(state, created_at, position)
        its = self._goals_by_site.get(state.site_id, {})
        self._goals_by_site[state.site_id] = {**its, state.goal_id: identifier}

    def _apply_key(self, recorded: RecordedEvent) -> None:
        identifier = recorded.stream.partition("-")[2]
        before = self._keys.get(identifier)
        state = api_key.apply(before.key if before else ApiKey(), recorded.event)
        if not state.exists:
            self._keys.pop(identifier, None)
            self._keys_by_digest.pop(state.digest, None)
            return
        self._keys[identifier] = ListedKey(
            state, before.created_at if before else recorded.metadata.recorded_at
        )
        self._keys_by_digest[state.digest] = identifier

    def _apply_user(self, recorded: RecordedEvent) -> None:
        identifier = recorded.stream.partition("-")[2]
        self._users[identifier] = user.apply(self._users.get(identifier, User()), recorded.event)


def _retrieve(task: asyncio.Task[Any]) -> None:
    # Every caller may have been cancelled; asyncio would complain about a failure that nobody looked at.
    if not task.cancelled():
        task.exception()
