"""The languages of pages: that of an answer, and those to choose from."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import frozen
from falcon.asgi import Request

from footfall.adapters.web.session.cookies import SignInCookies
from footfall.adapters.web.session.forms import Form
from footfall.application.access.language_choice import LanguageChoice
from footfall.application.languages.language import Language
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.exceptions import Invalid

# What the address of a page says after a language was chosen.
CHOSEN = "language"


@frozen
class PageLanguages:
    """Asks for the language of a page by whose request it answers, and what its address is about."""

    _choice: LanguageChoice
    _cookies: SignInCookies

    async def of(self, req: Request, parts: Mapping[str, Any]) -> Language:
        """Return the language of the answer to a request; `parts` are those of its address."""
        sign_in = self._cookies.read(req)
        if sign_in is not None and req.get_param("done") == CHOSEN:
            # Another process may have made the choice, which shows at once.
            with suppress(StoreUnavailable):
                await self._choice.directory.catch_up()
        user_id = None if sign_in is None else sign_in.user_id
        return self._choice.of_page(user_id, self._organization(parts), req.get_header("Accept-Language"))

    def offered(self) -> Mapping[str, str]:
        """Return the own names of the languages to choose from, by their codes."""
        return self._choice.languages.offered()

    def chosen(self, form: Form) -> str | None:
        """Return the language that a form chooses; None for no choice.

        Raises:
            Invalid: it is none of those that are offered.

        """
        chosen = form.text("language")
        if chosen and chosen not in self.offered():
            raise Invalid({"language": ["must be one of the list"]})
        return chosen or None

    def _organization(self, parts: Mapping[str, Any]) -> str | None:
        """Return the organization that an address is about, or whose site it names."""
        if "organization" in parts:
            return str(parts["organization"])
        record = self._choice.directory.site(str(parts["site"])) if "site" in parts else None
        return None if record is None else record.site.organization_id
