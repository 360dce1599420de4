"""Encryption of short texts that the service has to read again, with a key derived from a secret."""

import base64
from hashlib import blake2b

from cryptography.fernet import Fernet, InvalidToken


class SecretSealing:
    """Seals texts with AES and HMAC in the form of Fernet; another secret opens none of them."""

    def __init__(self, secret: bytes) -> None:
        key = blake2b(secret, digest_size=32, person=b"sealing").digest()
        self._fernet = Fernet(base64.urlsafe_b64encode(key))

    def seal(self, text: str) -> str:
        """Return the text encrypted."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str | None:
        """Return the text; None when it was sealed with another secret, or is no sealed text."""
        try:
            return self._fernet.decrypt(sealed).decode()
        except (InvalidToken, ValueError):
            return None
