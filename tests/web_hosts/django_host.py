"""Projects of Django, sync and async."""

from types import ModuleType

import django
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import re_path

from footfall.client.django import deliver_at_shutdown
from tests.web_hosts.environment import options_of_environment
from tests.web_hosts.views import respond


def answer(request):
    status, kind, body = respond(request.path, request.footfall)
    make = HttpResponse if isinstance(body, str) else StreamingHttpResponse
    response = make(body, status=status, content_type=kind)
    if kind is None:
        del response.headers["Content-Type"]
    return response


async def answer_async(request):
    response = answer(request)
    if response.streaming:
        response.streaming_content = _later(response.streaming_content)
    return response


async def _later(parts):
    for part in parts:
        yield part


def _urls(view):
    module = ModuleType("urls")
    module.urlpatterns = [re_path("", view)]
    return module


SYNC, ASYNC = _urls(answer), _urls(answer_async)


def configure(urls, footfall):
    if not settings.configured:
        settings.configure(
            ALLOWED_HOSTS=["*"],
            SECRET_KEY="x",
            LOGGING_CONFIG=None,
            MIDDLEWARE=["footfall.client.django.FootfallMiddleware"],
        )
        django.setup()
    settings.ROOT_URLCONF = urls
    settings.FOOTFALL = footfall


def make_wsgi(footfall):
    configure(SYNC, footfall)
    return WSGIHandler()


def make_asgi(footfall):
    configure(ASYNC, footfall)
    return deliver_at_shutdown(ASGIHandler())


def wsgi():
    """Return the application for a server, which calls it."""
    return make_wsgi(options_of_environment())


def asgi():
    """Return the application for a server, which calls it."""
    return make_asgi(options_of_environment())
