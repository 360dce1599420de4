"""The mail server that `FOOTFALL_SMTP_URL` names."""

from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from attrs import field, frozen

from footfall.domain.sites.host import is_this_machine

_PORTS = {"smtp": 587, "smtps": 465}
_FORM = "must be a URL such as smtp://user:password@mail.example.com:587 or smtps://…, the password percent-encoded"


@frozen(kw_only=True)
class SmtpServer:
    """Host and port, encryption and login; STARTTLS is required unless `is_plain`, or TLS comes first with smtps."""

    host: str
    port: int
    is_tls_first: bool
    is_plain: bool
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)

    @property
    def encryption(self) -> str:
        """The encryption of the connection, in words."""
        if self.is_tls_first:
            return "TLS"
        return "not encrypted" if self.is_plain else "STARTTLS"

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return is_this_machine(self.host)

    @property
    def sends_password_in_clear(self) -> bool:
        """Whether a login crosses a network unencrypted."""
        return self.is_plain and self.user is not None and not self.is_local


def parse_smtp_url(text: str) -> SmtpServer:
    """Return the server of a URL: `smtp` with STARTTLS, unless it is on this machine or has `?tls=off`; or `smtps`.

    Raises:
        ValueError: it is not such a URL; the text says what is accepted and nothing of the URL.

    """
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(_FORM) from None
    if parts.scheme not in _PORTS or not host or parts.path not in ("", "/") or parts.fragment:
        raise ValueError(_FORM)
    if (parts.username is None) != (parts.password is None):
        raise ValueError("must have both a user and a password, or none of them")
    is_tls_first = parts.scheme == "smtps"
    return SmtpServer(
        host=host,
        port=port or _PORTS[parts.scheme],
        is_tls_first=is_tls_first,
        is_plain=not is_tls_first and not _requires_tls(parts, host),
        user=None if parts.username is None else unquote(parts.username),
        password=None if parts.password is None else unquote(parts.password),
    )


def _requires_tls(parts: SplitResult, host: str) -> bool:
    options = parse_qs(parts.query, keep_blank_values=True)
    choices = options.pop("tls", ["off" if is_this_machine(host) else "required"])
    if options or choices not in (["off"], ["required"]):
        raise ValueError("may have no other option than ?tls=required or ?tls=off")
    return choices == ["required"]
