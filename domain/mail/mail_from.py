"""The sender of all mails, as `FOOTFALL_MAIL_FROM` names it."""

from email.utils import parseaddr

from attrs import frozen

from footfall.domain.accounts.person import parse_address, parse_name
from footfall.domain.exceptions import Invalid


@frozen
class MailFrom:
    """The sender of all mails: an address and a name."""

    address: str
    name: str = "Footfall"

    @property
    def domain(self) -> str:
        """The domain of the address."""
        return self.address.rpartition("@")[2]


def parse_mail_from(text: str) -> MailFrom:
    """Return the sender that `Name <address>` or an address alone names.

    Raises:
        ValueError: it is neither; the text says what is accepted.

    """
    # An encoded word would be decoded when the header is written.
    name, address = parseaddr(text) if text.isprintable() and "=?" not in text else ("", "")
    try:
        checked = parse_address(address)
        return MailFrom(checked, parse_name(name)) if name else MailFrom(checked)
    except Invalid:
        raise ValueError(
            "must be a mail address such as stats@example.com, or Footfall <stats@example.com>"
        ) from None
