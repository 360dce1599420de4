"""Engagement in queries: as it is known now, or as it was at a position of the past."""

from footfall.adapters.columns.reports.report_reading import Reading
from footfall.adapters.columns.sql_files import compose


def engaged(reading: Reading, value: str) -> str:
    """Return the column of a value of hits, `engaged_ms` or `scroll_percent`, under its name."""
    up_to = reading.store.state.measured_up_to
    if up_to is None:
        return value
    return compose("engagement/value_at", value=value, up_to=reading.selection.values.add(up_to))


def sessions_with_engagement(reading: Reading) -> str:
    """Return the query of the selected sessions, with `engaged_ms` and `engaged_pageviews` of their pages."""
    sessions = reading.selection.sessions
    if reading.store.state.measured_up_to is None:
        return sessions
    return compose("engagement/sessions_at", sessions=sessions, engaged_ms=engaged(reading, "engaged_ms"))
