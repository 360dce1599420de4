"""An authenticator in software: makes passkeys and proves them as a browser would send it."""

import hashlib
import json
import secrets

from attrs import define, field
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@define(kw_only=True)
class Authenticator:
    """One credential for one host; `verifies` says whether it asks its user for a fingerprint."""

    origin: str = "http://localhost:8000"
    rp_id: str = "localhost"
    verifies: bool = True
    sign_count: int = 0
    credential_id: bytes = field(factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user_handle: str = ""

    def make(self, options):
        """Answer the options of a registration."""
        options = json.loads(options)
        self.user_handle = options["user"]["id"]
        attested = bytes(16) + len(self.credential_id).to_bytes(2, "big") + self.credential_id + self._cose()
        data = self._data(ATTESTED) + attested
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(
            clientDataJSON=self._client_data("webauthn.create", options["challenge"]),
            attestationObject=attestation,
        )

    def prove(self, options):
        """Answer the options of a sign-in."""
        self.sign_count += 1
        client_data = self._client_data("webauthn.get", json.loads(options)["challenge"])
        data = self._data(0)
        signed = data + hashlib.sha256(client_data).digest()
        return self._answer(
            clientDataJSON=client_data,
            authenticatorData=data,
            signature=self.key.sign(signed, ec.ECDSA(hashes.SHA256())),
            userHandle=base64url_to_bytes(self.user_handle),
        )

    def _answer(self, **response):
        encoded = {name: bytes_to_base64url(value) for name, value in response.items()}
        identifier = bytes_to_base64url(self.credential_id)
        return json.dumps({"id": identifier, "rawId": identifier, "type": "public-key", "response": encoded})

    def _client_data(self, kind, challenge):
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags):
        flags |= PRESENT | (VERIFIED if self.verifies else 0)
        rp_id_hash = hashlib.sha256(self.rp_id.encode()).digest()
        return rp_id_hash + bytes([flags]) + self.sign_count.to_bytes(4, "big")

    def _cose(self):
        numbers = self.key.public_key().public_numbers()
        point = {-2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        return encode_cbor({1: 2, 3: -7, -1: 1, **point})
