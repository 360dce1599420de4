"""The errors of the domain, named after the refused request."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

Value = TypeVar("Value")


class DomainError(Exception):
    """Anything that a rule of the domain refuses; its message, fixed for most classes, can be shown to the caller."""

    message: str

    def __init__(self, message: str | None = None) -> None:
        if message is not None:
            self.message = message
        super().__init__(self.message)


class Invalid(DomainError):
    """Values that break a rule: errors by field, in the names of the HTTP interface, and of the whole request."""

    def __init__(
        self,
        field_errors: Mapping[str, Sequence[str]],
        message: str = "Invalid request",
        *,
        form_errors: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.field_errors = {field: list(messages) for field, messages in field_errors.items()}
        self.form_errors = list(form_errors)

    @property
    def messages(self) -> list[str]:
        """The errors of all fields, without the names of these."""
        return [message for messages in self.field_errors.values() for message in messages]

    def __str__(self) -> str:
        """Return the message with each error beside its field, for a line on a terminal."""
        lines = [f"{field}: {', '.join(messages)}" for field, messages in self.field_errors.items()]
        details = "; ".join([*lines, *self.form_errors])
        return f"{self.message}: {details}" if details else self.message


class ExpressionRefused(DomainError):
    """A regular expression that is not accepted; the message says why, for the field that holds it."""


class NotFound(DomainError):
    """Something that does not exist, or not for the caller."""


class OrganizationNotFound(NotFound):
    """No organization with this id."""

    message = "Organization not found"


class SiteNotFound(NotFound):
    """No site with this id, or a deleted one."""

    message = "Site not found"


class GoalNotFound(NotFound):
    """No goal with this id on the site, or a deleted one."""

    message = "Goal not found"


class SessionNotFound(NotFound):
    """The session is not stored any more."""

    message = "Session not found"


class VisitsTurnedOff(NotFound):
    """The site shows no sessions one by one."""

    message = "Lists of visits are turned off for this site"


class ErrorNotFound(NotFound):
    """No exception with this message was ever reported on the site."""

    message = "Error not found"


class CommentNotFound(NotFound):
    """No comment with this id on the error."""

    message = "Comment not found"


class AnnotationNotFound(NotFound):
    """No annotation with this id on the site."""

    message = "Annotation not found"


class ApiKeyNotFound(NotFound):
    """No API key with this id that belongs to the user."""

    message = "API key not found"


class UserNotFound(NotFound):
    """No user with this id."""

    message = "User not found"


class MemberNotFound(NotFound):
    """The user is not a member of the organization."""

    message = "Member not found"


class SignInNotFound(NotFound):
    """The user has no open sign-in with this handle."""

    message = "Sign-in not found"


class AccessDenied(DomainError):
    """The caller is known and may not do this."""

    message = "Access denied"


class InvitationNotFound(NotFound):
    """No open invitation of the organization with this number."""

    message = "Invitation not found"


class InvitationRefused(NotFound):
    """The presented link is no open invitation; the answer does not tell whether it ever was."""

    message = "This invitation was used or revoked, or is too old"


class SignInRefused(DomainError):
    """The presented link or key signs no browser in; the message gives the reason."""


class Conflict(DomainError):
    """A command that contradicts an earlier decision."""


class TooMany(Conflict):
    """A site or an organization has as many of something as it may have."""

    rule: str

    def __init__(self, limit: int) -> None:
        super().__init__(self.rule.format(limit=limit))


class ChangedByNewer(Conflict):
    """The stream has an event of a newer version, which this one cannot read, so that it cannot decide."""

    message = "A newer version of Footfall has changed this: try again when the update is complete"


class LastOwner(Conflict):
    """An organization always keeps one owner."""

    message = "An organization keeps at least one owner"


class GoalSetAside(Conflict):
    """The store does not count the goal, since its pattern takes too long to match."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This goal is set aside: {reason}. Change its pattern")


class AlreadyMember(Conflict):
    """The user who accepts an invitation is a member already."""

    message = "You are a member of this organization already"


class TooManyInvitations(TooMany):
    """The organization has as many open invitations as it may have."""

    rule = "An organization has at most {limit} open invitations: revoke one, or wait for one to expire"


