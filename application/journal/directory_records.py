"""The records of the directory: one for each aggregate and each stream that is set aside."""

from datetime import datetime
from functools import cached_property

from attrs import evolve, field, frozen

from footfall.domain.accounts.api_key import ApiKey
from footfall.domain.accounts.organization import Organization
from footfall.domain.funnels.funnel import Funnel
from footfall.domain.goals.goal import Goal, GoalQuery, PageGroupRule, with_groups
from footfall.domain.sites.excluded_addresses import ExcludedIPs, compile_excluded_ips, parse_address
from footfall.domain.sites.excluded_patterns import (
    PatternCompiler,
    anywhere,
    compared_host,
    compared_user_agent,
)
from footfall.domain.sites.site import Site
from footfall.domain.sites.visitor_reach import ReachHistory


@frozen
class SiteRecord:
    """A site with the times of its registration and last change; exclusions are compiled on first use.

    `reaches` says how far it recognized visitors, and since when.
    """

    site: Site
    created_at: datetime
    updated_at: datetime
    reaches: ReachHistory = field()

    @reaches.default
    def _reach_of_registration(self) -> ReachHistory:
        return ReachHistory(((self.created_at, self.site.config.visitor_reach),))

    @cached_property
    def excluded_ips(self) -> ExcludedIPs:
        """The addresses whose hits are dropped."""
        return compile_excluded_ips(self.site.config.excluded_ips)

    @cached_property
    def excluded_countries(self) -> frozenset[str]:
        """The countries whose hits are dropped."""
        return frozenset(self.site.config.excluded_countries)

    @cached_property
    def _excluded_user_agents(self) -> tuple[str, ...]:
        """The patterns of user agents as they are compiled."""
        return tuple(map(anywhere, self.site.config.excluded_user_agents))

    def excludes_address(self, address: str) -> bool:
        """Return whether hits from an address are dropped; a Unix socket has none."""
        if not self.site.config.excluded_ips:
            return False
        try:
            return parse_address(address) in self.excluded_ips
        except ValueError:
            return False

    def excludes_user_agent(self, user_agent: str | None, compile_patterns: PatternCompiler) -> bool:
        """Return whether hits of a browser or program are dropped; those without a user agent are not."""
        patterns = self._excluded_user_agents
        if not patterns or user_agent is None:
            return False
        return compile_patterns(patterns)(compared_user_agent(user_agent))

    def excludes_host(self, hostname: str | None, compile_patterns: PatternCompiler) -> bool:
        """Return whether hits of a host are dropped; those without one are not."""
        patterns = self.site.config.excluded_hosts
        if not patterns or not hostname:
            return False
        return compile_patterns(patterns)(compared_host(hostname))

    def excludes_path(self, pathname: str | None, compile_patterns: PatternCompiler) -> bool:
        """Return whether hits of a path, as it is stored, are dropped; those without one are not."""
        patterns = self.site.config.excluded_paths
        if not patterns or pathname is None:
            return False
        return compile_patterns(patterns)(pathname)


@frozen
class GoalRecord:
    """A goal with the time of its definition, and the position of the event that gave it its present rule."""

    goal: Goal
    created_at: datetime
    defined_at_position: int

    @property
    def query(self) -> GoalQuery:
        """The goal as reports are asked for it."""
        is_stored = not isinstance(self.goal.rule, PageGroupRule)
        return GoalQuery(self.goal.rule, self.defined_at_position if is_stored else None)

    def in_site(self, site: Site) -> "GoalRecord":
        """Return the goal as the groups of pages of its site give its rule a meaning."""
        rule = with_groups(self.goal.rule, site.page_groups)
        return self if rule is self.goal.rule else evolve(self, goal=evolve(self.goal, rule=rule))


@frozen
class FunnelRecord:
    """A funnel with the time of its definition."""

    funnel: Funnel
    created_at: datetime


@frozen
class ApiKeyRecord:
    """An API key with the time at which it was issued."""

    key: ApiKey
    created_at: datetime


@frozen
class OrganizationRecord:
    """An organization with the time of its registration."""

    organization: Organization
    created_at: datetime


@frozen
class SetAside:
    """A stream that is set aside, and its first event that cannot be read."""

    stream: str
    version: int
    position: int
    type: str
