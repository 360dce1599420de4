"""Configurations that invite strangers."""

import ipaddress

from footfall.entrypoints.settings import Settings

_LEAST_VARIETY = 8
_WIDEST = {4: 8, 6: 16}


def dangers(settings: Settings) -> tuple[str, ...]:
    """Return what is dangerous about a configuration, each with what to do."""
    return (*_of_the_address(settings), *_of_the_proxies(settings), *_of_the_secret(settings))


def reachable_from_outside(host: str) -> bool:
    """Whether others than this machine can connect to an address that is listened on."""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _of_the_address(settings: Settings) -> tuple[str, ...]:
    if not reachable_from_outside(settings.host):
        return ()
    found = []
    if not settings.trusted_proxies:
        found.append(
            f"{settings.host} is open to the network and no proxy is named: behind one, name it in"
            " FOOTFALL_TRUSTED_PROXIES, or every visitor has its address; without one, keys travel unencrypted"
        )
    if settings.rate_limit is None:
        found.append("FOOTFALL_RATE_LIMIT is off on an address that is open to the network")
    return tuple(found)


def _of_the_proxies(settings: Settings) -> tuple[str, ...]:
    return tuple(
        f"FOOTFALL_TRUSTED_PROXIES names {network}: whoever is in there can claim any address"
        for network in settings.trusted_proxies
        if not network.is_private and network.prefixlen < _WIDEST[network.version]
    )


def _of_the_secret(settings: Settings) -> tuple[str, ...]:
    if settings.secret is None or len(set(settings.secret)) >= _LEAST_VARIETY:
        return ()
    return ("FOOTFALL_SECRET can be guessed: openssl rand -hex 32 makes a better one",)
