"""Messages of errors with their status: that of their causes (docs/errors/errors.md#status)."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from footfall.application.ports.errors.error_groups import ErrorGroupReports
from footfall.application.ports.errors.error_reports import SummaryPage
from footfall.domain.error_tracking.aggregation import ErrorSummary
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import group_status
from footfall.domain.error_tracking.status import ErrorStatus


@frozen
class ListedMessage:
    """A message with its cause, the group of its latest occurrence, and the status of that.

    The group is None as long as the store has not told the causes of its errors apart.
    """

    summary: ErrorSummary
    group: str | None
    status: ErrorStatus


@frozen
class MessageList:
    """A page of messages, and the number of messages on all pages."""

    messages: Sequence[ListedMessage]
    total: int


async def with_status(
    reports: ErrorGroupReports, decisions: ErrorDecisions, site_id: int, page: SummaryPage, now: datetime
) -> MessageList:
    """Return a page of messages with the status of each.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    if not page.summaries:
        return MessageList([], page.total)
    decisions = decisions.with_former(await reports.former_resolutions(site_id))
    groups = [
        None if summary.fingerprint is None else decisions.group_of(summary.fingerprint)
        for summary in page.summaries
    ]
    # A group without such a decision is open, whatever its history is.
    decided = sorted({group for group in groups if group is not None and decisions.closes(group)})
    histories = await reports.histories(site_id, decisions, decided) if decided else {}
    statuses = {
        group: group_status(decisions.of(group), history, now) for group, history in histories.items()
    }
    messages = [
        ListedMessage(summary, group, statuses.get(group or "", ErrorStatus.OPEN))
        for summary, group in zip(page.summaries, groups, strict=True)
    ]
    return MessageList(messages, page.total)
