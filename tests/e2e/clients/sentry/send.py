"""Sends with the published SDK of Sentry for Python, as a web application and a command do, and prints the ids."""

import json
import logging
import sys

import sentry_sdk
from sentry_sdk.integrations.wsgi import SentryWsgiMiddleware


def total(cart):
    card = "private-4111"  # noqa: F841 - a local variable, which the SDK sends along
    return cart["price"]


def pay(cart):
    try:
        return total(cart)
    except KeyError as missing:
        raise ValueError(f"no price in cart {len(cart)}") from missing


def application(*_):
    pay({})


def respond(*_):
    """Take what a WSGI server would send."""


sentry_sdk.init(
    dsn=sys.argv[1],
    release="1.4.2",
    environment="production",
    send_default_pii=True,
    traces_sample_rate=1.0,
    max_request_body_size="always",
)
sentry_sdk.set_user({"id": "private-7", "email": "private@example.com", "ip_address": "192.0.2.9"})
sentry_sdk.set_tag("tag", "private")
sentry_sdk.add_breadcrumb(message="private")
environ = {
    "REQUEST_METHOD": "GET",
    "wsgi.url_scheme": "https",
    "HTTP_HOST": "shop.localhost",
    "SERVER_NAME": "shop.localhost",
    "SERVER_PORT": "443",
    "PATH_INFO": "/cart",
    "QUERY_STRING": "token=private",
    "HTTP_COOKIE": "session=private",
    "HTTP_AUTHORIZATION": "Bearer private",
    "REMOTE_ADDR": "192.0.2.9",
}
ids = []
try:
    SentryWsgiMiddleware(application)(environ, respond)
except ValueError:
    ids.append(sentry_sdk.last_event_id())
try:
    pay({"a": 1})
except ValueError as failure:
    ids.append(sentry_sdk.capture_exception(failure))
logging.getLogger("shop").error("cannot reach %s", "the bank")
ids.append(sentry_sdk.last_event_id())
ids.append(sentry_sdk.capture_message("a note", level="info"))
sentry_sdk.flush(timeout=20)
json.dump(ids, sys.stdout)
