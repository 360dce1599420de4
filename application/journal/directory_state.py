"""The state of the directory, and how a page of events leads to the next one."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from attrs import asdict, define, field, fields, frozen

from footfall.application.journal.directory_records import (
    ApiKeyRecord,
    FunnelRecord,
    GoalRecord,
    OrganizationRecord,
    SetAside,
    SiteRecord,
)
from footfall.application.journal.stream_names import category, identifier_of, site_streams
from footfall.application.ports.journal import RecordedEvent
from footfall.domain.accounts import api_key, organization, user
from footfall.domain.accounts.user import User
from footfall.domain.alerts import firings, rules
from footfall.domain.alerts.firings import Firings
from footfall.domain.alerts.rules import SiteAlerts
from footfall.domain.annotations import annotations
from footfall.domain.annotations.annotations import Annotations
from footfall.domain.cells import cell
from footfall.domain.cells.cell import Cell
from footfall.domain.error_tracking import decisions
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.event_stream import ErasedEvent, UnknownEvent, Unreadable
from footfall.domain.funnels import funnel
from footfall.domain.goals import goal
from footfall.domain.sites import site
from footfall.domain.sites.aliases import AliasEvent
from footfall.domain.sites.page_groups import PageGroupsArranged
from footfall.domain.sites.report_recipients import RecipientEvent
from footfall.domain.sites.segment import SegmentEvent
from footfall.domain.sites.sharing.shared_links import SharedLinkEvent
from footfall.domain.sites.site import ErrorResolved, Site
from footfall.domain.sites.standing_exclusions import ExclusionEvent
from footfall.domain.sites.visitor_erasures import VisitorErased

Key = TypeVar("Key")
Value = TypeVar("Value")
State = TypeVar("State")

# Events of a site that leave its settings as they are.
_NO_SETTING = (
    SegmentEvent
    | RecipientEvent
    | ExclusionEvent
    | PageGroupsArranged
    | SharedLinkEvent
    | VisitorErased
    | AliasEvent
)
_OF_SITES = frozenset(map(category, site_streams(0)))

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class DirectoryState:
    """Everything that the journal says up to one position; the next state is another object.

    Records are found by the identifier in the name of their stream.
    """

    position: int = 0
    organizations: Mapping[str, OrganizationRecord] = field(factory=dict)
    sites: Mapping[str, SiteRecord] = field(factory=dict)
    public_ids: Mapping[str, str] = field(factory=dict)
    # The first site that has it, where two took it at the same time.
    aliases: Mapping[str, str] = field(factory=dict)
    # In the order in which the sites got the domain: a later one takes nothing from an earlier one.
    domains: Mapping[str, tuple[str, ...]] = field(factory=dict)
    error_decisions: Mapping[str, ErrorDecisions] = field(factory=dict)
    annotations: Mapping[str, Annotations] = field(factory=dict)
    alerts: Mapping[str, SiteAlerts] = field(factory=dict)
    # By the site and the number of the rule, as in the name of the stream: 7-3.
    firings: Mapping[str, Firings] = field(factory=dict)
    goals: Mapping[str, GoalRecord] = field(factory=dict)
    goals_by_site: Mapping[int, Mapping[int, str]] = field(factory=dict)
    funnels: Mapping[str, FunnelRecord] = field(factory=dict)
    funnels_by_site: Mapping[int, Mapping[int, str]] = field(factory=dict)
    keys: Mapping[str, ApiKeyRecord] = field(factory=dict)
    keys_by_digest: Mapping[str, str] = field(factory=dict)
    users: Mapping[str, User] = field(factory=dict)
    cells: Mapping[str, Cell] = field(factory=dict)
    # Deleted sites included, whose last events may be on their way.
    placements: Mapping[int, str] = field(factory=dict)
    # By cell: the position of the last event about its sites, as far as their streams are known here.
    cell_positions: Mapping[str, int] = field(factory=dict)
    set_aside: Mapping[str, SetAside] = field(factory=dict)


_MAPPINGS = tuple(attribute.name for attribute in fields(DirectoryState) if attribute.name != "position")


def advance(state: DirectoryState, events: Sequence[RecordedEvent]) -> DirectoryState:
    """Return the state after a page of events, which follow the position of `state`."""
    draft = _Draft(state)
    for recorded in events:
        draft.apply(recorded)
    return draft.finished(events[-1].position)


@define
class _Copied(Generic[Key, Value]):
    """A mapping that is copied before its first change: most pages change few of the mappings."""

    present: Mapping[Key, Value]
    _changing: dict[Key, Value] | None = None

    def __setitem__(self, key: Key, value: Value) -> None:
        self._changeable()[key] = value

    def pop(self, key: Key) -> Value | None:
        return self._changeable().pop(key, None) if key in self.present else None

    def get(self, key: Key) -> Value | None:
        return self.present.get(key)

    def _changeable(self) -> dict[Key, Value]:
        if self._changing is None:
            self.present = self._changing = dict(self.present)
        return self._changing


class _Draft:
    """The next state while a page of events is applied."""

    def __init__(self, state: DirectoryState) -> None:
        self._organizations = _Copied(state.organizations)
        self._sites = _Copied(state.sites)
        self._public_ids = _Copied(state.public_ids)
        self._aliases = _Copied(state.aliases)
        self._domains = _Copied(state.domains)
        self._error_decisions = _Copied(state.error_decisions)
        self._annotations = _Copied(state.annotations)
        self._alerts = _Copied(state.alerts)
        self._firings = _Copied(state.firings)
        self._goals = _Copied(state.goals)
        self._goals_by_site = _Copied(state.goals_by_site)
        self._funnels = _Copied(state.funnels)
        self._funnels_by_site = _Copied(state.funnels_by_site)
        self._keys = _Copied(state.keys)
        self._keys_by_digest = _Copied(state.keys_by_digest)
        self._users = _Copied(state.users)
        self._cells = _Copied(state.cells)
        self._placements = _Copied(state.placements)
        self._cell_positions = _Copied(state.cell_positions)
        self._set_aside = _Copied(state.set_aside)
        self._appliers: Mapping[str, Callable[[RecordedEvent], None]] = {
            "organization": self._apply_organization,
            "site": self._apply_site,
            "errors": partial(self._apply_of_site, self._error_decisions, decisions.apply),
            "annotations": partial(self._apply_of_site, self._annotations, annotations.apply),
            "alerts": self._apply_alerts,
            "firings": self._apply_firings,
            "goal": self._apply_goal,
            "funnel": self._apply_funnel,
            "apikey": self._apply_key,
            "user": self._apply_user,
            "cell": self._apply_cell,
        }

    def finished(self, position: int) -> DirectoryState:
        present = {name: getattr(self, f"_{name}").present for name in _MAPPINGS}
        return DirectoryState(position=position, **present)

    def apply(self, recorded: RecordedEvent) -> None:
        # Deleted, a goal leads to its site no more; placed, a site has its cell only afterwards.
        before = self._cell_of(recorded.stream)
        self._apply(recorded)
        if (cell := before or self._cell_of(recorded.stream)) is not None:
            self._cell_positions[cell] = recorded.position

    def _cell_of(self, stream: str) -> str | None:
        """Return the cell whose copy of the journal has the events of a stream."""
        if not self._placements.present:
            return None
        kind, _, identifier = stream.partition("-")
        if kind in _OF_SITES:
            return self._placements.get(int(identifier))
        if kind == "goal" and (goal_record := self._goals.get(identifier)):
            return self._placements.get(goal_record.goal.site_id)
        if kind == "funnel" and (funnel_record := self._funnels.get(identifier)):
            return self._placements.get(funnel_record.funnel.site_id)
        return None

    def _apply(self, recorded: RecordedEvent) -> None:
        if isinstance(recorded.event, UnknownEvent):
            # During a rolling update the events of other streams still have to be applied.
            _log.warning(
                "a newer version has written an event that this one does not know",
                extra={"type": recorded.event.type, "stream": recorded.stream},
            )
        elif not isinstance(recorded.event, ErasedEvent) and recorded.stream not in self._set_aside.present:
            self._apply_readable(recorded)

    def _apply_readable(self, recorded: RecordedEvent) -> None:
        if isinstance(recorded.event, Unreadable):
            self._put_aside(recorded)
            return
        try:
            self._appliers[category(recorded.stream)](recorded)
        except Exception:  # noqa: BLE001 - one event must not keep the others from being applied
            self._put_aside(recorded)

    def _put_aside(self, recorded: RecordedEvent) -> None:
        """Remove the aggregate of the stream: the unreadable event may have revoked what its earlier state allows."""
        event_type = getattr(recorded.event, "type", type(recorded.event).__name__)
        set_aside = SetAside(recorded.stream, recorded.version, recorded.position, event_type)
        self._set_aside[recorded.stream] = set_aside
        _log.error("a stream is set aside, an event of it cannot be read", extra=asdict(set_aside))
        identifier = identifier_of(recorded.stream)
        # The public id of a site still leads to the stream, so that the site is not reported as unknown.
        forget = {
            "organization": self._organizations.pop,
            "site": self._sites.pop,
            "errors": self._error_decisions.pop,
            "annotations": self._annotations.pop,
            "alerts": self._alerts.pop,
            "firings": self._firings.pop,
            "goal": self._forget_goal,
            "funnel": self._forget_funnel,
            "apikey": self._forget_key,
            "user": self._users.pop,
            "cell": self._cells.pop,
        }.get(category(recorded.stream))
        if forget is not None:
            forget(identifier)

    def _apply_organization(self, recorded: RecordedEvent) -> None:
        identifier = identifier_of(recorded.stream)
        before = self._organizations.get(identifier)
        state = organization.apply(before.organization if before else None, recorded.event)
        if state is not None:
            created_at = before.created_at if before else recorded.metadata.recorded_at
            self._organizations[identifier] = OrganizationRecord(state, created_at)

    def _apply_site(self, recorded: RecordedEvent) -> None:
        if isinstance(recorded.event, ErrorResolved):
            return  # No part of the record depends on it.
        identifier = identifier_of(recorded.stream)
        before = self._sites.get(identifier)
        state = site.apply(before.site if before else None, recorded.event)
        if state is None:
            self._forget_site(identifier)
            return
        self._name(identifier, before.site if before else None, state)
        at = recorded.metadata.recorded_at
        if before is None:
            self._public_ids[state.public_id] = identifier
            self._sites[identifier] = SiteRecord(state, at, at)
        else:
            updated_at = before.updated_at if isinstance(recorded.event, _NO_SETTING) else at
            reaches = before.reaches.then(at, state.config.visitor_reach)
            self._sites[identifier] = SiteRecord(state, before.created_at, updated_at, reaches)
        if state.cell is not None:
            self._placements[state.site_id] = state.cell

    def _forget_site(self, identifier: str) -> None:
        if record := self._sites.pop(identifier):
            self._public_ids.pop(record.site.public_id)
            self._name(identifier, record.site, None)
            self._error_decisions.pop(identifier)
            self._annotations.pop(identifier)
            self._forget_alerts(identifier)
            goals = self._goals_by_site.pop(record.site.site_id) or {}
            for goal_identifier in goals.values():
                self._goals.pop(goal_identifier)
            funnels = self._funnels_by_site.pop(record.site.site_id) or {}
            for funnel_identifier in funnels.values():
                self._funnels.pop(funnel_identifier)

    def _name(self, identifier: str, before: Site | None, after: Site | None) -> None:
        """Lead the aliases and the domain of a site to it, and those that it has no more elsewhere."""
        old, new = before.aliases if before else (), after.aliases if after else ()
        for alias in new:
            if self._aliases.get(alias) is None:
                self._aliases[alias] = identifier
        for alias in old:
            if alias not in new and self._aliases.get(alias) == identifier:
                self._pass_on(alias, identifier)
        if before and not (after and after.domain == before.domain):
            others = tuple(owner for owner in self._domains.get(before.domain) or () if owner != identifier)
            if others:
                self._domains[before.domain] = others
            else:
                self._domains.pop(before.domain)
        if after and not (before and after.domain == before.domain):
            self._domains[after.domain] = (*(self._domains.get(after.domain) or ()), identifier)

    def _pass_on(self, alias: str, identifier: str) -> None:
        """Lead an alias that its site gave up to another one that took it at the same time, if any."""
        self._aliases.pop(alias)
        for other, record in self._sites.present.items():
            if other != identifier and alias in record.site.aliases:
                self._aliases[alias] = other
                return

    def _apply_of_site(
        self,
        states: _Copied[str, State],
        apply: Callable[[State | None, Any], State],
        recorded: RecordedEvent,
    ) -> None:
        identifier = identifier_of(recorded.stream)
        if self._sites.get(identifier) is not None:
            states[identifier] = apply(states.get(identifier), recorded.event)

    def _apply_alerts(self, recorded: RecordedEvent) -> None:
        self._apply_of_site(self._alerts, rules.apply, recorded)
        if isinstance(recorded.event, rules.AlertRuleDeleted):
            self._firings.pop(f"{identifier_of(recorded.stream)}-{recorded.event.number}")

    def _apply_firings(self, recorded: RecordedEvent) -> None:
        identifier = identifier_of(recorded.stream)
        site, _, rule = identifier.partition("-")
        alerts = self._alerts.get(site)
        if alerts is not None and int(rule) in alerts.rules:
            self._firings[identifier] = firings.apply(self._firings.get(identifier), recorded.event)

    def _forget_alerts(self, site: str) -> None:
        alerts = self._alerts.pop(site)
        for rule in alerts.rules if alerts else ():
            self._firings.pop(f"{site}-{rule}")

    def _apply_goal(self, recorded: RecordedEvent) -> None:
        identifier = identifier_of(recorded.stream)
        before = self._goals.get(identifier)
        state = goal.apply(before.goal if before else None, recorded.event)
        if state is None or self._sites.get(str(state.site_id)) is None:
            self._forget_goal(identifier)
            return
        if before is None:
            record = GoalRecord(state, recorded.metadata.recorded_at, recorded.position)
        else:
            same_rule = before.goal.rule is state.rule
            position = before.defined_at_position if same_rule else recorded.position
            record = GoalRecord(state, before.created_at, position)
        self._goals[identifier] = record
        of_site = self._goals_by_site.get(state.site_id) or {}
        self._goals_by_site[state.site_id] = {**of_site, state.goal_id: identifier}

    def _forget_goal(self, identifier: str) -> None:
        if record := self._goals.pop(identifier):
            of_site = dict(self._goals_by_site.get(record.goal.site_id) or {})
            of_site.pop(record.goal.goal_id, None)
            self._goals_by_site[record.goal.site_id] = of_site

    def _apply_funnel(self, recorded: RecordedEvent) -> None:
        identifier = identifier_of(recorded.stream)
        before = self._funnels.get(identifier)
        state = funnel.apply(before.funnel if before else None, recorded.event)
        if state is None or self._sites.get(str(state.site_id)) is None:
            self._forget_funnel(identifier)
            return
        created_at = before.created_at if before else recorded.metadata.recorded_at
        self._funnels[identifier] = FunnelRecord(state, created_at)
        of_site = self._funnels_by_site.get(state.site_id) or {}
        self._funnels_by_site[state.site_id] = {**of_site, state.funnel_id: identifier}

    def _forget_funnel(self, identifier: str) -> None:
        if record := self._funnels.pop(identifier):
            of_site = dict(self._funnels_by_site.get(record.funnel.site_id) or {})
            of_site.pop(record.funnel.funnel_id, None)
            self._funnels_by_site[record.funnel.site_id] = of_site

    def _apply_key(self, recorded: RecordedEvent) -> None:
        identifier = identifier_of(recorded.stream)
        before = self._keys.get(identifier)
        state = api_key.apply(before.key if before else None, recorded.event)
        if state is None:
            self._forget_key(identifier)
            return
        created_at = before.created_at if before else recorded.metadata.recorded_at
        self._keys[identifier] = ApiKeyRecord(state, created_at)
        self._keys_by_digest[state.digest] = identifier

    def _forget_key(self, identifier: str) -> None:
        if record := self._keys.pop(identifier):
            self._keys_by_digest.pop(record.key.digest)

    def _apply_user(self, recorded: RecordedEvent) -> None:
        identifier = identifier_of(recorded.stream)
        self._users[identifier] = user.apply(self._users.get(identifier), recorded.event)

    def _apply_cell(self, recorded: RecordedEvent) -> None:
        identifier = identifier_of(recorded.stream)
        state = cell.apply(self._cells.get(identifier), recorded.event)
        if state is not None:
            self._cells[identifier] = state
