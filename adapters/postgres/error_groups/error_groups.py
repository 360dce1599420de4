"""Reports on groups of errors, from the occurrences of their fingerprints in the period."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.error_groups.group_details import (
    group_details,
    selected_pieces,
)
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.selection import SessionCondition
from footfall.adapters.postgres.reports.snapshot import DAY, ReportConnections, report_snapshot, whole
from footfall.application.journal.stream_names import site_stream
from footfall.application.ports.errors.error_groups import ALL_GROUPS, GroupPage
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.group_details import GroupDetails
from footfall.domain.error_tracking.grouping import GroupChoice, GroupHistory, GroupSort, GroupSummary
from footfall.domain.error_tracking.occurrence import error_details
from footfall.domain.error_tracking.resolution_grace import GRACE
from footfall.domain.pagination import Page
from footfall.domain.row_choice import folded
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class PostgresStoredGroups:
    """ErrorGroupReports over the read model `error_sighting`, and over the counts of its days."""

    _connections: ReportConnections
    _compile_patterns: PatternCompiler

    async def groups(
        self,
        site_id: int,
        query: ReportQuery,
        decisions: ErrorDecisions,
        page: Page,
        *,
        sort: GroupSort = GroupSort.COUNT,
        choice: GroupChoice = ALL_GROUPS,
    ) -> GroupPage:
        """Return a page of the groups of the period."""
        selection = SessionCondition(site_id, query)
        days_start, days_end = whole(query.period.start, query.period.end, DAY)
        parameters = {
            **merged_parameters(decisions),
            "chosen": sorted(choice.groups),
            "but": choice.but,
            "containing": folded(choice.containing),
            "days_start": days_start,
            "days_end": days_end,
            "sort": str(sort),
            "limit": page.size,
            "offset": page.offset,
        }
        pieces = selected_pieces(selection)
        if query.filters:
            pieces["totals"] = compose("error_groups/groups/totals_of_selected")
        if not choice.containing:
            pieces["with_text"] = compose("error_groups/groups/none")
        text = compose("error_groups/groups/groups", **pieces)
        async with selected_snapshot(self._connections, selection, self._compile_patterns) as selected:
            rows = await selected.rows(text, parameters)
            on_page = [row for row in rows if row["owner"] is not None]
            owners = [row["owner"] for row in on_page]
            histories = await _histories(selected.connection, site_id, decisions, owners)
        summaries = [_summary(row, histories[row["owner"]]) for row in on_page]
        return GroupPage(summaries, rows[0]["on_all_pages"])

    async def histories(
        self, site_id: int, decisions: ErrorDecisions, groups: Sequence[str]
    ) -> Mapping[str, GroupHistory]:
        """Return what the whole log says of groups."""
        if not groups:
            return {}
        async with report_snapshot(self._connections) as connection:
            return await _histories(connection, site_id, decisions, groups)

    async def former_resolutions(self, site_id: int) -> Mapping[str, datetime]:
        """Return which causes were resolved by their messages in former versions."""
        parameters = {"site_id": site_id, "stream": site_stream(site_id), "grace": GRACE}
        query = statement("error_groups/groups/former_resolutions")
        async with report_snapshot(self._connections) as connection:
            rows = await connection.rows(query, **parameters)
        return {row["fingerprint"]: row["resolved_at"] for row in rows}

    async def details(
        self, site_id: int, group: str, query: ReportQuery, decisions: ErrorDecisions
    ) -> GroupDetails:
        """Return what a page about a group shows."""
        selection = SessionCondition(site_id, query)
        async with selected_snapshot(self._connections, selection, self._compile_patterns) as selected:
            return await group_details(selected.connection, selected.condition, decisions.members(group))


def merged_parameters(decisions: ErrorDecisions) -> dict[str, Any]:
    """Return the merged fingerprints and the groups that they are part of, as parameters."""
    return {"fingerprints": list(decisions.merged), "owners": list(decisions.merged.values())}


async def _histories(
    connection: StoreConnection, site_id: int, decisions: ErrorDecisions, groups: Sequence[str]
) -> dict[str, GroupHistory]:
    if not groups:
        return {}
    parts = [(group, fingerprint) for group in groups for fingerprint in decisions.members(group)]
    seen = await _of_parts(connection, "histories", site_id, parts)
    closed = {group: decisions.of(group) for group in groups if decisions.closes(group)}
    if not closed:
        return {row["owner"]: _history(row) for row in seen}
    parts = [(group, fingerprint) for group, fingerprint in parts if group in closed]
    mutes = [closed[group].mute for group, _ in parts]
    decided = {
        "resolved": [closed[group].resolved_at for group, _ in parts],
        "next_release": [closed[group].next_release for group, _ in parts],
        "muted": [mute.at if mute else None for mute in mutes],
        "counted": [mute.counted if mute else None for mute in mutes],
        "grace": GRACE,
    }
    since = {row["owner"]: row for row in await _of_parts(connection, "returns", site_id, parts, **decided)}
    return {row["owner"]: _history(row, since.get(row["owner"])) for row in seen}


async def _of_parts(
    connection: StoreConnection, name: str, site_id: int, parts: Sequence[tuple[str, str]], **values: Any
) -> list[DictRow]:
    """Ask about groups and their fingerprints."""
    owners, fingerprints = [owner for owner, _ in parts], [fingerprint for _, fingerprint in parts]
    asked = {"site_id": site_id, "owners": owners, "fingerprints": fingerprints, **values}
    return await connection.rows(f"error_groups/groups/{name}", prepare=False, **asked)


def _summary(row: DictRow, history: GroupHistory) -> GroupSummary:
    return GroupSummary(
        group=row["owner"],
        count=row["count"],
        session_count=row["session_count"],
        total=row["total"],
        history=history,
    )


def _history(row: DictRow, since: DictRow | None = None) -> GroupHistory:
    """Return the history of a group; `since` is what happened after it was resolved or muted."""
    details = error_details(row["properties"] or {})
    return GroupHistory(
        message=details.message,
        error_name=row["event_name"] or "",
        file_name=details.file_name,
        first_seen=row["first_seen"],
        last_seen=row["last_seen"],
        first_release=row["first_release"],
        last_release=row["last_release"],
        regressed_at=since["regressed_at"] if since else None,
        regressed_release=since["regressed_release"] if since else None,
        since_mute=since["since_mute"] if since else 0,
    )
