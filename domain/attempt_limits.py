"""Limits of attempts to sign in, of passwords of links and of mails with links (docs/share/signing-in.md#limits)."""

from datetime import UTC, datetime, timedelta

from attrs import frozen

# Counts are forgotten so long after the instant under which they are counted.
COUNTS_KEPT = timedelta(days=1)


@frozen
class AttemptLimit:
    """At most so many attempts in each window of time; windows begin at multiples of their length."""

    name: str
    most: int
    window: timedelta

    def window_at(self, now: datetime) -> datetime:
        """Return the beginning of the present window."""
        length = int(self.window.total_seconds())
        return datetime.fromtimestamp(int(now.timestamp()) // length * length, UTC)

    def counted_at(self, now: datetime) -> datetime:
        """Return the instant under which attempts of the present window are counted.

        It is the beginning of the window, or a day before the end of a longer one, so that all counts can be forgotten
        after a day.
        """
        return self.window_at(now) + self.window - min(self.window, COUNTS_KEPT)


# Mails with links that one address gets, whether or not it has an account, and that one client asks for.
LINKS_TO_ADDRESS = AttemptLimit("links-to-address", 5, timedelta(hours=1))
LINKS_OF_CLIENT = AttemptLimit("links-of-client", 20, timedelta(hours=1))
# Challenges for passkeys, and requests to the provider of single sign-on.
CHALLENGES_OF_CLIENT = AttemptLimit("challenges-of-client", 60, timedelta(minutes=10))
# Requests to the provider that a page of another site may have caused, so that they keep no user from signing in.
UNPROVEN_CHALLENGES_OF_CLIENT = AttemptLimit("unproven-challenges-of-client", 60, timedelta(minutes=10))
# Requests of a signed-in user to the provider, to link an identity.
CHALLENGES_OF_USER = AttemptLimit("challenges-of-user", 60, timedelta(minutes=10))
# Mails with invitations that one address gets from all organizations.
INVITATIONS_TO_ADDRESS = AttemptLimit("invitations-to-address", 5, timedelta(hours=1))
# Mails with invitations that one member sends, and that all members of one organization send.
INVITATIONS_OF_MEMBER = AttemptLimit("invitations-of-member", 30, timedelta(hours=1))
INVITATIONS_OF_ORGANIZATION = AttemptLimit("invitations-of-organization", 60, timedelta(hours=1))
# Refused sign-ins and invitations, whichever the way, that a page of this service has sent.
REFUSALS_OF_CLIENT = AttemptLimit("refusals-of-client", 30, timedelta(minutes=10))
# Passwords that one client sends for a link, and that all clients send for it. One client keeps no other out.
PASSWORDS_OF_CLIENT = AttemptLimit("link-passwords-of-client", 30, timedelta(minutes=10))
PASSWORDS_OF_LINK = AttemptLimit("passwords-of-link", 1_000, timedelta(hours=1))
