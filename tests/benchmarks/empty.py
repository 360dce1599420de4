"""An empty Falcon endpoint on the same server: what the framework alone can do."""

import falcon.asgi


class Empty:
    async def on_post(self, req, resp):
        await req.stream.read()
        resp.data = b'{"success":true}'


def build():
    app = falcon.asgi.App()
    app.add_route("/api/track", Empty())
    return app
