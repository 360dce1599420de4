"""The ways to sign in that pages offer."""

from attrs import frozen

from footfall.application.sign_in.attempts import AttemptLimiter
from footfall.application.sign_in.identities import IdentitySignIn
from footfall.application.sign_in.mail_links import MailLinks
from footfall.application.sign_in.passkeys import PasskeySignIn


@frozen(kw_only=True)
class SignInWays:
    """The services of the ways to sign in; each says whether it is configured."""

    attempts: AttemptLimiter
    mail_links: MailLinks
    passkeys: PasskeySignIn
    identities: IdentitySignIn
