"""What every host answers: status, type and body of each path; the hosts differ in their frameworks alone."""

import logging

HTML = "text/html; charset=utf-8"
JSON = "application/json"
ANSWERS = {
    "/static/about.html": (200, HTML, "<p>about"),
    "/healthz": (200, HTML, "<p>well"),
    "/data": (200, JSON, "{}"),
    "/style.css": (200, "text/css", "p {}"),
    "/missing": (404, HTML, "<p>missing"),
    "/moved": (302, HTML, ""),
    "/broken": (500, HTML, "<p>broken"),
    "/same": (304, None, ""),
}


class HostFailedError(Exception):
    """A view raised an exception."""


def respond(path, footfall):
    """Return the answer to a path; `footfall` is the tracker of the request."""
    match path:
        case "/fails":
            fail()
        case "/caught":
            try:
                fail()
            except HostFailedError:
                logging.getLogger("shop").exception("failed")
                raise
        case "/streamed":
            return 200, HTML, iter(["<p>1", "<p>2"])
        case "/breaks-off":
            return 200, HTML, broken_parts()
        case "/signup":
            footfall.event("signup", {"plan": "pro"}, {"user_id": "42"})
            return ANSWERS["/data"]
        case "/titled":
            footfall.set({"page_title": "Titled"})
        case "/ignored":
            footfall.ignore()
        case "/logs":
            logging.getLogger("shop").error("Out of stock: %s", "7")
    return ANSWERS.get(path, (200, HTML, "<p>page"))


def fail():
    secret = "not to be told"  # noqa: F841 - a local variable is never told
    try:
        _ = {}["price"]
    except KeyError as error:
        raise HostFailedError("no price") from error


def broken_parts():
    yield "<p>1"
    fail()
