"""Reverse proxies that run with the configurations of the project, at places of the test."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
from attrs import frozen

from tests.ports import free_port
from tests.programs import program
from tests.servers.mail_server import make_certificate
from tests.snippets import ROOT
from tests.waiting import wait_until

HOST = "https://desk.example.com"
# Of the service of the tests.
KEY = f"ff_{'k' * 40}"


@frozen
class Certificate:
    """The files of a certificate for localhost, and its key."""

    certificate: str
    key: str


def placed(path: str, places: Mapping[str, str]) -> str:
    """Return a configuration with the places of the test instead of its own, all of which it must have."""
    text = (ROOT / path).read_text()
    for own, other in places.items():
        assert own in text, f"{path} has no {own}"
        text = text.replace(own, other)
    return text


@contextmanager
def running(command: list[str], port: int, folder: Path, **environment: str) -> Iterator[int]:
    """Run a proxy for as long as the block lasts, and lend its port."""
    log = folder / "proxy.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, **environment})
    try:
        wait_until(lambda: process.poll() is not None or _listens(process.pid, port))
        assert process.poll() is None, log.read_text()
        yield port
    finally:
        process.terminate()
        process.wait(30)


def _listens(pid: int, port: int) -> bool:
    connections = psutil.Process(pid).net_connections("tcp")
    return any(one.status == psutil.CONN_LISTEN and one.laddr.port == port for one in connections)


@contextmanager
def nginx(folder: Path, text: str, port: int) -> Iterator[int]:
    """Run nginx with a configuration for its context `http`."""
    (folder / "included.conf").write_text(text)
    kept = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    # As another user than root the workers could not write into the folder; for other users the line is a warning.
    main = f"daemon off;\nuser root;\npid {folder}/nginx.pid;\nevents {{}}\n"
    main += f"http {{\naccess_log off;\n{kept}include {folder}/included.conf;\n}}\n"
    (folder / "nginx.conf").write_text(main)
    command = [program("nginx") or "", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    with running(command, port, folder) as listening:
        yield listening


@contextmanager
def caddy(folder: Path, text: str, port: int, **environment: str) -> Iterator[int]:
    """Run Caddy with a Caddyfile, without certificates of its own."""
    (folder / "Caddyfile").write_text(text)
    command = [program("caddy") or "", "run", "--config", str(folder / "Caddyfile")]
    places = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with running(command, port, folder, **places, **environment) as listening:
        yield listening


@contextmanager
def nginx_before(folder: Path, service: int, by: Certificate) -> Iterator[int]:
    """Run nginx with TLS before the service."""
    port = free_port()
    places = {
        "127.0.0.1:8000": f"127.0.0.1:{service}",
        "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/ssl/desk.example.com.pem": by.certificate,
        "/etc/ssl/desk.example.com.key": by.key,
    }
    with nginx(folder, placed("contrib/proxies/nginx.conf", places), port) as listening:
        yield listening


@contextmanager
def caddy_before(folder: Path, service: int, by: Certificate) -> Iterator[int]:
    """Run Caddy with TLS before the service."""
    port = free_port()
    places = {
        "{\n\tservers": "{\n\tadmin off\n\tauto_https disable_redirects\n\tservers",
        "reverse_proxy footfall:8000": f"tls {by.certificate} {by.key}\n\treverse_proxy 127.0.0.1:{service}",
    }
    name = f"https://localhost:{port}"
    with caddy(folder, placed("Caddyfile", places), port, FOOTFALL_DOMAIN=name) as listening:
        yield listening


@contextmanager
def haproxy_before(folder: Path, service: int, by: Certificate) -> Iterator[int]:
    """Run HAProxy with TLS before the service."""
    port, both = free_port(), folder / "both.pem"
    both.write_text(Path(by.certificate).read_text() + Path(by.key).read_text())
    places = {
        "127.0.0.1:8000": f"127.0.0.1:{service}",
        "bind :443": f"bind 127.0.0.1:{port}",
        "/etc/ssl/desk.example.com.both.pem": str(both),
    }
    (folder / "haproxy.cfg").write_text(placed("contrib/proxies/haproxy.cfg", places))
    with running([program("haproxy") or "", "-f", str(folder / "haproxy.cfg")], port, folder) as listening:
        yield listening


@contextmanager
def nginx_of_site(folder: Path, desk: str, trusted: str | None = None) -> Iterator[int]:
    """Run the nginx of a site, which hands script and endpoint on to the service and trusts one certificate."""
    port = free_port()
    authorities = trusted or make_certificate(folder)[0]
    places = {HOST: desk, "/etc/ssl/certs/ca-certificates.crt": authorities}
    locations = placed("contrib/first-party/nginx.conf", places)
    with nginx(folder, f"server {{\nlisten 127.0.0.1:{port};\n{locations}}}\n", port) as listening:
        yield listening


@contextmanager
def caddy_of_site(folder: Path, desk: str) -> Iterator[int]:
    """Run the Caddy of a site, which hands script and endpoint on to the service."""
    port = free_port()
    routes = placed("contrib/first-party/Caddyfile", {HOST: desk})
    text = f"{{\n\tadmin off\n}}\n\nhttp://localhost:{port} {{\n{routes}}}\n"
    with caddy(folder, text, port) as listening:
        yield listening


@contextmanager
def function_of_site(folder: Path, desk: str) -> Iterator[int]:
    """Run the function of a hosting platform, which hands script and endpoint on with a key."""
    port, module = free_port(), folder / "forward.mjs"
    module.write_text((ROOT / "contrib/first-party/forward.js").read_text())
    server = str(ROOT / "tests/servers/forwarding.mjs")
    with running(
        [program("node") or "", server, str(module), str(port), desk, KEY], port, folder
    ) as listening:
        yield listening
