"""Which goals there are, as the projector knows them: learned from the journal, in the projector's own transaction."""

from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.statements import statement
from footfall.application.journal import EventCodec, SerializedEvent
from footfall.application.ports import StoreUnavailable
from footfall.domain.goal import EventRule, GoalDefined, GoalDeleted, GoalRedefined, PathRule, Rule
from footfall.domain.matching import canonical, path_regex
from footfall.domain.site import SiteDeleted
from footfall.domain.stream import FromNewer


class GoalVersions:
    """Keeps the table `goal_version` as the journal says."""

    def __init__(self, codec: EventCodec) -> None:
        self._codec = codec

    async def learn(
        self, connection: AsyncConnection[DictRow], *, after: int, up_to: int, position: int
    ) -> None:
        """Take over what the journal says behind the position `after`, no further than `up_to`.

        `position` is how far the traffic log has been projected: a goal that asks something new has to be counted
        among the hits up to there, too.
        """
        cursor = await connection.execute(
            statement("projection/read_goal_events"), {"after": after, "up_to": up_to}
        )
        for row in await cursor.fetchall():
            event = self._codec.decode(SerializedEvent(row["type"], row["schema_version"], row["data"]))
            if isinstance(event, FromNewer):
                # Projected by the newer version or not at all: what this one left out nobody would come back to.
                raise StoreUnavailable(f"only a newer version knows what {event.type} means")
            number = int(row["stream"].partition("-")[2])
            await self._apply(connection, event, number, {"version": row["position"], "position": position})

    async def _apply(
        self, connection: AsyncConnection[DictRow], event: Any, number: int, at: dict[str, int]
    ) -> None:
        match event:
            case GoalDefined(goal_id, site_id, _, rule):
                values = {"goal_id": goal_id, "site_id": site_id, **rule_values(rule), **at}
                await connection.execute(statement("projection/keep_goal_version"), values)
            case GoalRedefined(_, rule):
                await self._redefine(connection, {"goal_id": number, **rule_values(rule), **at})
            case GoalDeleted():
                await connection.execute(
                    statement("projection/drop_goal_version"), {"goal_id": number, "site_id": None}
                )
            case SiteDeleted():
                await connection.execute(
                    statement("projection/drop_goal_version"), {"goal_id": None, "site_id": number}
                )

    async def _redefine(self, connection: AsyncConnection[DictRow], values: dict[str, Any]) -> None:
        renamed = await connection.execute(statement("projection/rename_goal_version"), values)
        if renamed.rowcount:
            return
        retired = await connection.execute(statement("projection/retire_goal_version"), values)
        if retired.rowcount:
            await connection.execute(statement("projection/change_goal_version"), values)


def rule_values(rule: Rule) -> dict[str, str | None]:
    """Return a rule as the SQL function `rule_matches` takes it: as texts that are compared without further thought."""
    values: dict[str, str | None] = dict.fromkeys(RULE_COLUMNS)
    match rule:
        case PathRule(pattern):
            values |= _path_values(pattern)
        case EventRule(name, key, value):
            values |= {"event_name": name, "property_key": key, "property_value": canonical(value)}
    return values


RULE_COLUMNS = ("path_equals", "path_prefix", "path_regex", "event_name", "property_key", "property_value")


def _path_values(pattern: str) -> dict[str, str]:
    if "*" not in pattern:
        return {"path_equals": pattern}
    prefix = pattern.rstrip("*")
    return {"path_regex": path_regex(pattern)} if "*" in prefix else {"path_prefix": prefix}
