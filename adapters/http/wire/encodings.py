"""Compressed forms of static content, and the choice among them."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from typing import Self

from attrs import frozen

PLAIN = "identity"
# The smallest form first.
_BY_SIZE = ("br", "gzip")
_NEVER = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")


def best_encoding(accepted: str | None, offered: Mapping[str, bytes]) -> str:
    """Return the smallest offered form that an Accept-Encoding header takes."""
    takes: dict[str, bool] = {}
    for part in (accepted or "").lower().split(","):
        name, _, weight = part.partition(";")
        takes[name.strip()] = _NEVER.fullmatch(weight) is None
    for name in _BY_SIZE:
        if name in offered and takes.get(name, takes.get("*", False)):
            return name
    return PLAIN


@frozen
class Content:
    """A text in each encoding, with an entity tag for each."""

    forms: Mapping[str, bytes]
    digest: str

    @classmethod
    def of(cls, plain: bytes, brotli: bytes) -> Self:
        """Return the content; the caller brings the brotli form, which the standard library cannot make."""
        forms = {PLAIN: plain, "br": brotli, "gzip": gzip.compress(plain, 9, mtime=0)}
        return cls(forms, hashlib.sha256(plain).hexdigest()[:16])

    def tag(self, encoding: str) -> str:
        """Return the entity tag of a form."""
        return self.digest if encoding == PLAIN else f"{self.digest}-{encoding}"
