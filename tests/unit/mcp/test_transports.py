"""The address and the key of the MCP server."""

import pytest

from footfall.entrypoints.mcp.transports import Listening, ServiceSource, parse_key, parse_listening


@pytest.mark.parametrize(
    ("text", "host", "port", "local"),
    [
        ("127.0.0.1:8765", "127.0.0.1", 8765, True),
        ("localhost:1", "localhost", 1, True),
        ("[::1]:8765", "::1", 8765, True),
        ("0.0.0.0:80", "0.0.0.0", 80, False),
        ("mcp.example.com:80", "mcp.example.com", 80, False),
    ],
)
def test_an_address_is_read(text, host, port, local):
    assert parse_listening(text) == Listening(host, port)
    assert parse_listening(text).local is local


@pytest.mark.parametrize(
    "text", ["", "8765", ":8765", "127.0.0.1", "a:b", "a:99999", "a:1/x", "a@b:1", "[::1:1"]
)
def test_another_text_is_no_address(text):
    with pytest.raises(ValueError, match="must be an address and a port"):
        parse_listening(text)


@pytest.mark.parametrize("text", ["a b", "a\n", "schlüssel"])
def test_a_key_that_no_header_can_have_is_refused_without_being_repeated(text):
    with pytest.raises(ValueError, match="must be an API key") as refused:
        parse_key(text)

    assert text not in str(refused.value)


def test_the_key_is_in_no_representation():
    source = ServiceSource(origin="http://x", document={}, page_of=lambda *_: None, key="ff_secret")

    assert "secret" not in repr(source)
