"""The bodies that register and configure sites (interface, section 4.3; decisions, section 4)."""

from collections.abc import Mapping
from typing import Any

from footfall.application.interface_names import CONFIG_FIELDS, LISTS
from footfall.domain.errors import Invalid
from footfall.domain.site import ConfigChanges


def config_changes(body: Mapping[str, Any]) -> ConfigChanges:
    """Return the settings that a body supplies; fields of other names are ignored.

    Raises:
        Invalid: a setting is of the wrong type; each is named.

    """
    supplied = {name: body[name] for name in CONFIG_FIELDS if name in body}
    faults = {name: [fault] for name, value in supplied.items() if (fault := _fault(name, value))}
    if faults:
        raise Invalid(faults)
    values: dict[str, Any] = {
        CONFIG_FIELDS[name]: tuple(value) if name in LISTS else value for name, value in supplied.items()
    }
    return ConfigChanges(**values)


def optional_text(body: Mapping[str, Any], field: str) -> str | None:
    """Return a text of a body; None when it is not there.

    Raises:
        Invalid: it is something else than a text.

    """
    value = body.get(field)
    if value is not None and not isinstance(value, str):
        raise Invalid({field: ["must be a string"]})
    return value


def required_texts(body: Mapping[str, Any], *fields: str) -> list[str]:
    """Return texts of a body.

    Raises:
        Invalid: one is missing or something else than a text; each is named.

    """
    values = [body.get(field) for field in fields]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) < len(fields):
        missing = [field for field, value in zip(fields, values, strict=True) if not isinstance(value, str)]
        raise Invalid({field: ["is required and must be a string"] for field in missing})
    return texts


def _fault(name: str, value: Any) -> str | None:
    if name not in LISTS:
        return None if isinstance(value, bool) else "must be true or false"
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return None
    return "must be an array of strings"
