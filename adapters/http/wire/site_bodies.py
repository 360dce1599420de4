"""The bodies that register and configure sites (docs/share/administration.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.application.journal.interface_documents import CONFIG_FIELDS, LISTS, TEXTS
from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.sites.configuration import ConfigChanges


def config_changes(body: Mapping[str, Any]) -> ConfigChanges:
    """Return the settings that a body supplies; fields of other names are ignored.

    Raises:
        Invalid: a setting is of the wrong type; each is named.

    """
    supplied = {name: body[name] for name in CONFIG_FIELDS if name in body}
    field_errors = {name: [error] for name, value in supplied.items() if (error := _error(name, value))}
    require_valid(field_errors)
    values: dict[str, Any] = {
        CONFIG_FIELDS[name]: tuple(value) if name in LISTS else value for name, value in supplied.items()
    }
    return ConfigChanges(**values)


def optional_text(body: Mapping[str, Any], field: str) -> str | None:
    """Return a text of a body, None without it.

    Raises:
        Invalid: it is not a text.

    """
    value = body.get(field)
    if value is not None and not isinstance(value, str):
        raise Invalid({field: ["must be a string"]})
    return value


def required_texts(body: Mapping[str, Any], *fields: str) -> list[str]:
    """Return texts of a body.

    Raises:
        Invalid: one is missing or not a text; each is named.

    """
    values = [body.get(field) for field in fields]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) < len(fields):
        missing = [field for field, value in zip(fields, values, strict=True) if not isinstance(value, str)]
        raise Invalid({field: ["is required and must be a string"] for field in missing})
    return texts


def _error(name: str, value: Any) -> str | None:
    if name in TEXTS:
        return None if isinstance(value, str) else "must be a string"
    if name not in LISTS:
        return None if isinstance(value, bool) else "must be true or false"
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return None
    return "must be an array of strings"
