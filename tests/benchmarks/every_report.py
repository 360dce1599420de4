"""Every report of a site, plain and with two filters of each kind, and the time of one answer."""

import http.client
import json
import time
from urllib.parse import quote

from tests.benchmarks.columns.questions import QUESTIONS

KINDS = {
    "sessions": [
        {"parameter": "country", "type": "equals", "value": ["DE"]},
        {"parameter": "device_type", "type": "equals", "value": ["mobile"]},
    ],
    "hits": [
        {"parameter": "pathname", "type": "starts_with", "value": ["/blog"]},
        {"parameter": "event_name", "type": "equals", "value": ["signup"]},
    ],
    "expressions": [
        {"parameter": "pathname", "type": "regex", "value": ["^/b"]},
        {"parameter": "event_name", "type": "regex", "value": ["s"]},
    ],
    "goals": [
        {"parameter": "goal", "type": "equals", "value": ["3"]},
        {"parameter": "country", "type": "not_equals", "value": ["JP"]},
    ],
}


def every_report():
    """Return the paths by the names of the reports, and of the filters where there are some."""
    plain = {name: path for name, (path, *_) in QUESTIONS.items() if "filtered" not in name}
    more = {
        f"{name}, {kind}": f"{path}{'&' if '?' in path else '?'}filters={quote(json.dumps(filters))}"
        for name, path in plain.items()
        for kind, filters in KINDS.items()
    }
    return plain | more


def seconds_of(connection, path, key):
    """Return the seconds of one answer."""
    started = time.perf_counter()
    connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != http.HTTPStatus.OK:
        raise SystemExit(f"{path}: {answer.status} {text.decode()}")
    return time.perf_counter() - started
