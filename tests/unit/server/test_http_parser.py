"""The service, its tests and its benchmarks run the same server and the same parser."""

import re

from footfall.entrypoints.server.gunicorn_app import Server
from footfall.entrypoints.settings import read_settings


class NoRegions:
    def worker_metrics(self, _number):
        return None


def pinned(request, lock):
    return set(re.findall(r"^(\S+==\S+)", (request.config.rootpath / lock).read_text(), re.MULTILINE))


def test_requests_are_parsed_by_the_parser_in_python():
    server = Server(read_settings({}), lambda _metrics: None, NoRegions(), when_ready=lambda: None)

    assert (server.cfg.worker_class_str, server.cfg.http_parser) == ("asgi", "python")


def test_tests_run_the_packages_that_are_installed_for_the_service(request):
    service, tests = pinned(request, "requirements.lock"), pinned(request, "requirements-dev.lock")

    assert len(service) > 20
    assert service - tests == set()


def test_tests_install_no_other_part_of_the_server(request):
    service, tests = pinned(request, "requirements.lock"), pinned(request, "requirements-dev.lock")
    server = re.compile(r"(gunicorn|uvloop|falcon|httptools)\b")

    assert {name for name in tests - service if server.match(name)} == set()
