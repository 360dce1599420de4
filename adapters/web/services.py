"""The services that the pages of the dashboard call."""

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager

from attrs import field, frozen
from falcon.asgi import Request

from footfall.application.citations.answer_states import Answer, Answers
from footfall.application.languages.language import Languages
from footfall.application.notifications.mail_reports import MailReports
from footfall.application.notifications.mailer import Mailer
from footfall.application.ports.enrichment import LocationSource
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.ports.system import Sealing
from footfall.application.report_recipients.recipients import ReportRecipients
from footfall.application.services import SharedServices
from footfall.application.sign_in.ways import SignInWays
from footfall.domain.accounts.person import Person
from footfall.domain.citations.positions import whole_milliseconds
from footfall.domain.periods.period import Period
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.sites.site import Site
from footfall.domain.traffic.filters import ExpressionCompiler


@frozen
class TrackingSnippet:
    """The script tag of tracked pages, with the paths that the operator configured."""

    script_path: str = "/footfall.js"
    track_path: str = "/api/track"

    def html(self, site_id: int, base_url: str) -> str:
        """Return the tag; it names the endpoint only where that is not the default one."""
        endpoint = f' data-endpoint="{base_url}{self.track_path}"' if self.track_path != "/api/track" else ""
        return (
            f'<script defer src="{base_url}{self.script_path}" data-site-id="{site_id}"{endpoint}></script>'
        )


@frozen(kw_only=True)
class Dashboard(SharedServices):
    """The services that the pages call; `client_address` finds the visitor's address behind trusted proxies.

    `origin` is where users reach the service.
    """

    reports: ReportSet
    freshness: Freshness
    answers: Answers
    mailer: Mailer
    mail_reports: MailReports
    report_recipients: ReportRecipients
    sign_in_ways: SignInWays
    expressions: ExpressionCompiler
    compile_patterns: PatternCompiler
    sealing: Sealing
    client_address: Callable[[Request], str]
    location_source: Callable[[], LocationSource | None]
    network_source: Callable[[], LocationSource | None]
    languages: Languages
    origin: str
    secret: bytes = field(repr=False)
    snippet: TrackingSnippet = field(factory=TrackingSnippet)

    async def people_of(self, user_ids: Iterable[str]) -> dict[str, Person]:
        """Return the persons behind these users, for each of them one."""
        ids = list(user_ids)
        persons = await self.people.of(ids)
        return {user_id: persons.get(user_id, Person(user_id=user_id)) for user_id in ids}

    def present(self, site: Site, span: Period) -> AbstractAsyncContextManager[Answer]:
        """Lend the present state of a site to one of its members, as `Answers.present` does."""
        now, asker = whole_milliseconds(self.clock.now()), Asker.of(site.organization_id, belongs=True)
        return self.answers.present(site.site_id, span, now=now, asker=asker)
