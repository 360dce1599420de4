"""Questions about sites as messages between workers and the reading process, and back."""

from datetime import datetime
from pathlib import Path
from typing import Any

from footfall.adapters.columns.queries import LeftOutSessions, SiteQuestion
from footfall.adapters.columns.reader.frames import Malformed, Message
from footfall.application.ports.columns import ColumnFiles
from footfall.application.ports.reports.fresh_rows import Earlier, Wanted
from footfall.domain.periods.period import Period


def of_question(question: SiteQuestion) -> Message:
    """Return the message of a question."""
    earlier = question.earlier
    return {
        "site": question.site_id,
        "position": question.position,
        "epoch": question.epoch,
        "days": [[day, version] for day, version in question.days.items()],
        "changed": list(question.changed),
        "stale": list(question.stale),
        "earlier": earlier and [earlier.until, list(earlier.replaced), list(earlier.formed)],
        "left_out": question.left_out and _of_left_out(question.left_out),
    }


def question_of(message: Message) -> SiteQuestion:
    """Return the question of a message.

    Raises:
        Malformed: it is none.

    """
    match message:
        case {
            "site": int(site_id),
            "position": int(position),
            "epoch": str(epoch),
            "days": list(days),
            "changed": list(changed),
            "stale": list(stale),
            "earlier": [datetime(), list(), list()] | None as earlier,
            "left_out": dict() | None as left_out,
        }:
            return SiteQuestion(
                site_id=site_id,
                position=position,
                epoch=epoch,
                days=dict(map(_day, days)),
                changed=changed,
                stale=stale,
                earlier=earlier and Earlier(*earlier),
                left_out=None if left_out is None else _left_out_of(left_out),
            )
        case _:
            raise Malformed


def of_wanted(wanted: Wanted) -> Message:
    """Return the message of what is wanted."""
    days = None if wanted.days is None else list(wanted.days)
    near = None if wanted.near is None else [wanted.near.start, wanted.near.end]
    return {
        "days": days,
        "since": wanted.since,
        "near": near,
        "most": wanted.most_bytes,
        "earlier": wanted.earlier,
    }


def wanted_of(message: Message) -> Wanted:
    """Return what a message wants.

    Raises:
        Malformed: it is none.

    """
    match message:
        case {
            "days": list() | None as days,
            "since": int() | None as since,
            "near": [datetime(), datetime()] | None as near,
            "most": int() | None as most,
            "earlier": bool(earlier),
        }:
            return Wanted(days, since, near and Period(*near), most, earlier)
        case _:
            raise Malformed


def of_files(files: ColumnFiles) -> list[str]:
    """Return where the sessions and the hits of files are."""
    return [str(files.sessions), str(files.hits)]


def files_of(document: object) -> ColumnFiles:
    """Return files of which only the places are known.

    Raises:
        Malformed: they are none.

    """
    match document:
        case [str(sessions), str(hits)]:
            return ColumnFiles((), Path(sessions), Path(hits))
        case _:
            raise Malformed


def _of_left_out(left_out: LeftOutSessions) -> Message:
    return {
        "text": left_out.text,
        "parameters": dict(left_out.parameters),
        "expressions": list(left_out.expressions),
        "files": list(map(of_files, left_out.files)),
    }


def _left_out_of(message: Message) -> LeftOutSessions:
    match message:
        case {
            "text": str(text),
            "parameters": dict(parameters),
            "expressions": list(expressions),
            "files": list(files),
        }:
            return LeftOutSessions(text, parameters, expressions, list(map(files_of, files)))
        case _:
            raise Malformed


def _day(document: Any) -> tuple[datetime, str | None]:
    match document:
        case [datetime() as day, str() | None as version]:
            return day, version
        case _:
            raise Malformed
