"""The version is the same wherever it is stated, and no page installs what no registry has."""

import json
import re

import footfall

# Nothing is published yet: these lines would install a package of another author, or none.
INSTALLING = r"(?:pip install|npm (?:install|i|add)|npx|(?:yarn|pnpm) add)(?: -\S+)*"
FROM_A_REGISTRY = re.compile(INSTALLING + r" [\\\"'`]*@?footfall\b(?![-.\w]*\.(?:whl|tgz))")


def test_packages_of_npm_and_the_changelog_have_the_version_of_the_package(project):
    stated = {re.search(r"^## (\d\S+)", (project / "CHANGELOG.md").read_text(), re.MULTILINE)[1]}
    for name in ("browser", "node", "vite"):
        folder = project / "clients" / name
        lock = json.loads((folder / "package-lock.json").read_text())
        package = json.loads((folder / "package.json").read_text())
        stated |= {lock["version"], lock["packages"][""]["version"], package["version"]}
    for page in (project / "docs").rglob("*.md"):
        stated |= set(re.findall(r"footfall(?:-\w+)?-(\d+\.\d+\.\d+)", page.read_text()))

    assert stated == {footfall.__version__}


def test_no_page_installs_from_a_registry(project):
    texts = [project / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
    for folder in ("docs", "clients", "adapters", "entrypoints", "contrib"):
        texts += [
            one
            for one in (project / folder).rglob("*")
            if one.suffix in TEXTS and "node_modules" not in one.parts
        ]

    assert FROM_A_REGISTRY.search("pip install 'footfall[server]'")
    assert FROM_A_REGISTRY.search("npm install --save @footfall/node")
    assert not FROM_A_REGISTRY.search("npm install ./footfall-node-1.0.0.tgz")
    assert [one for one in texts if FROM_A_REGISTRY.search(one.read_text())] == []


TEXTS = {".html", ".ipynb", ".js", ".json", ".md", ".mjs", ".py", ".ts", ".yaml", ".yml"}
