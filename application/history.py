"""The history of what people decided: who, when, and what changed from what to what; secrets are never in it."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from attrs import frozen

from footfall.application.interface_names import config_document, rule_document
from footfall.application.journal import EVENT_TYPES
from footfall.application.ports import Actor, EventStore, RecordedEvent
from footfall.application.streams import category
from footfall.domain import api_key, goal, organization, site, user
from footfall.domain.api_key import ApiKey
from footfall.domain.goal import Goal
from footfall.domain.organization import Organization
from footfall.domain.site import Site
from footfall.domain.stream import Erased, FromNewer, fold
from footfall.domain.user import User

_NAMES = {event_type: name for name, event_type in EVENT_TYPES.items()}


@frozen
class Change:
    """One field that became another; None is what was not there."""

    field: str
    before: Any
    after: Any


@frozen(kw_only=True)
class Entry:
    """One event as people read it."""

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


class History:
    """Reads histories from the journal."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    async def of_stream(self, stream: str) -> list[Entry]:
        """Return the entries of one stream, the oldest first; none when there is no such stream.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        return entries(await self._store.load(stream))

    async def of_site(self, site_id: int) -> list[Entry]:
        """Return the entries of a site, its private link and all goals that it ever had, the oldest first.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        return entries(await self._store.load_site(site_id))


def entries(history: Iterable[RecordedEvent]) -> list[Entry]:
    """Return the entries of events that are whole streams, one or several, each in its order."""
    states: dict[str, Any] = {}
    return [_entry(recorded, states) for recorded in history]


def _entry(recorded: RecordedEvent, states: dict[str, Any]) -> Entry:
    aggregate = _AGGREGATES[category(recorded.stream)]
    before = states.get(recorded.stream, aggregate.start)
    after = states[recorded.stream] = fold(aggregate.apply, [recorded.event], before)
    event = recorded.event
    return Entry(
        stream=recorded.stream,
        version=recorded.version,
        at=recorded.metadata.recorded_at,
        type=event.type if isinstance(event, Erased | FromNewer) else _NAMES[type(event)],
        actor=recorded.metadata.actor,
        request_id=recorded.metadata.request_id,
        changes=_said(event) or _changes(aggregate.facts(before), aggregate.facts(after)),
    )


def _said(event: Any) -> tuple[Change, ...]:
    # A resolution changes nothing that the site is; which error it was about is what people want to read.
    return (Change("errorMessage", None, event.message),) if isinstance(event, site.ErrorResolved) else ()


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    names = dict.fromkeys([*before, *after])
    changes = (Change(name, before.get(name), after.get(name)) for name in names)
    # 1 == True in Python; as the value of a property they are two things.
    return tuple(change for change in changes if repr(change.before) != repr(change.after))


def _shown(value: Any, timestamp: Callable[[datetime], str]) -> Any:
    return timestamp(value) if isinstance(value, datetime) else value


def _organization_facts(state: Organization) -> dict[str, Any]:
    members = {f"members.{user_id}": role.value for user_id, role in state.roles.items()}
    return ({"name": state.name} if state.exists else {}) | members


def _site_facts(state: Site) -> dict[str, Any]:
    if not state.exists:
        return {}
    facts = {"name": state.name, "domain": state.domain, **config_document(state.config)}
    return facts | {
        "monthlyLimit": state.monthly_limit,
        "retentionDays": state.retention_days,
        # The key itself is a secret: whether there is one is all that is told.
        "privateLink": state.private_link_key is not None,
    }


def _goal_facts(state: Goal) -> dict[str, Any]:
    if not state.exists:
        return {}
    rule = rule_document(state.rule)
    config = {f"config.{name}": value for name, value in rule["config"].items()}
    return {"name": state.name, "goalType": rule["goalType"], **config}


def _user_facts(state: User) -> dict[str, Any]:
    return {"signInLinks": len(state.links), "signIns": len(state.sign_ins)}


def _key_facts(state: ApiKey) -> dict[str, Any]:
    if not state.exists:
        return {}
    facts = {"userId": state.user_id, "name": state.name, "prefix": state.prefix}
    return facts | {"expiresAt": state.expires_at}


@frozen
class _Aggregate:
    start: Any
    apply: Callable[[Any, Any], Any]
    facts: Callable[[Any], Mapping[str, Any]]


_AGGREGATES = MappingProxyType(
    {
        "organization": _Aggregate(Organization(), organization.apply, _organization_facts),
        "site": _Aggregate(Site(), site.apply, _site_facts),
        "goal": _Aggregate(Goal(), goal.apply, _goal_facts),
        "user": _Aggregate(User(), user.apply, _user_facts),
        "apikey": _Aggregate(ApiKey(), api_key.apply, _key_facts),
    }
)
