"""The circumstances of a command: the actor and the request."""

from attrs import field, frozen

from footfall.application.ports.journal import Actor


@frozen
class CommandContext:
    """The actor of a command and the request that it is part of; by default the operator at the command line."""

    actor: Actor = field(factory=Actor)
    request_id: str | None = None
