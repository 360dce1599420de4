"""What the domain refuses, each refusal named after what was refused."""

from collections.abc import Mapping, Sequence


class DomainError(Exception):
    """Anything that a rule of the domain refuses; its text can be shown to whoever asked."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Invalid(DomainError):
    """Values that break a rule: faults by field, in the names of the HTTP interface, and of the whole."""

    def __init__(
        self,
        faults: Mapping[str, Sequence[str]],
        message: str = "Invalid request",
        *,
        forms: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.faults = {field: list(messages) for field, messages in faults.items()}
        self.forms = list(forms)

    def __str__(self) -> str:
        """Return the message with each fault beside its field, for a line on a terminal."""
        listed = [f"{field}: {', '.join(messages)}" for field, messages in self.faults.items()]
        return (
            ": ".join([self.message, "; ".join([*listed, *self.forms])])
            if self.faults or self.forms
            else self.message
        )


class NotFound(DomainError):
    """Something that is not there, or not there for the one who asks."""


class OrganizationNotFound(NotFound):
    """No organization with this id."""

    def __init__(self) -> None:
        super().__init__("Organization not found")


class SiteNotFound(NotFound):
    """No site with this id, or a deleted one."""

    def __init__(self) -> None:
        super().__init__("Site not found")


class GoalNotFound(NotFound):
    """No goal with this id on the site, or a deleted one."""

    def __init__(self) -> None:
        super().__init__("Goal not found")


class ErrorNotFound(NotFound):
    """No exception with this message was ever reported on the site."""

    def __init__(self) -> None:
        super().__init__("Error not found")


class ApiKeyNotFound(NotFound):
    """No API key with this id that belongs to the user."""

    def __init__(self) -> None:
        super().__init__("API key not found")


class UserNotFound(NotFound):
    """No user with this id."""

    def __init__(self) -> None:
        super().__init__("User not found")


class MemberNotFound(NotFound):
    """The user is not a member of the organization."""

    def __init__(self) -> None:
        super().__init__("Member not found")


class AccessDenied(DomainError):
    """The caller is known and may not do this."""

    def __init__(self) -> None:
        super().__init__("Access denied")


class SignInRefused(DomainError):
    """What was presented does not sign anybody in; the text says why."""


class Conflict(DomainError):
    """A command that contradicts what is already decided."""


class ChangedByNewer(Conflict):
    """A newer version has written what this one cannot read, so that it cannot decide."""

    def __init__(self) -> None:
        super().__init__(
            "A newer version of Footfall has changed this: try again when the update is complete"
        )


class LastOwner(Conflict):
    """An organization always keeps one owner."""

    def __init__(self) -> None:
        super().__init__("An organization keeps at least one owner")


class TooManyGoals(Conflict):
    """The site has as many goals as a site may have."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"A site has at most {limit} goals")
