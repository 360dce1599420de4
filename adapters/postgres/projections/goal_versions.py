"""The goals that the projector counts: read from the journal in the transaction that projects a slice."""

import logging
from typing import Any

from attrs import frozen
from psycopg import DataError, IntegrityError
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.journal.rows import read_event
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import category
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.event_stream import UnknownEvent, Unreadable
from footfall.domain.goals.goal import GoalDefined, GoalDeleted, GoalRedefined, PageGroupRule, PathRule, Rule
from footfall.domain.goals.matching import compared_texts
from footfall.domain.paths.path_pattern import is_compiled, path_regex
from footfall.domain.paths.pathname import decoded_path
from footfall.domain.sites.site import SiteDeleted

_log = logging.getLogger(__name__)


@frozen
class GoalVersions:
    """Keeps the table `goal_version` in step with the journal."""

    _codec: EventCodec

    async def learn(self, connection: StoreConnection, *, after: int, up_to: int, position: int) -> None:
        """Apply the events of the journal after the position `after` and up to `up_to`.

        `position` is how far the traffic log has been projected: a goal with a new rule is counted among the hits up
        to there, too.
        """
        for row in await connection.rows(
            "projections/goal_versions/read_goal_events", after=after, up_to=up_to
        ):
            event = read_event(self._codec, row["type"], row["schema_version"], row["data"])
            if isinstance(event, UnknownEvent):
                # The newer version projects it: an event that this version skipped would never be projected.
                raise StoreUnavailable(f"only a newer version knows what {event.type} means")
            if isinstance(event, Unreadable) or not await self._applied(connection, row, event, position):
                _log.error("an event of a goal cannot be read and is skipped", extra=_place(row))

    async def _applied(self, connection: StoreConnection, row: DictRow, event: Any, position: int) -> bool:
        """Apply an event; return False, with the tables unchanged, when they cannot hold its values."""
        if category(row["stream"]) != ("site" if isinstance(event, SiteDeleted) else "goal"):
            return False
        try:
            async with connection.transaction():
                number = int(row["stream"].partition("-")[2])
                at = {"version": row["position"], "position": position}
                await self._apply(connection, event, number, at)
        except (DataError, IntegrityError, ValueError, TypeError):
            return False
        return True

    async def _apply(self, connection: StoreConnection, event: Any, number: int, at: dict[str, int]) -> None:
        match event:
            case GoalDefined(goal_id, site_id, _, rule):
                values = {"goal_id": goal_id, "site_id": site_id, **_values(rule, at)}
                await connection.run("projections/goal_versions/keep_goal_version", **values)
            case GoalRedefined(_, rule):
                await self._redefine(connection, {"goal_id": number, **_values(rule, at)})
            case GoalDeleted():
                await connection.run(
                    "projections/goal_versions/drop_goal_version", goal_id=number, site_id=None
                )
            case SiteDeleted():
                await connection.run(
                    "projections/goal_versions/drop_goal_version", goal_id=None, site_id=number
                )

    async def _redefine(self, connection: StoreConnection, values: dict[str, Any]) -> None:
        if await connection.run("projections/goal_versions/rename_goal_version", **values):
            return
        await connection.run("projections/goal_versions/retire_goal_version", **values)
        await connection.run("projections/goal_versions/change_goal_version", **values)


def _place(row: DictRow) -> dict[str, Any]:
    return {"stream": row["stream"], "type": row["type"], "position": row["position"]}


def _values(rule: Rule, at: dict[str, int]) -> dict[str, Any]:
    """Return a rule and its place in the logs; one that nothing satisfies has no earlier hits to be counted."""
    return {**rule_values(rule), **at} | ({"position": 0} if isinstance(rule, PageGroupRule) else {})


def rule_values(rule: Rule) -> dict[str, str | None]:
    """Return a rule in the columns of `goal_version`, as texts to compare with.

    They are null of a rule by a group of pages, which nothing satisfies there: the group changes without the goal, and
    reports find its conversions in the log.
    """
    columns: dict[str, str | None] = dict.fromkeys(RULE_COLUMNS)
    if isinstance(rule, PageGroupRule):
        return columns
    text, decimal = compared_texts(rule.property_value)
    named = _path_values(rule.path_pattern) if isinstance(rule, PathRule) else {"event_name": rule.event_name}
    return {
        **columns,
        **named,
        "property_key": rule.property_key,
        "property_value": text,
        "property_decimal": decimal,
    }


RULE_COLUMNS = (
    "path_equals",
    "path_prefix",
    "path_regex",
    "event_name",
    "property_key",
    "property_value",
    "property_decimal",
)


def _path_values(pattern: str) -> dict[str, str]:
    if is_compiled(pattern):
        return {"path_regex": path_regex(pattern)}
    decoded = decoded_path(pattern)
    return {"path_prefix": decoded.rstrip("*")} if "*" in decoded else {"path_equals": decoded}
