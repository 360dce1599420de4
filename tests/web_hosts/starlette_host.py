"""Applications of Starlette and FastAPI."""

from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute

from footfall.client.starlette import FootfallMiddleware
from tests.web_hosts.environment import client_of_environment
from tests.web_hosts.views import fail, respond


async def answer(request: Request):
    status, kind, body = respond(request.url.path, request.state.footfall)
    make = Response if isinstance(body, str) else StreamingResponse
    return make(body, status, {"content-type": kind} if kind else {})


async def talk(socket):
    await socket.accept()
    if await socket.receive_text() == "fail":
        fail()
    socket.state.footfall.event("talked")
    await socket.send_text("heard")
    await socket.close()


def make_app(client, **options):
    routes = [WebSocketRoute("/talk", talk), Route("/{rest:path}", answer, methods=["GET", "POST"])]
    starlette = Starlette(routes=routes)
    starlette.add_middleware(FootfallMiddleware, client=client, **options)
    return starlette


def make_fastapi(client, **options):
    fastapi = FastAPI()
    fastapi.api_route("/{rest:path}", methods=["GET", "HEAD", "POST"])(answer)
    fastapi.add_middleware(FootfallMiddleware, client=client, **options)
    return fastapi


def app():
    """Return the application for a server, which calls it."""
    return make_app(client_of_environment())


def fastapi():
    """Return the application for a server, which calls it."""
    return make_fastapi(client_of_environment())
