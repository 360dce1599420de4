"""Options for browsers and the verification of their answers, by the library webauthn."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

import webauthn
from attrs import frozen
from webauthn.helpers import base64url_to_bytes, parse_client_data_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from footfall.application.ports.accounts.passkeys import Credential, PasskeyRefused

MILLISECONDS = 300_000
_REFUSED = "This passkey was not accepted. Try again, or use another way to sign in"

Result = TypeVar("Result")


@frozen
class WebAuthnVerifier:
    """PasskeyVerifier for one origin; its host is the relying party."""

    _origin: str

    @property
    def rp_id(self) -> str:
        """The host for which passkeys are made."""
        return str(urlsplit(self._origin).hostname)

    def registration_options(
        self, *, challenge: bytes, user_handle: bytes, user_name: str, registered: Sequence[bytes]
    ) -> str:
        """Return the options to make a discoverable passkey with verification of the user."""
        options = webauthn.generate_registration_options(
            rp_id=self.rp_id,
            rp_name="Footfall",
            user_id=user_handle,
            user_name=user_name,
            challenge=challenge,
            timeout=MILLISECONDS,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                require_resident_key=True,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=credential_id) for credential_id in registered
            ],
        )
        return webauthn.options_to_json(options)

    def sign_in_options(self, *, challenge: bytes) -> str:
        """Return the options to prove any passkey of this host."""
        options = webauthn.generate_authentication_options(
            rp_id=self.rp_id,
            challenge=challenge,
            timeout=MILLISECONDS,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return webauthn.options_to_json(options)

    def challenge_of(self, answer: str) -> bytes:
        """Return the challenge that an answer is to."""
        return _read(lambda: _challenge(json.loads(answer)))

    def credential_of(self, answer: str) -> bytes:
        """Return the id of the credential that an answer names."""
        return _read(lambda: base64url_to_bytes(json.loads(answer)["rawId"]))

    def verify_registration(self, answer: str, *, challenge: bytes) -> Credential:
        """Return the credential that a browser has made."""
        verified = _read(
            lambda: webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=self.rp_id,
                expected_origin=self._origin,
                require_user_verification=True,
            )
        )
        return Credential(
            credential_id=verified.credential_id,
            public_key=verified.credential_public_key,
            sign_count=verified.sign_count,
        )

    def verify_sign_in(
        self, answer: str, *, challenge: bytes, credential: Credential, user_handle: bytes
    ) -> int:
        """Return the new sign count of a proven credential."""
        sent_handle = _read(lambda: _user_handle(json.loads(answer)))
        if sent_handle is not None and sent_handle != user_handle:
            raise PasskeyRefused(_REFUSED)
        verified = _read(
            lambda: webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=self.rp_id,
                expected_origin=self._origin,
                credential_public_key=credential.public_key,
                credential_current_sign_count=credential.sign_count,
                require_user_verification=True,
            )
        )
        return verified.new_sign_count


def _read(reading: Callable[[], Result]) -> Result:
    try:
        return reading()
    except Exception:  # noqa: BLE001 - whatever a decoder stumbles over, the answer proves nothing
        raise PasskeyRefused(_REFUSED) from None


def _challenge(answer: Any) -> bytes:
    return parse_client_data_json(base64url_to_bytes(answer["response"]["clientDataJSON"])).challenge


def _user_handle(answer: Any) -> bytes | None:
    text = answer["response"].get("userHandle")
    return base64url_to_bytes(text) if text else None
