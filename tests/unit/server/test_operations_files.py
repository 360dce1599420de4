"""Files for operators in the repository agree with the service."""

import json
import re
import shutil
import subprocess
import sys

import jsonschema_rs
import pytest
import yaml_rs

from footfall.adapters.http.wire.bodies import MAX_BATCH_BODY, MAX_UPLOAD_BODY
from footfall.adapters.http.wire.body_limits import BODY_SECONDS
from footfall.adapters.http.wire.request_heads import LONGEST_ADDRESS
from footfall.application.ingestion.results import DropReason, outcome_key
from footfall.entrypoints.cli import cli
from footfall.entrypoints.server.gunicorn_app import KEEP_ALIVE_SECONDS, LONGEST_REQUEST_LINE
from footfall.entrypoints.settings import SETTINGS, read_settings

PARTS = ("_bucket", "_sum", "_count")
SECRETS = {"POSTGRES_PASSWORD": "open sesame", "FOOTFALL_SECRET": "0123456789abcdef"}


@pytest.fixture(scope="module")
def metrics(project):
    """The labels of every metric, from the table of the documentation, which is held against the service itself."""
    rows = re.findall(
        r"^\| `(footfall_\w+)` \| (\w+) \| (.*?) \|",
        (project / "docs/internals/metrics.md").read_text(),
        re.MULTILINE,
    )
    known = {}
    for name, kind, labels in rows:
        parts, own = (PARTS, ["le"]) if kind == "histogram" else (("",), [])
        known |= {f"{name}{part}": {*re.findall(r"`(\w+)`", labels), *own} for part in parts}
    return known


def expressions(project):
    dashboard = json.loads((project / "docs/operate/grafana.json").read_text())
    rules = yaml_rs.loads((project / "docs/operate/alerts.yml").read_text())
    return [
        *(target["expr"] for panel in dashboard["panels"] for target in panel["targets"]),
        *(rule["expr"] for group in rules["groups"] for rule in group["rules"]),
    ]


def test_dashboard_and_alerts_ask_for_metrics_that_there_are(project, metrics):
    asked = {name for expression in expressions(project) for name in re.findall(r"footfall_\w+", expression)}

    assert asked - set(metrics) == set()
    # A metric without a panel and an alert has no use.
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
    assert asked <= {"stored"} | {outcome_key(1, reason).outcome for reason in [*DropReason, None]}


def test_every_alert_says_what_it_means_and_what_to_do(project):
    rules = yaml_rs.loads((project / "docs/operate/alerts.yml").read_text())["groups"][0]["rules"]

    assert len({rule["alert"] for rule in rules}) == len(rules)
    assert all({"summary", "action"} <= set(rule["annotations"]) for rule in rules)
    assert {rule["labels"]["severity"] for rule in rules} == {"critical", "warning"}


def test_panels_of_the_dashboard_do_not_overlap(project):
    panels = json.loads((project / "docs/operate/grafana.json").read_text())["panels"]
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
    services, beside = (
        yaml_rs.loads((project / name).read_text())["services"]
        for name in ("compose.yaml", "compose.postgres.yaml")
    )

    embedded = settings_of(services["footfall"])
    assert (embedded.database_url, embedded.first_site, embedded.first_api_key) == (None, None, None)
    assert [str(network) for network in embedded.trusted_proxies] == ["172.16.0.0/12"]
    environment = services["footfall"]["environment"] | beside["footfall"]["environment"]
    settings = settings_of({"environment": environment})
    assert settings.database_url == "postgresql://footfall@postgres/footfall"
    assert (settings.secret, settings.public_origin) == (SECRETS["FOOTFALL_SECRET"], embedded.public_origin)
    assert settings_of(beside["migrate"]).database_url == settings.database_url
    assert filled_in(beside["migrate"]["environment"]["PGPASSWORD"]) == SECRETS["POSTGRES_PASSWORD"]
    assert beside["migrate"]["command"][0] in cli.commands
    assert [port.split(":")[0] for port in services["footfall"]["ports"]] == ["127.0.0.1"]


def settings_of(container):
    return read_settings(
        {variable: filled_in(str(value)) for variable, value in container["environment"].items()}
    )


def test_the_proxy_limits_heads_and_bodies_and_leaves_the_services_own_refusals_to_it(project):
    proxy = yaml_rs.loads((project / "compose.yaml").read_text())["services"]["proxy"]
    caddyfile = (project / "Caddyfile").read_text()

    assert "./Caddyfile:/etc/caddy/Caddyfile:ro" in proxy["volumes"]
    assert re.search(r"read_header \d+s", caddyfile)
    assert int(re.search(r"read_body (\d+)s", caddyfile)[1]) <= BODY_SECONDS
    others, uploads = (int(size) * 1_000_000 for size in re.findall(r"max_size (\d+)MB", caddyfile))
    assert (others > MAX_BATCH_BODY, uploads > MAX_UPLOAD_BODY) == (True, True)
    assert int(re.search(r"keepalive (\d+)s", caddyfile)[1]) < KEEP_ALIVE_SECONDS
    assert int(re.search(r"max_header_size (\d+)KB", caddyfile)[1]) * 1_000 > LONGEST_ADDRESS
    # The server takes what the service then refuses in its own form.
    assert LONGEST_REQUEST_LINE > LONGEST_ADDRESS


def test_the_image_runs_as_an_unprivileged_user_and_checks_its_health(project):
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


def test_the_values_of_the_chart_suit_its_schema_and_its_variables_are_settings(project):
    chart = project / "contrib/helm/footfall"
    values = yaml_rs.loads((chart / "values.yaml").read_text())
    schema = json.loads((chart / "values.schema.json").read_text())
    templates = "".join(one.read_text() for one in (chart / "templates").iterdir())
    variables = set(re.findall(r"name: (FOOTFALL_\w+)", templates))
    validator = jsonschema_rs.validator_for(schema)

    assert list(validator.iter_errors(values)) == []
    assert values.keys() == set(schema["required"])
    assert set(re.findall(r"\.Values\.(\w+)", templates)) == values.keys()
    assert variables <= {setting.variable for setting in SETTINGS.values()}
    for change in ({"databaseUrl": "postgresql://footfall:hidden@db/footfall"}, {"storage": "big"}, {"x": 1}):
        assert not validator.is_valid(values | change)
