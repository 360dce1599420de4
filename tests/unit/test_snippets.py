"""What the documentation shows can be taken as it stands: code compiles, JSON is JSON, shell lines are shell lines."""

import ast
import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml_rs

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_FENCE = re.compile(r"^```([a-z]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SNIPPETS = [
    pytest.param(language, code, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, (language, code) in enumerate(_FENCE.findall(page.read_text(encoding="utf-8")), 1)
]


@pytest.mark.parametrize(("language", "code"), SNIPPETS)
def test_a_snippet_is_of_its_language(language, code):
    match language:
        case "python":
            compile(code, "<snippet>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        case "json":
            json.loads(code)
        case "yaml":
            yaml_rs.loads(code)
        case "sh" | "bash":
            shell(code)
        case "console":
            shell("".join(line[2:] + "\n" for line in code.splitlines() if line.startswith("$ ")))
        case _:
            assert language in {
                "html",
                "cjs",
                "js",
                "javascript",
                "ts",
                "typescript",
                "ini",
                "nginx",
                "text",
                "sql",
                "toml",
                "http",
            }


def shell(code):
    checked = subprocess.run(["bash", "-n"], input=code, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_links_between_pages_lead_somewhere():
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert broken == []
