"""The decisions between two answers of a report: which ones changed what it is asked, and who made them."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_state import DirectoryState, advance
from footfall.application.ports.journal import Actor, EventStore, RecordedEvent
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.domain.exceptions import DomainError, Invalid
from footfall.domain.funnels.funnel import FunnelDefined, FunnelRedefined
from footfall.domain.goals.goal import GoalDefined, GoalRedefined
from footfall.domain.sites.configuration import SETTINGS
from footfall.domain.sites.site import SiteConfigured
from footfall.domain.sites.standing_exclusions import ExclusionEvent

# Each is one more answer.
MOST_DECISIONS = 100

# Settings that decide which hits are stored.
OF_INGESTION = frozenset(name for name, setting in SETTINGS.items() if setting.of_ingestion)

# Makes the inquiry of a report from the directory of a state; it raises a DomainError where the report cannot be asked.
Inquire = Callable[[Directory], Inquiry[Any]]


@frozen(kw_only=True)
class Decision:
    """An event of the journal between the answers: what it was, who decided it, and when.

    `name` is the one that a goal or a funnel was given by it, and `rule_name` that of an exclusion rule, which members
    alone see.
    """

    type: type
    stream: str
    name: str | None
    version: int
    position: int
    at: datetime
    actor: Actor
    rule_name: str | None = None


@frozen
class Decided:
    """A decision, and what the report is asked after it."""

    decision: Decision
    inquiry: Inquiry[Any]


def decided(
    events: Sequence[RecordedEvent],
    between: tuple[int, int],
    first: Inquiry[Any],
    inquire: Inquire,
    store: EventStore,
) -> list[Decided]:
    """Return the decisions between two positions that change an inquiry, and those on which hits are stored.

    After a decision that leaves a report that cannot be asked, such as a funnel without one of its goals, the inquiry
    stays: what it changes belongs to the next decision that changes the inquiry.

    Raises:
        Invalid: there are more than the limit; the error names `from`.

    """
    steps: list[Decided] = []
    present = first
    for recorded, directory in _replayed(events, between, store):
        inquiry = _inquiry(inquire, directory, otherwise=present)
        if inquiry != present or _decides_on_hits(recorded):
            steps.append(Decided(_decision(recorded), inquiry))
        present = inquiry
    if len(steps) > MOST_DECISIONS:
        rule = f"more than {MOST_DECISIONS} decisions changed this report in between; accepted are later positions"
        raise Invalid({"from": [rule]})
    return steps


def _replayed(
    events: Sequence[RecordedEvent], between: tuple[int, int], store: EventStore
) -> Iterator[tuple[RecordedEvent, Directory]]:
    """Return the events between two positions, each with the directory after it."""
    since, until = between
    state = advance(DirectoryState(), [event for event in events if event.position <= since])
    for recorded in events:
        if since < recorded.position <= until:
            state = advance(state, [recorded])
            yield recorded, Directory(store, state)


def _inquiry(inquire: Inquire, directory: Directory, *, otherwise: Inquiry[Any]) -> Inquiry[Any]:
    try:
        return inquire(directory)
    except DomainError:
        return otherwise


def _decides_on_hits(recorded: RecordedEvent) -> bool:
    event = recorded.event
    return isinstance(event, SiteConfigured) and bool(event.changes.supplied().keys() & OF_INGESTION)


def _name_in(event: object) -> str | None:
    match event:
        case GoalDefined() | GoalRedefined():
            return event.name
        case FunnelDefined() | FunnelRedefined():
            return event.plan.name
    return None


def _decision(recorded: RecordedEvent) -> Decision:
    return Decision(
        type=type(recorded.event),
        stream=recorded.stream,
        name=_name_in(recorded.event),
        version=recorded.version,
        position=recorded.position,
        at=recorded.metadata.recorded_at,
        actor=recorded.metadata.actor,
        rule_name=recorded.event.name if isinstance(recorded.event, ExclusionEvent) else None,
    )
