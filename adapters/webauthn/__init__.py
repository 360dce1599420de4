"""Passkeys by the library webauthn, which is optional."""
