"""Writes adapters/http/openapi.json from openapi.yaml: `make openapi` runs it."""

import json
from pathlib import Path

import yaml_rs

FOLDER = Path(__file__).parents[2] / "adapters" / "http"


def generated() -> str:
    """The text of openapi.json, in one line: changes are reviewed in the YAML."""
    document = yaml_rs.loads((FOLDER / "openapi.yaml").read_text(encoding="utf-8"), parse_datetime=False)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    (FOLDER / "openapi.json").write_text(generated(), encoding="utf-8")
