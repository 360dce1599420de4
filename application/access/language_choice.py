"""The order in which the language of a page and of a mail is chosen (docs/internals/languages.md#choice)."""

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.languages.language import ENGLISH, Language, Languages, spoken


@frozen
class LanguageChoice:
    """Chooses languages by what users and organizations have chosen, as far as this process knows."""

    languages: Languages
    directory: Directory

    def of_page(self, user_id: str | None, organization_id: str | None, accepts: str | None) -> Language:
        """Return the language of a page about an organization, for a signed-in user or, without one, for any reader.

        A user's own choice comes before what the browser `accepts`, which comes before the organization for others.
        """
        accepted = self.languages.negotiate(accepts)
        if user_id is not None:
            return self._of_user(user_id, organization_id) or accepted or ENGLISH
        return accepted or self._of_organization(organization_id) or ENGLISH

    def of_mail(self, user_id: str | None, organization_id: str | None = None) -> Language:
        """Return the language of a mail to a user, or to an address outside from an organization.

        Without a choice it is that of the request that the mail is written for.
        """
        chosen = None if user_id is None else self._of_user(user_id, organization_id)
        return chosen or self._of_organization(organization_id) or spoken()

    def _of_user(self, user_id: str, organization_id: str | None) -> Language | None:
        """Return what a user has chosen, else what this organization of theirs has, else any other of theirs."""
        user = self.directory.state.users.get(user_id)
        if user is not None and (own := self.languages.find(user.language)) is not None:
            return own
        records = self.directory.organizations_of(user_id)
        ids = [record.organization.organization_id for record in records]
        for chosen in sorted(ids, key=lambda id_: id_ != organization_id):
            if (language := self._of_organization(chosen)) is not None:
                return language
        return None

    def _of_organization(self, organization_id: str | None) -> Language | None:
        record = None if organization_id is None else self.directory.organization(organization_id)
        return None if record is None else self.languages.find(record.organization.language)
