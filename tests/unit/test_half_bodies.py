"""What did not come as a whole is not taken for the whole, also when it could be read."""

from types import SimpleNamespace

import falcon
import pytest

from footfall.adapters.http.bodies import BodyIncomplete, read_body
from footfall.adapters.web.forms import read_form


def request(body, *, announced):
    async def read(_size):
        return body

    return SimpleNamespace(
        content_length=announced, stream=SimpleNamespace(read=read), get_header=lambda _name: None
    )


async def test_a_body_is_read_when_all_of_it_came():
    assert await read_body(request(b"{}", announced=2)) == b"{}"
    assert await read_body(request(b"{}", announced=None)) == b"{}"


async def test_half_a_body_is_refused():
    with pytest.raises(BodyIncomplete):
        await read_body(request(b"{}", announced=3))


async def test_half_a_form_is_refused_because_what_is_missing_would_count_as_not_ticked():
    with pytest.raises(falcon.HTTPBadRequest):
        await read_form(request(b"block_bots=on", announced=20))
