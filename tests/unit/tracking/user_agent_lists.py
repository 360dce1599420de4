"""User agents of crawlers and of browsers, from lists other than those that the detector is made of.

The folder `isbot` holds the test data of https://github.com/omrilotan/isbot (the Unlicense), which its package lacks.
"""

import json
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import yaml_rs

ISBOT = Path(__file__).parent / "isbot"
MATOMO = "device_detector/tests/fixtures/upstream"


def crawlers() -> list[str]:
    return [entry["user_agent"] for entry in _matomo("bots")]


def isbot_crawlers() -> list[str]:
    return sorted({user_agent for listed in _isbot("crawlers").values() for user_agent in listed})


def isbot_browsers() -> list[str]:
    # The sections called "ZZZ ..." hold attack strings and crawlers that are too rare for that project.
    sections = (listed for name, listed in _isbot("browsers").items() if not str(name).startswith("ZZZ"))
    return sorted({user_agent for listed in sections for user_agent in listed})


def browsers_in_use() -> list[str]:
    return sorted({entry["useragent"] for entry in _in_use()})


def kinds_in_use() -> Iterator[tuple[str, str]]:
    return ((entry["useragent"], entry["type"]) for entry in _in_use())


def rare_browsers() -> list[str]:
    entries = (entry for name in _matomo_names() if name != "bots" for entry in _matomo(name))
    return sorted(
        {entry["user_agent"] for entry in entries if (entry.get("client") or {}).get("type") == "browser"}
    )


def _isbot(name: str) -> dict[str, list[str]]:
    return yaml_rs.loads((ISBOT / f"{name}.yml").read_text())


def _in_use() -> Iterator[dict[str, Any]]:
    lines = _file("fake-useragent", "fake_useragent/data/browsers.jsonl").read_text().splitlines()
    return (json.loads(line) for line in lines)


def _matomo_names() -> Iterator[str]:
    return (path.stem for path in sorted(_file("device-detector", MATOMO).glob("*.yml")))


def _matomo(name: str) -> list[dict[str, Any]]:
    return yaml_rs.loads(_file("device-detector", f"{MATOMO}/{name}.yml").read_text())


def _file(package: str, path: str) -> Path:
    # Found without importing the package: nothing of it but the list is used.
    return Path(str(distribution(package).locate_file(path)))
