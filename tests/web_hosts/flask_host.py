"""An application of Flask."""

from flask import Flask, Response, g, request

from footfall.client.flask import FootfallExtension
from tests.web_hosts.environment import client_of_environment
from tests.web_hosts.views import respond


def make_app(client, **options):
    app = Flask("shop", static_folder=None)
    FootfallExtension(app, client=client, **options)

    @app.route("/<path:_rest>", methods=["GET", "POST"])
    def answer(_rest):
        status, kind, body = respond(request.path, g.footfall)
        response = Response(body, status, content_type=kind)
        if kind is None:
            del response.headers["Content-Type"]
        return response

    return app


def app():
    """Return the application for a server, which calls it."""
    return make_app(client_of_environment())
