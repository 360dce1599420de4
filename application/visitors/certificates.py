"""The certificate of an erasure: what proves that the rest is as it was, and as if the visitor had never been there."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import attrs
from attrs import frozen

from footfall.application.ports.visitor_erasures import ExportedCopy, RowSums, VisitorErasure
from footfall.domain.exceptions import DomainError, existing
from footfall.domain.periods.instant_text import instant_text

# Separates these digests from other ones with the same key.
_PERSON = b"erasure"


class NotMeasured(DomainError):
    """An erasure cannot be certified before what stays was measured."""

    message = "what stays of this erasure was not measured, or no replay was made"


@frozen(kw_only=True)
class ErasureProof:
    """What was found after an erasure: sums of the read models, hits of the person that are left, and other places."""

    read_models: Mapping[str, RowSums]
    left: int
    copies: Sequence[ExportedCopy]
    sources: Sequence[str]


def certificate(secret: bytes, erasure: VisitorErasure, proof: ErasureProof, at: datetime) -> dict[str, Any]:
    """Return the certificate as JSON; digests are keyed, so that they tell nothing about the rows.

    It has counts of what went, and digests of what stays alone.

    Raises:
        NotMeasured: the sums of what stays, or the differences of a replay, are not known, which the steps before make.

    """
    before, after = (existing(sums, NotMeasured) for sums in (erasure.before, erasure.after))
    differences = existing(erasure.differences, NotMeasured)
    differing = {table: rows for table, rows in differences.items() if rows}
    unchanged = before == after
    return {
        "erasure": str(erasure.erasure),
        "siteId": erasure.site_id,
        "requestedAt": instant_text(erasure.requested_at),
        "finishedAt": instant_text(at),
        "proven": unchanged and not proof.left and not differing,
        "erased": {
            "visits": erasure.visits,
            "events": erasure.hits,
            "errors": erasure.errors,
            "measures": erasure.measures,
            "queuedMails": erasure.mails,
        },
        "left": proof.left,
        "notFound": list(erasure.not_found),
        "stays": {
            "events": after.rows,
            "digestBefore": _digest(secret, erasure, "hit", before),
            "digestAfter": _digest(secret, erasure, "hit", after),
            "unchanged": unchanged,
        },
        "readModels": {
            table: {"rows": sums.rows, "digest": _digest(secret, erasure, table, sums)}
            for table, sums in proof.read_models.items()
        },
        "replay": {"differences": differing},
        "staleCopies": [
            {**attrs.asdict(copy), "exported_at": instant_text(copy.exported_at)} for copy in proof.copies
        ],
        "openSources": list(proof.sources),
    }


def _digest(secret: bytes, erasure: VisitorErasure, table: str, sums: RowSums) -> str:
    text = f"{erasure.site_id} {table} {sums.rows} {sums.sums}"
    return hashlib.blake2b(text.encode(), digest_size=16, key=secret[:64], person=_PERSON).hexdigest()
