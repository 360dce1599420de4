"""Languages that readers or organizations have chosen, and that of a mail (docs/internals/languages.md#choice)."""

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.languages.language import Language, Languages, spoken


@frozen
class ReaderLanguages:
    """Finds the languages that users and organizations have chosen, as far as this process knows."""

    languages: Languages
    directory: Directory

    def of_user(self, user_id: str, organization_id: str | None = None) -> Language | None:
        """Return what a user has chosen, else what this organization of theirs has, else any other of theirs."""
        user = self.directory.state.users.get(user_id)
        if user is not None and (own := self.languages.find(user.language)) is not None:
            return own
        records = self.directory.organizations_of(user_id)
        ids = [record.organization.organization_id for record in records]
        for chosen in sorted(ids, key=lambda id_: id_ != organization_id):
            if (language := self.of_organization(chosen)) is not None:
                return language
        return None

    def of_organization(self, organization_id: str) -> Language | None:
        """Return what an organization has chosen; None without a choice."""
        record = self.directory.organization(organization_id)
        return None if record is None else self.languages.find(record.organization.language)

    def of_site(self, reference: str) -> Language | None:
        """Return what the organization of a site has chosen; None without a choice, or a site."""
        record = self.directory.site(reference)
        return None if record is None else self.of_organization(record.site.organization_id)

    def of_mail(self, user_id: str | None, organization_id: str | None = None) -> Language:
        """Return the language of a mail to a user, or to an address outside from an organization.

        Without a choice it is that of the request that the mail is written for.
        """
        language = None
        if user_id is not None:
            language = self.of_user(user_id, organization_id)
        if language is None and organization_id is not None:
            language = self.of_organization(organization_id)
        return language or spoken()
