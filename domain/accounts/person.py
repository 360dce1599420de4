"""A person behind a user: a name and a mail address, which can be erased without touching the journal."""

import re
from collections.abc import Callable
from datetime import datetime

from attrs import evolve, field, frozen

from footfall.domain.exceptions import Conflict, Invalid, require_valid
from footfall.domain.text import shown_name

MAX_NAME = 100
MAX_ADDRESS = 254
_MAX_LOCAL_PART = 64
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
# "=?" begins an encoded word, which programs that read mails decode or refuse.
_ADDRESS = re.compile(rf"(?!.*=\?){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")


class AddressTaken(Conflict):
    """Another user has verified the address."""

    message = "This address cannot be used"


@frozen(kw_only=True)
class Person:
    """The name and the address of a user; either may be absent, and both can change.

    An address is verified when its user, signed in, opened the link of a mail to it, or when the provider of the user's
    identity has verified it. Two users never have the same verified one.
    """

    user_id: str
    name: str | None = field(default=None, repr=False)
    address: str | None = field(default=None, repr=False)
    address_verified_at: datetime | None = None

    @property
    def verified_address(self) -> str | None:
        """The address if it is verified."""
        return self.address if self.address_verified_at else None

    @property
    def shown_name(self) -> str:
        """The name, or `user 3` without one."""
        return self.name or f"user {self.user_id}"


def change(person: Person, *, name: str | None, address: str | None) -> Person:
    """Return the person with this name and this address; None or an empty text removes one.

    Another address has to be verified anew; the same one in other letter case stays verified.

    Raises:
        Invalid: the name or the address breaks a rule; both are reported together.

    """
    errors: dict[str, list[str]] = {}
    name = _checked(parse_name, name, errors)
    address = _checked(parse_address, address, errors)
    require_valid(errors)
    same = same_address(address, person.address)
    verified_at = person.address_verified_at if same else None
    return evolve(person, name=name, address=address, address_verified_at=verified_at)


def verify(person: Person, address: str, *, now: datetime) -> Person:
    """Return the person with the address verified; unchanged when it is no longer theirs or is verified already."""
    if person.address_verified_at or not same_address(person.address, address):
        return person
    return evolve(person, address_verified_at=now)


def parse_name(text: str) -> str:
    """Return a name without white space around it.

    Raises:
        Invalid: `shown_name` refuses it; the error names `name`.

    """
    return shown_name("name", text, maximum=MAX_NAME)


def parse_address(text: str) -> str:
    """Return a mail address without white space around it.

    Raises:
        Invalid: it is not an address of at most 254 ASCII characters; the error names `address`.

    """
    text = text.strip()
    if len(text) > MAX_ADDRESS:
        raise Invalid({"address": [f"must be at most {MAX_ADDRESS} characters"]})
    if not _ADDRESS.fullmatch(text) or text.index("@") > _MAX_LOCAL_PART:
        raise Invalid({"address": ["must be a mail address such as ann@example.com, in ASCII characters"]})
    return text


def comparable_address(address: str) -> str:
    """Return the form in which addresses are compared: letter case does not count."""
    return address.lower()


def mailbox_of(address: str) -> str:
    """Return the form in which the addresses of one mailbox are the same: a tag after `+` does not count either."""
    local, at, domain = comparable_address(address).partition("@")
    return (local.partition("+")[0] or local) + at + domain


def same_address(left: str | None, right: str | None) -> bool:
    """Return whether both are the same address, or both are absent."""
    if left is None or right is None:
        return left is right
    return comparable_address(left) == comparable_address(right)


def _checked(parse: Callable[[str], str], text: str | None, errors: dict[str, list[str]]) -> str | None:
    if text is None or not text.strip():
        return None
    try:
        return parse(text)
    except Invalid as refusal:
        errors |= refusal.field_errors
        return None
