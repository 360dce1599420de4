"""Networks: whether an address belongs to servers (docs/track/enrichment.md#networks)."""

from attrs import frozen

from footfall.domain.tracking.hit import NetworkKind
from footfall.domain.tracking.networks.hosting_networks import HOSTING


@frozen(kw_only=True)
class KeptNetwork:
    """The network of an address: its kind, and its autonomous system such as `AS64496`, which is of servers only."""

    kind: NetworkKind | None = None
    autonomous_system: str | None = None


UNKNOWN_NETWORK = KeptNetwork()


def kept_network(number: int | None) -> KeptNetwork:
    """Return what is kept of the network of an autonomous system.

    The number of one that is no hosting network is forgotten: that of a small employer would be a label of its people.
    """
    if number not in HOSTING:
        return UNKNOWN_NETWORK
    return KeptNetwork(kind=NetworkKind.HOSTING, autonomous_system=f"AS{number}")
