"""The languages that users and organizations choose."""

import pytest

from footfall.domain.accounts import language, organization, user
from footfall.domain.accounts.organization import OrganizationLanguageChosen, Role
from footfall.domain.accounts.user import UserLanguageChosen
from footfall.domain.event_stream import fold
from footfall.domain.exceptions import AccessDenied, Invalid, OrganizationNotFound
from tests.unit.accounts.test_organization import acme
from tests.unit.accounts.test_user import signed_in


def test_a_user_chooses_a_language_and_takes_it_back():
    chosen = language.choose_of_user(None, "de")
    state = fold(user.apply, chosen, signed_in())

    assert (chosen, state.language) == ([UserLanguageChosen(language="de")], "de")
    assert language.choose_of_user(state, "de") == []
    assert fold(user.apply, language.choose_of_user(state, None), state).language is None


def test_admins_choose_the_language_of_an_organization():
    state = acme(ann=Role.ADMIN, bob=Role.MEMBER)
    chosen = language.choose_of_organization(state, "de", by="ann")

    assert chosen == [OrganizationLanguageChosen("de")]
    assert language.choose_of_organization(fold(organization.apply, chosen, state), "de", by="ann") == []
    with pytest.raises(AccessDenied):
        language.choose_of_organization(state, "de", by="bob")
    with pytest.raises(OrganizationNotFound):
        language.choose_of_organization(None, "de")


@pytest.mark.parametrize("code", ["", "D", "de_AT", "de;q=1", "german-", "x" * 40])
def test_what_is_no_code_of_a_language_is_refused(code):
    for choose, state in ((language.choose_of_user, None), (language.choose_of_organization, acme())):
        with pytest.raises(Invalid):
            choose(state, code)
