"""Query parameters, and numbers in paths: read strictly, refused by name."""

from collections.abc import Callable, Collection

from falcon.asgi import Request

from footfall.adapters.http.wire.responses import CSV_TYPE, JSON_TYPE
from footfall.domain.exceptions import NotFound
from footfall.domain.number import identifier
from footfall.domain.pagination import MAX_PAGE_SIZE, Page, parse_page

PAGING = frozenset({"page", "limit", "page_size"})
# A credential in the query string, which the access check reads; here it is a known parameter.
CREDENTIAL = frozenset({"private_key"})


def unaccepted(req: Request, accepted: Collection[str]) -> dict[str, list[str]]:
    """Return the errors of parameters that are none of those accepted, or are given twice."""
    listed = ", ".join(sorted(accepted)) or "none"
    errors = {
        name: [f"unknown parameter; accepted are {listed}"]
        for name in req.params
        if name not in accepted and name not in CREDENTIAL
    }
    repeated = [name for name, value in req.params.items() if isinstance(value, list)]
    return errors | {name: ["is given more than once"] for name in repeated}


def texts_of(req: Request) -> dict[str, str]:
    """Return the parameters that are given once."""
    return {name: value for name, value in req.params.items() if isinstance(value, str)}


def prefers_csv(req: Request) -> bool:
    """Return whether the client takes CSV rather than JSON; one that accepts both, or does not say, gets JSON."""
    return req.client_prefers((JSON_TYPE, CSV_TYPE)) == CSV_TYPE


def page_of(req: Request, *, size: int, in_file: int | None = None) -> Page:
    """Return the page of a list that a request asks for by the parameters of `PAGING`.

    A list that is also given as a file names how many rows this may have.

    Raises:
        Invalid: a number is out of its range.

    """
    largest = MAX_PAGE_SIZE
    if in_file is not None and prefers_csv(req):
        size = largest = in_file
    return parse_page(texts_of(req), size=size, size_names=("limit", "page_size"), maximum=largest)


def path_id(text: str, missing: Callable[[], NotFound]) -> int:
    """Return the number of a path.

    Raises:
        NotFound: `missing`, when the text is not a number, or too large for an id.

    """
    number = identifier(text)
    if number is None:
        raise missing()
    return number
