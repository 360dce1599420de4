"""The contents of the service's mails: recipient, reason and values of each."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from footfall.domain.mail.mail import MailKind, RecipientKey


@frozen(kw_only=True)
class Letter:
    """A mail before it is written; `values` are the names of its template.

    A mail with an id is queued once, however often it is posted within a week. One with an unsubscribe link of its own
    offers that in place of the link that ends all mails of its kind. It is in the language of `reader_id`, a user, or
    of the organization, as its values are.
    """

    kind: MailKind
    recipient: str = field(repr=False)
    values: Mapping[str, Any] = field(repr=False)
    user_id: str | None = None
    mail_id: str | None = None
    useless_after: datetime | None = None
    outside: RecipientKey | None = None
    unsubscribe_url: str | None = field(default=None, repr=False)
    organization_id: str | None = None
    reader_id: str | None = None

    @classmethod
    def of_member(cls, **values: Any) -> "Letter":
        """Return a mail that its user reads."""
        return cls(reader_id=values["user_id"], **values)


def sign_in_link(address: str, *, user_id: str | None, link: str, expires_at: datetime) -> Letter:
    """Return the mail with a link that signs its reader in."""
    return Letter.of_member(
        kind=MailKind.SIGN_IN_LINK,
        recipient=address,
        values={"link": link},
        user_id=user_id,
        useless_after=expires_at,
    )


def address_verification(address: str, *, user_id: str, link: str, expires_at: datetime) -> Letter:
    """Return the mail with a link that verifies the address of a user."""
    return Letter.of_member(
        kind=MailKind.ADDRESS_VERIFICATION,
        recipient=address,
        values={"link": link},
        user_id=user_id,
        useless_after=expires_at,
    )


def invitation(
    address: str,
    *,
    invited_by: str,
    inviter_id: str | None,
    organization_id: str,
    organization: str,
    role: str,
    link: str,
    expires_at: datetime,
) -> Letter:
    """Return the mail that invites to an organization; the inviting user sees a failed delivery."""
    values = {"invited_by": invited_by, "organization": organization, "role": role, "link": link}
    return Letter(
        kind=MailKind.INVITATION,
        recipient=address,
        values=values,
        user_id=inviter_id,
        useless_after=expires_at,
        organization_id=organization_id,
    )


def to_member(
    kind: MailKind,
    address: str,
    *,
    user_id: str,
    organization_id: str,
    mail_id: str,
    values: Mapping[str, Any],
) -> Letter:
    """Return a report that a user has subscribed to, or what a member is told about an alert rule of a site.

    The organization is that of the site; it is empty for a report on all sites.
    """
    return Letter.of_member(
        kind=kind,
        recipient=address,
        values=values,
        user_id=user_id,
        mail_id=mail_id,
        organization_id=organization_id,
    )


def report_question(
    address: str, *, organization_id: str, values: Mapping[str, Any], expires_at: datetime
) -> Letter:
    """Return the mail that asks the reader of an address outside whether they want reports."""
    return Letter(
        kind=MailKind.REPORT_QUESTION,
        recipient=address,
        values=values,
        useless_after=expires_at,
        organization_id=organization_id,
    )


def outside_report(
    address: str,
    *,
    outside: RecipientKey,
    organization_id: str,
    mail_id: str,
    values: Mapping[str, Any],
    unsubscribe_url: str,
) -> Letter:
    """Return a report to an address outside, whose reader has agreed to get it."""
    return Letter(
        kind=MailKind.OUTSIDE_REPORT,
        recipient=address,
        values=values,
        mail_id=mail_id,
        outside=outside,
        unsubscribe_url=unsubscribe_url,
        organization_id=organization_id,
    )
