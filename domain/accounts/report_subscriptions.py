"""Reports by mail that a user has subscribed to (docs/alerts/mail-reports.md)."""

from datetime import datetime

from footfall.domain.accounts.user import ReportSubscribed, ReportUnsubscribed, User, UserEvent
from footfall.domain.exceptions import Invalid, UserNotFound
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.periods.timezone import parse_zone

MAX_SUBSCRIPTIONS = 50


def subscribe(
    state: User | None, *, site_id: int | None, interval: Interval, time_zone: str | None, now: datetime
) -> list[UserEvent]:
    """Decide that a user gets reports on a site, or on all sites that they may see (`site_id` None).

    Without a time zone, days are those of the site. Subscribing again changes the time zone.

    Raises:
        UserNotFound: the user was forgotten.
        Invalid: there is no such time zone, a report on all sites has none, or the user has 50 subscriptions.

    """
    subscriptions = (state or User()).reports
    if state is not None and state.forgotten:
        raise UserNotFound
    if time_zone is not None:
        parse_zone(time_zone)
    elif site_id is None:
        raise Invalid({"time_zone": ["is required for a report on all sites"]})
    present = subscriptions.get((site_id, interval))
    if present is not None and present.time_zone == time_zone:
        return []
    if present is None and len(subscriptions) >= MAX_SUBSCRIPTIONS:
        raise Invalid({"site": [f"must wait: you have {MAX_SUBSCRIPTIONS} reports, end one first"]})
    return [ReportSubscribed(site_id=site_id, interval=interval, time_zone=time_zone, since=now)]


def unsubscribe(state: User | None, *, site_id: int | None, interval: Interval) -> list[UserEvent]:
    """Decide that a user gets these reports no more; nothing happens when there are none."""
    if state is None or (site_id, interval) not in state.reports:
        return []
    return [ReportUnsubscribed(site_id=site_id, interval=interval)]
