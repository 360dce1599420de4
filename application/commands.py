"""Command handlers: load a stream, let the aggregate decide, append; a lost race is tried once more."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import field, frozen

from footfall.application.directory import Directory
from footfall.application.ports import (
    Actor,
    Clock,
    ConcurrencyConflict,
    EventStore,
    Identifiers,
    Metadata,
    Randomness,
)
from footfall.application.streams import (
    api_key_stream,
    goal_stream,
    organization_stream,
    site_stream,
    user_stream,
)
from footfall.domain import api_key, goal, organization, site, user
from footfall.domain.api_key import ApiKey
from footfall.domain.errors import (
    ChangedByNewer,
    GoalNotFound,
    OrganizationNotFound,
    SiteNotFound,
    TooManyGoals,
)
from footfall.domain.goal import MAX_GOALS, Goal, Rule
from footfall.domain.organization import Organization, Role
from footfall.domain.site import ConfigChanges, ListSetting, Site
from footfall.domain.stream import FromNewer, fold
from footfall.domain.user import User

State = TypeVar("State")


@frozen
class Cause:
    """Who gives a command, and as part of which request; by default the operator at the command line."""

    actor: Actor = field(factory=Actor)
    request_id: str | None = None


@frozen
class IssuedKey:
    """A new API key, the only time that the key itself is to be had."""

    key_id: int
    key: str
    state: ApiKey

    def __repr__(self) -> str:
        return f"IssuedKey(key_id={self.key_id})"


class Commands:
    """Everything that changes what people decided.

    Every method raises ConcurrencyConflict when two races in a row are lost, and StoreUnavailable when the journal
    cannot be reached; what else it refuses is what the domain refuses.
    """

    def __init__(
        self,
        *,
        store: EventStore,
        directory: Directory,
        identifiers: Identifiers,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._store = store
        self._directory = directory
        self._identifiers = identifiers
        self._randomness = randomness
        self._clock = clock

    async def register_user(self) -> str:
        """Return the id of a new user, who belongs to no organization yet."""
        return await self._identifiers.next_user()

    async def register_organization(self, *, name: str, owner: str, cause: Cause) -> str:
        """Register an organization with its first owner and return its id."""
        organization_id = await self._identifiers.next_organization()
        events = organization.register(organization_id, name=name, owner=owner)
        await self._create(organization_stream(organization_id), events, cause)
        return organization_id

    async def add_member(self, organization_id: str, user_id: str, role: Role, cause: Cause) -> None:
        """Let a user join an organization."""
        await self._change_organization(
            organization_id,
            lambda state: organization.add_member(state, user_id, role, by=cause.actor.user_id),
            cause,
        )

    async def change_role(self, organization_id: str, user_id: str, role: Role, cause: Cause) -> None:
        """Give a member another role."""
        await self._change_organization(
            organization_id,
            lambda state: organization.change_role(state, user_id, role, by=cause.actor.user_id),
            cause,
        )

    async def remove_member(self, organization_id: str, user_id: str, cause: Cause) -> None:
        """Let a member leave."""
        await self._change_organization(
            organization_id,
            lambda state: organization.remove_member(state, user_id, by=cause.actor.user_id),
            cause,
        )

    async def register_site(
        self,
        organization_id: str,
        *,
        name: str,
        domain: str,
        created_by: str,
        cause: Cause,
        changes: ConfigChanges | None = None,
    ) -> int:
        """Register a site of an organization and return its numeric id.

        Raises:
            OrganizationNotFound: there is no such organization.
            Invalid: the name, the domain or a setting breaks a rule.

        """
        await self._directory.catch_up()
        if self._directory.organization(organization_id) is None:
            raise OrganizationNotFound
        site_id = await self._identifiers.next_site()
        events = site.register(
            site_id,
            public_id=self._randomness.public_id(),
            organization_id=organization_id,
            name=name,
            domain=domain,
            created_by=created_by,
            changes=changes,
        )
        await self._create(site_stream(site_id), events, cause)
        return site_id

    async def configure_site(self, site_id: int, changes: ConfigChanges, cause: Cause) -> Site:
        """Change the supplied settings of a site and return it."""
        return await self._change_site(site_id, lambda state: site.configure(state, changes), cause)

    async def add_entries(
        self, site_id: int, setting: ListSetting, entries: Sequence[str], cause: Cause
    ) -> Site:
        """Add entries to a setting of a site that is a list and return the site."""
        return await self._change_site(
            site_id, lambda state: site.add_entries(state, setting, entries), cause
        )

    async def remove_entry(self, site_id: int, setting: ListSetting, entry: str, cause: Cause) -> Site:
        """Take an entry from a setting of a site that is a list and return the site."""
        return await self._change_site(site_id, lambda state: site.remove_entry(state, setting, entry), cause)

    async def rename_site(self, site_id: int, *, name: str | None, domain: str | None, cause: Cause) -> Site:
        """Give a site another name or domain and return it."""
        return await self._change_site(
            site_id, lambda state: site.rename(state, name=name, domain=domain), cause
        )

    async def limit_pageviews(self, site_id: int, limit: int | None, cause: Cause) -> Site:
        """Set or lift the monthly pageview limit of a site and return it."""
        return await self._change_site(site_id, lambda state: site.limit_pageviews(state, limit), cause)

    async def retain(self, site_id: int, days: int | None, cause: Cause) -> Site:
        """Set for how many days what is tracked on a site is kept, or keep it for good, and return the site."""
        return await self._change_site(site_id, lambda state: site.retain(state, days), cause)

    async def generate_private_link(self, site_id: int, cause: Cause) -> Site:
        """Give a site a new private link key and return it."""
        key = self._randomness.private_link_key()
        return await self._change_site(site_id, lambda state: site.generate_private_link(state, key), cause)

    async def revoke_private_link(self, site_id: int, cause: Cause) -> Site:
        """Take the private link from a site and return it."""
        return await self._change_site(site_id, site.revoke_private_link, cause)

    async def resolve_error(self, site_id: int, message: str, cause: Cause) -> None:
        """Call exceptions with exactly this message resolved, as of now."""
        await self._change_site(site_id, lambda state: site.resolve_error(state, message), cause)

    async def delete_site(self, site_id: int, cause: Cause) -> None:
        """Delete a site for good."""
        await self._change_site(site_id, site.delete, cause)

    async def define_goal(self, site_id: int, *, name: str | None, rule: Rule, cause: Cause) -> int:
        """Define a goal of a site and return its id.

        Raises:
            SiteNotFound: there is no such site.
            TooManyGoals: the site has 200 goals.

        """
        await self._directory.catch_up()
        if self._directory.site(str(site_id)) is None:
            raise SiteNotFound
        if len(self._directory.goals_of(site_id)) >= MAX_GOALS:
            raise TooManyGoals(MAX_GOALS)
        goal_id = await self._identifiers.next_goal()
        events = goal.define(goal_id, site_id=site_id, name=name, rule=rule)
        await self._create(goal_stream(goal_id), events, cause)
        return goal_id

    async def redefine_goal(
        self, site_id: int, goal_id: int, *, name: str | None, rule: Rule, cause: Cause
    ) -> None:
        """Replace a goal of a site as a whole."""
        await self._change_goal(
            site_id, goal_id, lambda state: goal.redefine(state, name=name, rule=rule), cause
        )

    async def delete_goal(self, site_id: int, goal_id: int, cause: Cause) -> None:
        """Delete a goal of a site for good."""
        await self._change_goal(site_id, goal_id, goal.delete, cause)

    async def issue_key(
        self, user_id: str, *, name: str, cause: Cause, expires_in_days: int | None = None
    ) -> IssuedKey:
        """Issue an API key of a user; the key is in the answer and nowhere else."""
        key_id, key = await self._identifiers.next_api_key(), self._randomness.api_key()
        events = api_key.issue(
            key_id,
            user_id=user_id,
            name=name,
            key=key,
            now=self._clock.now(),
            expires_in_days=expires_in_days,
        )
        await self._create(api_key_stream(key_id), events, cause)
        return IssuedKey(key_id, key, fold(api_key.apply, events, ApiKey()))

    async def revoke_key(self, user_id: str, key_id: int, cause: Cause) -> None:
        """Revoke an API key of a user."""
        await self._change(
            api_key_stream(key_id),
            api_key.apply,
            ApiKey(),
            lambda state: api_key.revoke(state, user_id=user_id),
            cause,
        )

    async def issue_sign_in_link(self, user_id: str, cause: Cause) -> str:
        """Return the token of a new one-time sign-in link; it is in the answer and nowhere else."""
        token = self._randomness.sign_in_token()
        await self._change_user(user_id, lambda _: user.issue_link(token=token, now=self._clock.now()), cause)
        return token

    async def sign_in_by_link(self, user_id: str, token: str, cause: Cause) -> str:
        """Sign a browser in by a one-time link and return the id of the sign-in."""
        sign_in_id = self._randomness.sign_in_token()
        await self._change_user(
            user_id,
            lambda state: user.sign_in_by_link(
                state, token=token, sign_in_id=sign_in_id, now=self._clock.now()
            ),
            cause,
        )
        return sign_in_id

    async def sign_in_by_key(self, key: ApiKey | None, cause: Cause) -> str:
        """Sign a browser in by an API key and return the id of the sign-in."""
        sign_in_id = self._randomness.sign_in_token()
        events = user.sign_in_by_key(key, sign_in_id=sign_in_id, now=self._clock.now())
        await self._change_user(key.user_id if key else "", lambda _: events, cause)
        return sign_in_id

    async def sign_out(self, user_id: str, sign_in_id: str, cause: Cause) -> None:
        """Sign one browser of a user out."""
        await self._change_user(user_id, lambda state: user.sign_out(state, sign_in_id), cause)

    async def sign_out_everywhere(self, user_id: str, cause: Cause) -> None:
        """Sign all browsers of a user out and make unused sign-in links void."""
        await self._change_user(user_id, user.sign_out_everywhere, cause)

    async def _change_user(self, user_id: str, decide: Callable[[User], Sequence[Any]], cause: Cause) -> None:
        await self._change(user_stream(user_id), user.apply, User(), decide, cause)

    async def _change_organization(
        self, organization_id: str, decide: Callable[[Organization], Sequence[Any]], cause: Cause
    ) -> None:
        def decide_existing(state: Organization) -> Sequence[Any]:
            if not state.exists:
                raise OrganizationNotFound
            return decide(state)

        stream = organization_stream(organization_id)
        await self._change(stream, organization.apply, Organization(), decide_existing, cause)

    async def _change_site(self, site_id: int, decide: Callable[[Site], Sequence[Any]], cause: Cause) -> Site:
        return await self._change(site_stream(site_id), site.apply, Site(), decide, cause)

    async def _change_goal(
        self, site_id: int, goal_id: int, decide: Callable[[Goal], Sequence[Any]], cause: Cause
    ) -> None:
        def decide_own(state: Goal) -> Sequence[Any]:
            if state.site_id != site_id:
                raise GoalNotFound
            return decide(state)

        await self._change(goal_stream(goal_id), goal.apply, Goal(), decide_own, cause)

    async def _create(self, stream: str, events: Sequence[Any], cause: Cause) -> None:
        await self._store.append(stream, events, expected=0, metadata=self._metadata(cause))

    async def _change(
        self,
        stream: str,
        apply: Callable[[State, Any], State],
        start: State,
        decide: Callable[[State], Sequence[Any]],
        cause: Cause,
    ) -> State:
        try:
            return await self._attempt(stream, apply, start, decide, cause)
        except ConcurrencyConflict:
            return await self._attempt(stream, apply, start, decide, cause)

    async def _attempt(
        self,
        stream: str,
        apply: Callable[[State, Any], State],
        start: State,
        decide: Callable[[State], Sequence[Any]],
        cause: Cause,
    ) -> State:
        history = await self._store.load(stream)
        if any(isinstance(recorded.event, FromNewer) for recorded in history):
            raise ChangedByNewer
        state = fold(apply, (recorded.event for recorded in history), start)
        if new := decide(state):
            await self._store.append(stream, new, expected=len(history), metadata=self._metadata(cause))
        return fold(apply, new, state)

    def _metadata(self, cause: Cause) -> Metadata:
        return Metadata(actor=cause.actor, recorded_at=self._clock.now(), request_id=cause.request_id)
