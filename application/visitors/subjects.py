"""The person whose data is given or erased, from a user id or a visit (docs/read/visitor-data.md#who)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import pairwise

from attrs import field, frozen

from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.system import Salts
from footfall.application.ports.visitor_data import UserDay, VisitorData
from footfall.domain.exceptions import DomainError, Invalid, SessionNotFound, existing
from footfall.domain.sites.visitor_reach import ReachSpan, VisitorReach, import_salt
from footfall.domain.text import text_fault
from footfall.domain.tracking.salts import SALT_REST
from footfall.domain.tracking.visitor import salted_user_id
from footfall.domain.traffic.session import parse_session_id
from footfall.domain.visits.subject import Subject

MOST_CHARACTERS = 255
_DAY = timedelta(days=1)


class SaltsDestroyed(DomainError):
    """Some user ids cannot be recognized; the message names their spans, when the salts of these went, and archives."""


@frozen
class Asked:
    """A person who is asked about, and what cannot be found.

    That are the spans of time whose salts are gone, and the sites whose archives were imported with hashed user ids.
    """

    subject: Subject
    unreachable: Sequence[ReachSpan] = ()
    archives: Sequence[str] = ()

    @property
    def refusals(self) -> list[str]:
        """What cannot be found, and since when, by spans that follow each other."""
        spans = [_destroyed(run) for run in _following(self.unreachable)]
        return spans + [_of_archive(source) for source in self.archives]

    def require_reachable(self) -> None:
        """Refuse to say that nothing was found where something may be stored.

        Raises:
            SaltsDestroyed: the salt of a span with user ids was destroyed, or never was here.

        """
        if self.refusals:
            raise SaltsDestroyed("; ".join(self.refusals))


@frozen(kw_only=True)
class Subjects:
    """Finds out by which numbers and texts the log knows a person."""

    _data: VisitorData
    _salts: Salts
    _secret: bytes = field(repr=False)

    async def of_user(self, record: SiteRecord, user_id: str) -> Asked:
        """Return the user with an id, as the site's pages and servers send it.

        Raises:
            Invalid: the text is no user id.
            StoreUnavailable: the store does not answer.

        """
        fault = text_fault(user_id, maximum=MOST_CHARACTERS) if user_id else "must not be empty"
        if fault:
            raise Invalid({"user_id": [fault]})
        texts, unreachable = {user_id}, set[ReachSpan]()
        if record.reaches.is_limited:
            for day in await self._data.user_days(record.site.site_id):
                for span in _spans(record, day):
                    salt = await self._salt(span, day)
                    if salt is None:
                        unreachable.add(span)
                    else:
                        texts.add(self._salted(record, user_id, salt))
        return Asked(
            Subject(frozenset(texts)),
            sorted(unreachable, key=lambda span: (span.reach, span.first)),
            await self._data.archives(record.site.site_id),
        )

    async def of_visit(self, record: SiteRecord, visit: str) -> Asked:
        """Return the visitor of the visit that a text names, as addresses of visits do.

        Raises:
            SessionNotFound: there is no such visit.
            SeveralUsers: more than one user occurs in it.
            StoreUnavailable: the store does not answer.

        """
        position = existing(parse_session_id(visit), SessionNotFound)
        return Asked(existing(await self._data.visitor_of(record.site.site_id, position), SessionNotFound))

    async def _salt(self, span: ReachSpan, day: UserDay) -> bytes | None:
        # Imports have no random salt, so that they make the same hits again.
        return import_salt(span) + self._secret if day.is_imported else await self._salts.known(span)

    def _salted(self, record: SiteRecord, user_id: str, salt: bytes) -> str:
        return salted_user_id(self._secret, site_id=record.site.site_id, user_id=user_id, salt=salt)


def _of_archive(source: str) -> str:
    return f"user ids in the archive of the site {source} that were hashed there cannot be recognized"


def _spans(record: SiteRecord, day: UserDay) -> set[ReachSpan]:
    return record.reaches.spans_of(day.day, is_imported=day.is_imported)


def _following(spans: Sequence[ReachSpan]) -> Iterator[list[ReachSpan]]:
    """Return the spans that follow each other without a gap together."""
    run = list(spans[:1])
    for before, span in pairwise(spans):
        if span.reach is not before.reach or span.first != before.ends_at.date():
            yield run
            run = []
        run.append(span)
    if run:
        yield run


def _destroyed(run: Iterable[ReachSpan]) -> str:
    first, *_, last = [*run] * 2
    destroyed = (last.ends_at + SALT_REST).date()
    if first == last:
        if first.reach is VisitorReach.DAY:
            return f"the salt of {first.first} was destroyed on {destroyed}"
        return f"the salt of the {first.reach} from {first.first} was destroyed on {destroyed}"
    until = last.ends_at.date() - _DAY
    return f"the salts of {first.first} to {until} were destroyed, the last one on {destroyed}"
