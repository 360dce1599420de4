"""Reports in the forms of the interface (sections 2.1 and 2.2); what is not known is an empty text."""

from typing import Any

from footfall.adapters.http.answers import timestamp
from footfall.application.interface_names import rule_document
from footfall.domain.conversion import Conversions, GoalReport
from footfall.domain.page import Page
from footfall.domain.session import Session, session_text
from footfall.domain.traffic import Traffic


def goal_report_body(report: GoalReport) -> dict[str, Any]:
    """Return a goal with its conversions."""
    return {
        "goalId": report.goal.goal_id,
        "name": report.goal.name,
        **rule_document(report.goal.rule),
        "createdAt": timestamp(report.created_at),
        **conversions_body(report.conversions),
    }


def conversions_body(conversions: Conversions) -> dict[str, Any]:
    """Return the metrics of a goal."""
    return {
        "total_conversions": conversions.conversions,
        "total_sessions": conversions.sessions,
        "conversion_rate": conversions.rate,
    }


def session_body(session: Session) -> dict[str, Any]:
    """Return a session."""
    return {
        "session_id": session_text(session.session_id),
        "user_id": session.user_id,
        "country": session.country or "",
        "browser": session.browser or "",
        "operating_system": session.operating_system or "",
        "device_type": session.device_type.value,
        "entry_page": session.entry_page or "",
        "exit_page": session.exit_page or "",
        "pageviews": session.pageviews,
        "session_duration": session.duration,
        "session_start": timestamp(session.start),
        "session_end": timestamp(session.end),
        "referrer": session.referrer or "",
        "channel": session.channel or "",
    }


def traffic_body(traffic: Traffic) -> dict[str, Any]:
    """Return what happened in some stretch of time."""
    return {
        "sessions": traffic.sessions,
        "visitors": traffic.visitors,
        "pageviews": traffic.pageviews,
        "events": traffic.events,
        "bounce_rate": traffic.bounce_rate,
        "average_session_duration": traffic.average_session_duration,
    }


def page_meta(page: Page, total: int) -> dict[str, int]:
    """Return what the interface says about a page (section 4.2)."""
    return {"total": total, "page": page.number, "pageSize": page.size, "totalPages": page.count(total)}
