"""JSON bodies of groups of errors (docs/errors/error-groups.md)."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from footfall.adapters.http.wire.error_bodies import occurrence_bodies
from footfall.adapters.http.wire.report_bodies import record, step_body
from footfall.application.access.readers import Reader
from footfall.application.reports.catalogue.error_groups import GROUP
from footfall.application.reports.error_groups import ListedGroup, ShownGroup
from footfall.domain.error_tracking.decisions import Comment, GroupDecision, Mute
from footfall.domain.error_tracking.fingerprint import stack_text
from footfall.domain.error_tracking.group_details import GroupDetails, StackCount, ValueCount
from footfall.domain.error_tracking.source_maps import Original, SourcedStack
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.traffic.session import session_text


def group_body(listed: ListedGroup, reader: Reader) -> dict[str, Any]:
    """Return a group as lists show it; only members see to whom it is assigned, and the number of comments."""
    shown = record(GROUP, listed)
    return {**shown, "fileName": shown["fileName"] or "", **_decision_body(listed.decision, reader)}


def shown_body(
    shown: ShownGroup, reader: Reader, sourced: Sequence[SourcedStack | None] = ()
) -> dict[str, Any]:
    """Return the page of a group; `sourced` are its stacks as written, none when they are not shown."""
    return {
        "id": shown.group,
        "group": None if shown.listed is None else group_body(shown.listed, reader),
        "merged": list(shown.members[1:]),
        **_details_body(shown.details, reader, sourced),
        "trailSession": None if shown.session is None else session_text(shown.session.session_id),
        "trail": [step_body(step) for step in shown.trail.steps],
    }


def comment_body(comment: Comment) -> dict[str, Any]:
    """Return a comment."""
    return {
        "commentId": comment.comment_id,
        "userId": comment.user_id,
        "at": instant_text(comment.at),
        "text": comment.text,
    }


def _details_body(
    details: GroupDetails, reader: Reader, sourced: Sequence[SourcedStack | None]
) -> dict[str, Any]:
    stacks = zip_longest(details.stacks, sourced)
    return {
        "stacks": [_stack_body(stack, reader, source) for stack, source in stacks],
        "distinctStacks": details.distinct_stacks,
        "browsers": [_value_body(count) for count in details.browsers],
        "pages": [_value_body(count) for count in details.pages],
        "releases": [_value_body(count) for count in details.releases],
        "sessions": list(map(reader.shown, occurrence_bodies(details.latest))),
    }


def _stack_body(stack: StackCount, reader: Reader, sourced: SourcedStack | None) -> dict[str, Any]:
    latest = stack.latest
    return {
        "count": stack.count,
        "stack": stack_text(latest.details) if reader.belongs else None,
        "source": None if sourced is None else _source_body(sourced),
        "message": latest.details.message,
        "release": latest.hit.release,
        "lastSeen": instant_text(latest.hit.occurred_at),
    }


def _source_body(sourced: SourcedStack) -> dict[str, Any]:
    lines = [
        {"text": line.text, "original": None if line.original is None else _original_body(line.original)}
        for line in sourced.lines
    ]
    return {"lines": lines, "unreadable": list(sourced.unreadable)}


def _original_body(original: Original) -> dict[str, Any]:
    return {
        "fileName": original.file_name,
        "lineNumber": original.line_number,
        "columnNumber": original.column_number,
        "function": original.function,
        "before": list(original.before),
        "line": original.line,
        "after": list(original.after),
    }


def _value_body(count: ValueCount) -> dict[str, Any]:
    return {"value": count.value, "count": count.count}


def _decision_body(decision: GroupDecision, reader: Reader) -> dict[str, Any]:
    return {
        "resolvedAt": None if decision.resolved_at is None else instant_text(decision.resolved_at),
        "resolvedInNextRelease": decision.next_release,
        "mute": None if decision.mute is None else _mute_body(decision.mute),
        "assignee": decision.assignee if reader.belongs else None,
        "comments": [comment_body(comment) for comment in decision.comments] if reader.belongs else [],
    }


def _mute_body(mute: Mute) -> dict[str, Any]:
    return {
        "at": instant_text(mute.at),
        "until": None if mute.until is None else instant_text(mute.until),
        "occurrences": mute.occurrences,
    }
