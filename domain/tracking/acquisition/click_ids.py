"""Click ids: parameters that networks add to links, and which of them are of paid visits."""

import re
from collections.abc import Mapping, Sequence

from footfall.domain.tracking.acquisition.channel_sources import SourceKind

# Parameters that advertising networks add to links, with the default kind of the network.
PAID_CLICK_IDS: Mapping[str, SourceKind] = {
    "gclid": SourceKind.SEARCH,
    "gbraid": SourceKind.SEARCH,
    "wbraid": SourceKind.SEARCH,
    "gad_source": SourceKind.SEARCH,
    "msclkid": SourceKind.SEARCH,
    "yclid": SourceKind.SEARCH,
    "dclid": SourceKind.DISPLAY,
    "ttclid": SourceKind.VIDEO,
    "twclid": SourceKind.SOCIAL,
    "li_fat_id": SourceKind.SOCIAL,
    "rdt_cid": SourceKind.SOCIAL,
}
# Identifiers that tell the source, paid or not.
CLICK_IDS: Mapping[str, SourceKind] = {
    "fbclid": SourceKind.SOCIAL,
    "igsh": SourceKind.SOCIAL,
    "igshid": SourceKind.SOCIAL,
    "mc_cid": SourceKind.EMAIL,
    "mc_eid": SourceKind.EMAIL,
    "_hsenc": SourceKind.EMAIL,
    "mkt_tok": SourceKind.EMAIL,
    "srsltid": SourceKind.SHOPPING,
}
_MARK = re.compile(rf"(?:^\??|&)({'|'.join([*PAID_CLICK_IDS, *CLICK_IDS])})=[^&]")


def click_ids(querystring: str | None) -> Sequence[str]:
    """Return which of the known identifiers a query string carries, in its order."""
    return _MARK.findall(querystring) if querystring else ()
