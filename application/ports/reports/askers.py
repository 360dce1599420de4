"""Askers of reports, by which callers take turns (docs/internals/columns.md#turns)."""

from enum import StrEnum

from attrs import frozen

from footfall.application.ports.journal import StoreUnavailable


class AskerKind(StrEnum):
    """The kinds of askers, those that come first at first."""

    MEMBER = "member"
    # A holder of a private link, or a reader of a public site.
    GUEST = "guest"
    # Mail, alerts and their previews, which wait instead of failing.
    SCHEDULED = "scheduled"


@frozen
class Asker:
    """A caller; those of one party take turns: of an organization, or what is scheduled for one site."""

    party: str
    kind: AskerKind

    @classmethod
    def of(cls, organization_id: str, *, belongs: bool) -> "Asker":
        """Return the asker for a request about a site of an organization, to which the caller belongs or not."""
        return cls(organization_id, AskerKind.MEMBER if belongs else AskerKind.GUEST)

    @classmethod
    def scheduled_for(cls, site_id: int) -> "Asker":
        """Return the asker for what is scheduled for a site."""
        return cls(f"site {site_id}", AskerKind.SCHEDULED)


class ReportsBusy(StoreUnavailable):
    """A report is refused: too many others wait, or it has waited for too long."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("too many reports are asked for at once")
        self.retry_after = retry_after
