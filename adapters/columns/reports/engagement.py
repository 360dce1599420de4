"""Engagement in queries: as it is known now, or as it was at a position of the past."""

from footfall.adapters.columns.reports.report_reading import Reading
from footfall.adapters.columns.sql_files import compose, over


def hits_with_engagement(reading: Reading, of_type: str) -> str:
    """Return the query of the selected hits, with what was reported of their pages."""
    hits = reading.selection.hits(of_type)
    return hits if reading.is_current else over(compose("engagement/hits_at"), hits=hits)


def sessions_with_engagement(reading: Reading) -> str:
    """Return the query of the selected sessions, with `engaged_ms` and `engaged_pageviews` of their pages."""
    sessions = reading.selection.sessions
    return sessions if reading.is_current else over(compose("engagement/sessions_at"), sessions=sessions)