class SegmentNotFound(NotFound):
    """No segment with this number on the site, a deleted one, or a personal one of another user."""

    message = "Segment not found"


class TooManySegments(TooMany):
    """The site, or the user on this site, has as many segments as are kept."""

    rule = "There are at most {limit} segments of a site, and {limit} personal ones of each user"


class AliasNotFound(NotFound):
    """The site does not have this alias."""

    message = "Alias not found"


class AliasTaken(Conflict):
    """Another site, of any organization, has this alias."""

    message = "Another site has this alias"


class TooManyAliases(TooMany):
    """The site has as many aliases as are kept."""

    rule = "A site has at most {limit} aliases: remove one first"


class SharedLinkNotFound(NotFound):
    """No link with this number on the site, or a revoked one."""

    message = "Link not found"


class TooManySharedLinks(TooMany):
    """The site has as many links as are kept."""

    rule = "A site has at most {limit} links: revoke one first"


class SegmentShared(Conflict):
    """A segment that links show is not deleted."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"Links show this segment: {', '.join(names)}. Change or revoke them first")


class ExclusionRuleNotFound(NotFound):
    """No rule of standing exclusions with this number on the site, or a removed one."""

    message = "Exclusion rule not found"


class TooManyExclusionRules(TooMany):
    """The site has as many rules of standing exclusions as are kept."""

    rule = "There are at most {limit} exclusion rules of a site"


class GoalAlerted(Conflict):
    """A goal that alert rules count is not changed into one that they do not count."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"Alert rules count this goal: {', '.join(names)}. They count none by a group of pages: change them first"
        )


class FunnelNotFound(NotFound):
    """There is no funnel with this id on the site."""

    message = "Funnel not found"


class TooManyFunnels(TooMany):
    """The site has as many funnels as a site may have."""

    rule = "A site has at most {limit} funnels"


class FunnelNotCountable(Conflict):
    """The funnel cannot be counted as it is; the message says why."""


class AlertRuleNotFound(NotFound):
    """No alert rule with this number on the site, or a deleted one."""

    message = "Alert rule not found"


class AlertTargetNotFound(NotFound):
    """No target of alerts with this number on the site, or a removed one."""

    message = "Alert target not found"


class AlertFiringNotFound(NotFound):
    """The rule has no firing with this number, or it is older than those that are shown."""

    message = "Firing not found"


class AlertFiringOver(Conflict):
    """A firing that is over cannot be acknowledged."""

    message = "This firing is over"


class TooManyAlertRules(TooMany):
    """The site has as many alert rules as a site may have."""

    rule = "A site has at most {limit} alert rules"


class TooManyAlertTargets(TooMany):
    """The site has as many targets of alerts as a site may have."""

    rule = "A site has at most {limit} targets of alerts"


class TooManyRecipients(TooMany):
    """The site sends reports to as many addresses outside as it may."""

    rule = "A site has at most {limit} addresses outside: remove one first"


class RecipientLinkRefused(NotFound):
    """The link agrees to no reports; the answer does not tell whether it ever did."""

    message = "This link is too old, or the reports were ended"


class TooManyGoals(TooMany):
    """The site has as many goals as a site may have."""

    rule = "A site has at most {limit} goals"


def existing(value: Value | None, missing: type[DomainError]) -> Value:
    """Return a value; None raises `missing`."""
    if value is None:
        raise missing
    return value


@contextmanager
def noting(field_errors: MutableMapping[str, list[str]]) -> Iterator[None]:
    """Note what the block refuses, and go on behind it, so that all fields of a request are refused together."""
    try:
        yield
    except Invalid as refusal:
        field_errors.update(refusal.field_errors)


@contextmanager
def renaming(names: Mapping[str, str]) -> Iterator[None]:
    """Let what the block refuses name its fields as the caller does; those without another name keep theirs."""
    try:
        yield
    except Invalid as refusal:
        errors = {names.get(field, field): messages for field, messages in refusal.field_errors.items()}
        raise Invalid(errors, refusal.message, form_errors=refusal.form_errors) from None


def require_valid(field_errors: Mapping[str, Sequence[str]]) -> None:
    """Refuse what was found wrong; nothing happens without errors.

    Raises:
        Invalid: with all errors.

    """
    if field_errors:
        raise Invalid(field_errors)
