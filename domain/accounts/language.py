"""The language that a user chooses for pages and mails, or an organization for its members."""

import re

from footfall.domain.accounts.organization import Organization, OrganizationLanguageChosen, require_authority
from footfall.domain.accounts.user import User, UserLanguageChosen
from footfall.domain.exceptions import Invalid, OrganizationNotFound, UserNotFound, existing

_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")


def choose_of_user(state: User | None, language: str | None) -> list[UserLanguageChosen]:
    """Decide in which language a user reads, by its code (BCP 47); None leaves it to organization and browser.

    Raises:
        UserNotFound: the user was forgotten.
        Invalid: the code is none of a language.

    """
    _require_code(language)
    if state is not None and state.forgotten:
        raise UserNotFound
    chosen = None if state is None else state.language
    return [] if chosen == language else [UserLanguageChosen(language=language)]


def choose_of_organization(
    state: Organization | None, language: str | None, *, by: str | None = None
) -> list[OrganizationLanguageChosen]:
    """Decide the language of members without a choice of their own, and of people outside; None for none.

    Raises:
        OrganizationNotFound: the organization does not exist.
        AccessDenied: only admins and owners choose it.
        Invalid: the code is none of a language.

    """
    state = existing(state, OrganizationNotFound)
    require_authority(state, by)
    _require_code(language)
    return [] if language == state.language else [OrganizationLanguageChosen(language)]


def _require_code(language: str | None) -> None:
    if language is not None and not _TAG.fullmatch(language):
        raise Invalid({"language": ["must be the code of a language such as de"]})
