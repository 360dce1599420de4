"""Dumps of databases that earlier versions have made, and their restoring."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psycopg

from footfall.adapters.postgres.database.schemas import LOCK_CLASS, lock_class_of, schema_of
from tests.e2e.service import Service

_HERE = Path(__file__).parent
# The schema of the last version before 1.0.0, without rows but those that it begins with.
BEFORE = _HERE / "before_1.0.0.sql.gz"
# With these the dumps of releases were made.
SETTINGS = {"FOOTFALL_SECRET": "4d" * 32, "FOOTFALL_SALT_KEY": "4e" * 32, "FOOTFALL_RATE_LIMIT": "off"}


def restore(url: str, dump: Path) -> None:
    """Restore a dump into an empty database, or into the empty schema of a cell."""
    script = gzip.decompress(dump.read_bytes()).decode()
    if (schema := schema_of(url)) is not None:
        script = script.replace("public.", f"{schema}.").replace(str(LOCK_CLASS), str(lock_class_of(url)))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(script)


def releases() -> list[str]:
    """Return the releases of which there is a dump, with its answers."""
    return sorted(one.name.removesuffix(".json.gz") for one in _HERE.glob("*.json.gz"))


def restore_release(url: str, version: str) -> tuple[str, dict[str, Any]]:
    """Restore the dump of a release; return the key of its member, and its answers by their addresses."""
    restore(url, _HERE / f"{version}.sql.gz")
    told = json.loads(gzip.decompress((_HERE / f"{version}.json.gz").read_bytes()))
    return told["key"], told["answers"]


def answers_to(service: Service, key: str, addresses: Iterable[str]) -> dict[str, Any]:
    """Return what a service answers to questions, by their addresses."""
    answers = {}
    for address in addresses:
        status, answers[address] = service.get(address, key=key)
        assert status == 200, (address, answers[address])
    return answers
