"""Makes each call of `calls.json` by a generated client in Python, and prints the answers by operation as JSON.

Run with the folder that holds both.
"""

import importlib
import inspect
import json
import pkgutil
import sys
import typing
from collections.abc import Callable, Mapping
from datetime import date
from enum import Enum
from io import BytesIO
from pathlib import Path
from typing import Any


def main(folder: Path) -> None:
    """Make the calls in their order; an answer that cannot be decoded, or that is not described, is a fault."""
    sys.path.insert(0, str(folder))
    client_of = importlib.import_module("client").AuthenticatedClient
    for name in ("TrackingEvent", "PlausibleEvent", "UmamiMessagePayload"):
        _mend(getattr(importlib.import_module("client.models"), name))
    found, asked = _operations(), json.loads((folder / "calls.json").read_text())
    client = client_of(
        asked["origin"], token=asked["key"], headers=asked["headers"], raise_on_unexpected_status=True
    )
    answers = {
        call["operation"]: _answer(found[_plain(call["operation"])], client, call) for call in asked["calls"]
    }
    sys.stdout.write(json.dumps(answers))


def _mend(model: Any) -> None:
    """Replace `from_dict` of a model with a property `cls` or `d`, which hides another name in what is generated."""

    def from_dict(values: Mapping[str, Any]) -> Any:
        names = {_plain(name): name for name in inspect.signature(model).parameters}
        return model(**{names[_plain(name)]: value for name, value in values.items()})

    model.from_dict = staticmethod(from_dict)


def _answer(operation: Callable[..., Any], client: Any, call: Mapping[str, Any]) -> dict[str, Any]:
    try:
        arguments = _arguments(operation, {**call["path"], **call["query"], **call["headers"]})
        if call["body"] is not None:
            arguments["body"] = _body(typing.get_type_hints(operation)["body"], call["body"])
        answer = operation(client=client, **arguments)
    except Exception as failure:  # noqa: BLE001 - each failure of a generated client is what the test looks for
        return {"status": None, "fault": f"{type(failure).__name__}: {failure}"}
    described = answer.parsed is not None or not answer.content or not _is_json(answer)
    return {"status": int(answer.status_code), "fault": None if described else "the answer is not decoded"}


def _is_json(answer: Any) -> bool:
    return bool(answer.headers.get("Content-Type", "").startswith("application/json"))


def _operations() -> dict[str, Callable[..., Any]]:
    api = importlib.import_module("client.api")
    modules = [
        importlib.import_module(f"{group.name}.{one.name}")
        for group in pkgutil.iter_modules(api.__path__, "client.api.")
        for one in pkgutil.iter_modules(importlib.import_module(group.name).__path__)
    ]
    return {_plain(module.__name__.rpartition(".")[2]): module.sync_detailed for module in modules}


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _arguments(operation: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    names = {_plain(name): name for name in inspect.signature(operation).parameters}
    hints = typing.get_type_hints(operation)
    return {names[_plain(name)]: _typed(hints[names[_plain(name)]], value) for name, value in values.items()}


def _typed(hint: Any, value: Any) -> Any:
    """Return a value as the generated function takes it."""
    for kind in typing.get_args(hint) or [hint]:
        if inspect.isclass(kind) and issubclass(kind, Enum):
            return kind(value)
        if kind is date:
            return date.fromisoformat(value)
        if kind is int:
            return int(value)
    return value


def _body(hint: Any, value: Any) -> Any:
    """Return a body as the first of the models that reads it; a text is one itself."""
    if isinstance(value, str):
        return importlib.import_module("client.types").File(payload=BytesIO(value.encode()))
    if isinstance(value, list):
        return [_body(*typing.get_args(hint), one) for one in value]
    models = [one for one in typing.get_args(hint) or [hint] if hasattr(one, "from_dict")]
    for model in models[:-1]:
        try:
            return model.from_dict(value)
        except (KeyError, TypeError, ValueError):
            continue
    return models[-1].from_dict(value)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
