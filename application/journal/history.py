"""The history of changes: actor, time, and the old and new values; it contains no secrets."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from attrs import asdict, field, frozen

from footfall.application.journal.event_codec import EVENT_TYPES
from footfall.application.journal.interface_documents import (
    config_document,
    plan_document,
    rule_document,
    step_document,
)
from footfall.application.journal.stream_names import category
from footfall.application.ports.journal import Actor, EventStore, RecordedEvent
from footfall.domain.accounts import api_key, organization, user
from footfall.domain.accounts.api_key import ApiKey
from footfall.domain.accounts.organization import Organization
from footfall.domain.accounts.user import User
from footfall.domain.alerts.firings import FiringEvent
from footfall.domain.alerts.rules import AlertEvent, AlertRuleDefined, AlertRuleRedefined
from footfall.domain.annotations.annotations import AnnotationEvent
from footfall.domain.cells import cell
from footfall.domain.cells.cell import Cell
from footfall.domain.error_tracking.decisions import ErrorGroupEvent
from footfall.domain.event_stream import ErasedEvent, UnknownEvent, Unreadable, fold
from footfall.domain.funnels import funnel
from footfall.domain.funnels.funnel import Funnel
from footfall.domain.goals import goal
from footfall.domain.goals.goal import Goal
from footfall.domain.sites import site
from footfall.domain.sites.report_recipients import ReportRecipientEnded
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.site import Site

_NAMES = {event_type: name for name, event_type in EVENT_TYPES.items()}


def type_name(event_type: type) -> str:
    """Return the name by which the interface calls a type of events."""
    return _NAMES[event_type]


@frozen
class Change:
    """The change of one field; None stands for a missing value."""

    field: str
    before: Any
    after: Any


@frozen(kw_only=True)
class HistoryEntry:
    """One event as a change for readers."""

    stream: str
    version: int
    at: datetime
    type: str
    actor: Actor
    request_id: str | None
    changes: tuple[Change, ...]

    def document(self, timestamp: Callable[[datetime], str]) -> dict[str, Any]:
        """Return the entry as the interface and the command line show it."""
        return {
            "stream": self.stream,
            "version": self.version,
            "at": timestamp(self.at),
            "type": self.type,
            "userId": self.actor.user_id,
            "keyPrefix": self.actor.key_prefix,
            "requestId": self.request_id,
            "changes": [
                {
                    "field": change.field,
                    "from": _shown(change.before, timestamp),
                    "to": _shown(change.after, timestamp),
                }
                for change in self.changes
            ],
        }


@frozen
class History:
    """Reads histories from the journal."""

    _store: EventStore

    async def of_stream(self, stream: str) -> list[HistoryEntry]:
        """Return the entries of one stream, the oldest first; none when there is no such stream.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        return entries(await self._store.load(stream))

    async def of_site(self, site_id: int) -> list[HistoryEntry]:
        """Return the entries of a site, its private link and all goals and funnels that it ever had, the oldest first.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        return entries(await self._store.load_site(site_id))


def entries(history: Iterable[RecordedEvent]) -> list[HistoryEntry]:
    """Return the entries of one or several complete streams, each in its order."""
    states: dict[str, Any] = {}
    return [_entry(recorded, states) for recorded in history]


def _entry(recorded: RecordedEvent, states: dict[str, Any]) -> HistoryEntry:
    aggregate = _AGGREGATES.get(category(recorded.stream), _UNKNOWN)
    before = states.get(recorded.stream)
    after = states[recorded.stream] = fold(aggregate.apply, [recorded.event], before)
    event = recorded.event
    return HistoryEntry(
        stream=recorded.stream,
        version=recorded.version,
        at=recorded.metadata.recorded_at,
        type=event.type
        if isinstance(event, ErasedEvent | UnknownEvent | Unreadable)
        else _NAMES[type(event)],
        actor=recorded.metadata.actor,
        request_id=recorded.metadata.request_id,
        changes=_described(event)
        or _changes(aggregate.facts(before), aggregate.facts(after)) + _reason(event),
    )


def _described(event: Any) -> tuple[Change, ...]:
    if isinstance(event, Unreadable):
        return (Change("unreadable", None, after=True),)
    if isinstance(event, AlertRuleDefined | AlertRuleRedefined):
        plan = tuple(Change(name, None, value) for name, value in plan_document(event.plan).items())
        return (Change("number", None, event.number), *plan)
    if isinstance(event, ErrorGroupEvent | AnnotationEvent | AlertEvent | FiringEvent):
        return tuple(
            Change(name, None, _plain(value)) for name, value in asdict(event, recurse=False).items()
        )
    # A resolution changes no setting of the site; its entry names the error.
    return (Change("errorMessage", None, event.message),) if isinstance(event, site.ErrorResolved) else ()


def _reason(event: Any) -> tuple[Change, ...]:
    return (Change("reason", None, event.reason.value),) if isinstance(event, ReportRecipientEnded) else ()


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    names = dict.fromkeys([*before, *after])
    changes = (Change(name, before.get(name), after.get(name)) for name in names)
    # 1 == True in Python; as values of a property they differ.
    return tuple(change for change in changes if repr(change.before) != repr(change.after))


def _shown(value: Any, timestamp: Callable[[datetime], str]) -> Any:
    return timestamp(value) if isinstance(value, datetime) else value


def _organization_facts(state: Organization) -> dict[str, Any]:
    members = {f"members.{user_id}": role.value for user_id, role in state.roles.items()}
    limits = {f"sites.{user_id}": sorted(site_ids) for user_id, site_ids in state.sites.items()}
    # The digest of the token is a secret; the history shows the role only.
    invitations = {
        f"invitations.{number}": invitation.role.value for number, invitation in state.invitations.items()
    }
    return {"name": state.name} | members | limits | invitations


def _site_facts(state: Site) -> dict[str, Any]:
    facts = {"name": state.name, "domain": state.domain, **config_document(state.config)}
    facts |= {f"currencies.{event}.{key}": currency for (event, key), currency in state.currencies.items()}
    return facts | {
        "monthlyLimit": state.monthly_limit,
        "retentionDays": state.retention_days,
        "cell": state.cell,
        # The key is a secret; the history shows only whether there is one.
        "privateLink": state.private_link is not None,
        **_link_facts(state),
        "userSecret": state.user_secrets.is_valid and state.user_secrets.number,
        **_segment_facts(state),
        **_exclusion_facts(state),
        **_group_facts(state),
        **({"aliases": list(state.aliases)} if state.aliases else {}),
        **{
            f"visitorErasures.{erased.erasure}": f"{erased.visits} visits, {erased.hits} events"
            for erased in state.visitor_erasures.values()
        },
        # Addresses are not in the journal.
        **{
            f"reportRecipients.{number}": f"{recipient.interval}, {'confirmed' if recipient.since else 'asked'}"
            for number, recipient in state.recipients.present.items()
        },
    }


def _link_facts(state: Site) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for number, link in state.links.present.items():
        names = {
            "name": "",
            "panels": ".panels",
            "segment": ".segment",
            "ends_at": ".endsAt",
            "embed": ".embed",
        }
        # The password is a secret; the history shows only whether there is one, and by its number that it is another.
        facts[f"links.{number}.password"] = link.terms.password is not None and link.passwords
        facts |= {
            f"links.{number}{suffix}": _plain(getattr(link.terms, name)) for name, suffix in names.items()
        }
    return facts


def _segment_facts(state: Site) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for number, segment in state.segments.present.items():
        # Name and conditions of a personal segment are the business of its owner.
        facts[f"segments.{number}"] = segment.name if segment.owner is None else "personal"
        if segment.owner is None:
            facts[f"segments.{number}.filters"] = _written(segment.conditions)
    return facts


def _exclusion_facts(state: Site) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for number, rule in state.exclusions.rules.items():
        facts[f"exclusionRules.{number}"] = rule.name
        facts[f"exclusionRules.{number}.filters"] = _written(rule.conditions)
        facts[f"exclusionRules.{number}.enabled"] = rule.enabled
    return facts


def _group_facts(state: Site) -> dict[str, Any]:
    rules = [f"{rule.name}: {rule.pattern}" for rule in state.page_groups.rules]
    return {"pageGroups": rules} if rules else {}


def _written(conditions: Iterable[Condition]) -> list[str]:
    return [
        f"{condition.parameter} {condition.type} {', '.join(condition.values)}" for condition in conditions
    ]


def _goal_facts(state: Goal) -> dict[str, Any]:
    rule = rule_document(state.rule)
    config = {f"config.{name}": value for name, value in rule["config"].items()}
    return {"name": state.name, "goalType": rule["goalType"], **config}


def _funnel_facts(state: Funnel) -> dict[str, Any]:
    plan = state.plan
    steps = {f"steps.{number}": step_document(step) for number, step in enumerate(plan.steps, start=1)}
    return {"name": plan.name, "withinDays": plan.within_days, **steps}


def _user_facts(state: User) -> dict[str, Any]:
    facts = {"signInLinks": len(state.links), "signIns": len(state.sign_ins)}
    # A time zone of None is that of the site.
    return facts | {
        f"reports.{interval}.{'all' if site_id is None else site_id}": subscription.time_zone or "site"
        for (site_id, interval), subscription in state.reports.items()
    }


def _key_facts(state: ApiKey) -> dict[str, Any]:
    facts = {"userId": state.user_id, "name": state.name, "prefix": state.prefix}
    return facts | {"expiresAt": state.expires_at}


def _cell_facts(state: Cell) -> dict[str, Any]:
    return {"place": state.place, "closed": state.closed}


@frozen
class _Aggregate:
    apply: Callable[[Any, Any], Any]
    facts_of: Callable[[Any], Mapping[str, Any]]
    no_facts: Mapping[str, Any] = field(factory=dict)

    def facts(self, state: Any) -> Mapping[str, Any]:
        return self.no_facts if state is None else self.facts_of(state)


_UNKNOWN = _Aggregate(lambda state, _: state, lambda _: {})
_AGGREGATES = MappingProxyType(
    {
        "organization": _Aggregate(organization.apply, _organization_facts),
        "site": _Aggregate(site.apply, _site_facts),
        "goal": _Aggregate(goal.apply, _goal_facts),
        "funnel": _Aggregate(funnel.apply, _funnel_facts),
        "user": _Aggregate(user.apply, _user_facts, _user_facts(User())),
        "apikey": _Aggregate(api_key.apply, _key_facts),
        "cell": _Aggregate(cell.apply, _cell_facts),
    }
)
