"""What operators take from the repository fits what the service does."""

import json
import re
import shutil
import subprocess
import sys

import pytest
import yaml_rs

from footfall.application.verdict import Verdict, counted
from footfall.entrypoints.cli import cli
from footfall.entrypoints.settings import read_settings

PARTS = ("_bucket", "_sum", "_count")
SECRETS = {"POSTGRES_PASSWORD": "open sesame", "FOOTFALL_SECRET": "0123456789abcdef"}


@pytest.fixture(scope="module")
def metrics(project):
    """The labels of every metric, from the table of the documentation, which is held against the service itself."""
    rows = re.findall(
        r"^\| `(footfall_\w+)` \| (\w+) \| (.*?) \|", (project / "docs/metrics.md").read_text(), re.MULTILINE
    )
    known = {}
    for name, kind, labels in rows:
        parts, own = (PARTS, ["le"]) if kind == "histogram" else (("",), [])
        known |= {f"{name}{part}": {*re.findall(r"`(\w+)`", labels), *own} for part in parts}
    return known


def expressions(project):
    dashboard = json.loads((project / "docs/operations/grafana.json").read_text())
    rules = yaml_rs.loads((project / "docs/operations/alerts.yml").read_text())
    return [
        *(target["expr"] for panel in dashboard["panels"] for target in panel["targets"]),
        *(rule["expr"] for group in rules["groups"] for rule in group["rules"]),
    ]


def test_dashboard_and_alerts_ask_for_metrics_that_there_are(project, metrics):
    asked = {name for expression in expressions(project) for name in re.findall(r"footfall_\w+", expression)}

    assert asked - set(metrics) == set()
    # A metric that nobody looks at could as well not be there.
    watched = {name.removesuffix(part) for name in asked for part in ("", *PARTS)}
    assert {
        name for name in metrics if not any(name.removesuffix(part) in watched for part in ("", *PARTS))
    } == set()


def test_dashboard_and_alerts_ask_for_labels_that_there_are(project, metrics):
    for expression in expressions(project):
        names = re.findall(r"footfall_\w+", expression)
        known = set().union(*(metrics[name] for name in names)) | {"job"}
        grouped = re.findall(r"by \(([\w, ]+)\)", expression)
        asked = {label.strip() for labels in grouped for label in labels.split(",")}
        asked |= set(re.findall(r"(\w+)(?:=~|!=|!~|=)\"", expression))
        assert asked <= known, expression


def test_dashboard_and_alerts_ask_for_outcomes_that_events_have(project):
    asked = {name for one in expressions(project) for name in re.findall(r'outcome!?="(\w+)"', one)}

    assert asked
    assert asked <= {counted(1, verdict).outcome for verdict in Verdict}


def test_every_alert_says_what_it_means_and_what_to_do(project):
    rules = yaml_rs.loads((project / "docs/operations/alerts.yml").read_text())["groups"][0]["rules"]

    assert len({rule["alert"] for rule in rules}) == len(rules)
    assert all({"summary", "action"} <= set(rule["annotations"]) for rule in rules)
    assert {rule["labels"]["severity"] for rule in rules} == {"critical", "warning"}


def test_panels_of_the_dashboard_do_not_overlap(project):
    panels = json.loads((project / "docs/operations/grafana.json").read_text())["panels"]
    cells = [
        (x, y)
        for panel in panels
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]

    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_the_containers_are_configured_as_the_service_understands_it(project):
    services = yaml_rs.loads((project / "compose.yaml").read_text())["services"]

    for name in ("migrate", "footfall"):
        environment = {
            variable: filled_in(str(value)) for variable, value in services[name]["environment"].items()
        }
        settings = read_settings(environment)
        assert settings.database_url == "postgresql://footfall@postgres/footfall"
        assert environment["PGPASSWORD"] == SECRETS["POSTGRES_PASSWORD"]
        assert settings.secret == SECRETS["FOOTFALL_SECRET"]
        assert [str(network) for network in settings.trusted_proxies] == ["172.16.0.0/12"]
    assert services["migrate"]["command"][0] in cli.commands
    assert [port.split(":")[0] for port in services["footfall"]["ports"]] == ["127.0.0.1"]


def test_the_image_runs_as_nobody_in_particular_and_looks_after_its_health(project):
    lines = (project / "Dockerfile").read_text()
    image = lines.rpartition("\nFROM ")[2]

    assert re.search(r"^USER [1-9]\d*$", image, re.MULTILINE)
    assert "HEALTHCHECK" in image
    assert "/readyz" in image
    environment = dict(re.findall(r"(FOOTFALL_\w+)=(\S+)", image))
    assert read_settings(environment).host == "0.0.0.0"
    assert json.loads(re.search(r"^CMD (.*)$", image, re.MULTILINE)[1])[0] in cli.commands


def test_what_the_image_is_built_from_suffices(project, tmp_path):
    kept = [line[1:] for line in (project / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for name in kept:
        source, target = project / name, tmp_path / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)

    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    done = subprocess.run([*command, str(tmp_path / "source")], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("*.whl"))) == 1


def filled_in(text):
    """Return a value of the compose file as it is with both secrets set."""
    return re.sub(
        r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda found: SECRETS.get(found[1], found[2] or ""), text
    )
