"""Programs that some tests need and `make test` does not: where they are missing, these tests are skipped."""

import shutil

import pytest

# By the name that a test gives, those under which the program is installed, and how it comes to Debian.
_NAMES = {
    # The shell without windows needs three fifths of the processor time of the whole browser.
    "browser": (
        ("chromium-headless-shell", "chromium", "chromium-browser"),
        "apt-get install chromium-headless-shell",
    ),
    "caddy": (("caddy",), "apt-get install caddy"),
    "chromium": (("chromium", "chromium-browser"), "apt-get install chromium"),
    "curl": (("curl",), "apt-get install curl"),
    "haproxy": (("haproxy",), "apt-get install haproxy"),
    "mariadbd": (("mariadbd",), "apt-get install mariadb-server-core mariadb-client-core"),
    "nginx": (("nginx",), "apt-get install nginx-light"),
    "node": (("node",), "apt-get install nodejs"),
    "npm": (("npm",), "apt-get install npm"),
    "systemd-analyze": (("systemd-analyze",), "apt-get install systemd"),
}


def program(name: str) -> str | None:
    """Return the path of a program, if it is installed."""
    names, _ = _NAMES[name]
    return next(filter(None, map(shutil.which, names)), None)


def skip_without(item: pytest.Item) -> None:
    """Skip a test that is marked to need a program which is not installed."""
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            if program(name) is None:
                pytest.skip(f"{name} is not installed: {_NAMES[name][1]}")
