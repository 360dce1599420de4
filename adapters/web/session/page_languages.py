"""The language of a page (docs/internals/languages.md#choice)."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import frozen
from falcon.asgi import Request

from footfall.adapters.web.session.cookies import SignInCookies
from footfall.adapters.web.session.forms import Form
from footfall.application.access.reader_languages import ReaderLanguages
from footfall.application.languages.language import ENGLISH, Language
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.exceptions import Invalid

# What the address of a page says after a language was chosen.
CHOSEN = "language"


@frozen
class PageLanguages:
    """Chooses the language of a page: of users their own, of others that of their browser, then the organization's."""

    _readers: ReaderLanguages
    _cookies: SignInCookies

    async def of(self, req: Request, parts: Mapping[str, Any]) -> Language:
        """Return the language of the answer to a request; `parts` are those of its address."""
        languages, sign_in = self._readers.languages, self._cookies.read(req)
        accepted = languages.negotiate(req.get_header("Accept-Language"))
        if sign_in is None:
            return accepted or self._of_address(parts) or ENGLISH
        if req.get_param("done") == CHOSEN:
            # Another process may have made the choice, which shows at once.
            with suppress(StoreUnavailable):
                await self._readers.directory.catch_up()
        return self._readers.of_user(sign_in.user_id, self._organization(parts)) or accepted or ENGLISH

    def offered(self) -> Mapping[str, str]:
        """Return the own names of the languages to choose from, by their codes."""
        return self._readers.languages.offered()

    def chosen(self, form: Form) -> str | None:
        """Return the language that a form chooses; None for no choice.

        Raises:
            Invalid: it is none of those that are offered.

        """
        chosen = form.text("language")
        if chosen and chosen not in self.offered():
            raise Invalid({"language": ["must be one of the list"]})
        return chosen or None

    def _of_address(self, parts: Mapping[str, Any]) -> Language | None:
        organization = self._organization(parts)
        return None if organization is None else self._readers.of_organization(organization)

    def _organization(self, parts: Mapping[str, Any]) -> str | None:
        """Return the organization that an address is about, or whose site it names."""
        if "organization" in parts:
            return str(parts["organization"])
        record = self._readers.directory.site(str(parts["site"])) if "site" in parts else None
        return None if record is None else record.site.organization_id
